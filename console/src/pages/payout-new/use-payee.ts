import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import type { PayeeByIdQuery } from '../../../../generated/console-types/graphql.ts';
import { payeeByEmailDocument, payeeByIdDocument } from './new-payout.graphql.ts';

export type Payee = NonNullable<PayeeByIdQuery['beneficiary']>;

/** What is known of what was typed as a payee. */
export type PayeeFound =
  | { readonly kind: 'nothing' | 'looking' | 'missing' }
  | { readonly kind: 'found'; readonly payee: Payee };

/** How long after the last key a look-up waits, in milliseconds. */
const pauseMs = 350;

/** Finds the payee whom a text names by its id or e-mail address, shortly after the last key. */
export function usePayee(typed: string): PayeeFound {
  const client = useClient();
  const [found, setFound] = useState<{ text: string; payee: Payee | null } | null>(null);
  const text = typed.trim();
  const isId = text.startsWith('ben_');
  const complete = isId ? text.length === 30 : /^\S+@\S+\.\S+$/.test(text);
  useEffect(() => {
    if (!complete) return undefined;
    let current = true;
    const look = async () => {
      const options = { requestPolicy: 'network-only' } as const;
      const payee = isId
        ? (await client.query(payeeByIdDocument, { id: text }, options)).data?.beneficiary
        : (await client.query(payeeByEmailDocument, { email: text }, options)).data?.beneficiaries
            .edges[0]?.node;
      if (current) setFound({ text, payee: payee ?? null });
    };
    const timer = setTimeout(() => void look(), pauseMs);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [client, complete, isId, text]);
  if (!complete) return { kind: 'nothing' };
  if (found?.text !== text) return { kind: 'looking' };
  return found.payee === null ? { kind: 'missing' } : { kind: 'found', payee: found.payee };
}
