import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import { payeesByTextDocument } from '../../../../generated/console-types/pages/payout-new/new-payout.ts';
import type { Payee } from './use-payee.ts';

/** A payee that is offered while somebody types. */
export type KnownPayee = Pick<Payee, 'id' | 'email' | 'displayName'>;

/** How long after the last key a search waits, in milliseconds. */
const pauseMs = 250;

/** The payees to offer for what is typed: those that it finds by name, and the latest before anything is typed. */
export function useOffers(typed: string, latest: readonly KnownPayee[]): readonly KnownPayee[] {
  const client = useClient();
  const [found, setFound] = useState(latest);
  const text = typed.trim();
  useEffect(() => {
    if (text === '') return undefined;
    let current = true;
    const look = async () => {
      const { data } = await client.query(payeesByTextDocument, { text });
      if (current && data !== undefined) setFound(data.beneficiarySearch.beneficiaries);
    };
    const timer = setTimeout(() => void look(), pauseMs);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [client, text]);
  return text === '' ? latest : found;
}
