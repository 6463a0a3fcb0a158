import { useState } from 'react';
import { useMutation, type AnyVariables, type TypedDocumentNode } from 'urql';
import { faultOf, type Fault } from '../values/fault.ts';

/** A command of a page, and how it went. */
export interface Act<Data, Variables> {
  /** Runs it; null where it was refused, which `fault` tells. */
  act(variables: Variables): Promise<Data | null>;
  readonly fault: Fault | null;
  readonly busy: boolean;
  /** Forgets the refusal, when the dialog that shows it is closed. */
  forget(): void;
}

/** A mutation with its refusal as a fault; a second call while the first runs does nothing. */
export function useAct<Data, Variables extends AnyVariables>(
  document: TypedDocumentNode<Data, Variables>,
): Act<Data, Variables> {
  const [{ fetching }, execute] = useMutation(document);
  const [fault, setFault] = useState<Fault | null>(null);
  return {
    fault,
    busy: fetching,
    forget: () => setFault(null),
    async act(variables) {
      if (fetching) return null;
      setFault(null);
      const { data, error } = await execute(variables);
      const refused = error === undefined ? null : faultOf(error);
      setFault(refused);
      return refused === null ? (data ?? null) : null;
    },
  };
}
