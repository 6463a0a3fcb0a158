import type { Client } from 'urql';
import type { PayeeByIdQuery } from '../../../../generated/console-types/graphql.ts';
import { useAsked } from '../../app/asked.ts';
import type { Fault } from '../../values/fault.ts';
import {
  payeeByEmailDocument,
  payeeByIdDocument,
} from '../../../../generated/console-types/pages/payout-new/new-payout.ts';

export type Payee = NonNullable<PayeeByIdQuery['beneficiary']>;

/** What is known of what was typed as a payee. */
export type PayeeFound =
  | { readonly kind: 'nothing' | 'asking' | 'missing' }
  | { readonly kind: 'failed'; readonly fault: Fault }
  | { readonly kind: 'found'; readonly payee: Payee };

const options = { requestPolicy: 'network-only' } as const;
const isId = (text: string): boolean => text.startsWith('ben_');
const isWhole = (text: string): boolean =>
  isId(text) ? text.length === 30 : /^\S+@\S+\.\S+$/.test(text);

async function look(client: Client, text: string) {
  if (isId(text)) {
    const { data, error } = await client.query(payeeByIdDocument, { id: text }, options);
    return { error, data: data && { payee: data.beneficiary } };
  }
  const { data, error } = await client.query(payeeByEmailDocument, { email: text }, options);
  return { error, data: data && { payee: data.beneficiaries.edges[0]?.node ?? null } };
}

/** Finds the payee whom a text names by its id or e-mail address, shortly after the last key. */
export function usePayee(typed: string): PayeeFound {
  const text = typed.trim();
  const asked = useAsked(isWhole(text) ? text : null, look);
  if (asked.kind !== 'answered') return asked;
  const { payee } = asked.data;
  return payee ? { kind: 'found', payee } : { kind: 'missing' };
}
