import { useEffect, useState } from 'react';
import { useMutation } from 'urql';
import { faultOf, type Fault } from '../values/fault.ts';
import { stepUpBeginDocument } from '../../../generated/console-types/app/step-up.ts';
import { signWithPasskey } from './passkey.ts';

/** A demand of the approval policy, as far as it says whether the reader's approval takes a passkey. */
interface Demand {
  readonly isOpen: boolean;
  readonly obstacle: string | null;
  readonly stepUp: boolean;
}

/** Whether the reader's approval of a payout takes the signature of their passkey. */
export const takesPasskey = ({
  approval,
}: {
  readonly approval: { readonly demands: readonly Demand[] };
}): boolean =>
  approval.demands.some(({ isOpen, obstacle, stepUp }) => isOpen && obstacle === null && stepUp);

interface Asked {
  readonly ids: string;
  readonly text: string;
  readonly options: unknown;
}

/** What the reader signs with their passkey, while a dialog asks whether to approve. */
export interface StepUp {
  /** Exactly what is signed; null while it is not known, and where nothing is. */
  readonly text: string | null;
  readonly fault: Fault | null;
  /** Asks the passkey: undefined where none is needed, null where the reader thought better of it. */
  sign(): Promise<unknown>;
  /** Asks the service anew, after an approval was refused: a signature counts once. */
  renew(): void;
}

/** @param ids the payouts that are to be signed for; none while nothing is asked, or no passkey is needed */
export function useStepUp(ids: readonly string[]): StepUp {
  const [, begin] = useMutation(stepUpBeginDocument);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [fault, setFault] = useState<Fault | null>(null);
  const [round, setRound] = useState(0);
  const joined = ids.join(' ');
  useEffect(() => {
    if (joined === '') return;
    let left = false;
    const ask = async () => {
      const { data, error } = await begin({ ids: joined.split(' ') });
      if (left) return;
      const begun = data?.payoutStepUpBegin;
      setFault(error === undefined ? null : faultOf(error));
      setAsked(begun == null ? null : { ids: joined, text: begun.text, options: begun.options });
    };
    void ask();
    return () => void (left = true);
  }, [begin, joined, round]);
  const current = asked?.ids === joined ? asked : null;
  return {
    text: current?.text ?? null,
    fault: joined === '' ? null : fault,
    sign: async () => {
      if (joined === '') return undefined;
      return current === null ? null : signWithPasskey(current.options);
    },
    renew: () => setRound((before) => before + 1),
  };
}
