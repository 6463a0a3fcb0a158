import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import { payeesByTextDocument } from './new-payout.graphql.ts';
import type { KnownPayee } from './payee-fields.tsx';

/** How long after the last key a search waits, in milliseconds. */
const pauseMs = 250;

/** The payees to offer for what is typed: those that it finds by name, and the latest before anything is typed. */
export function useOffers(typed: string, latest: readonly KnownPayee[]): readonly KnownPayee[] {
  const client = useClient();
  const [offers, setOffers] = useState(latest);
  const text = typed.trim();
  useEffect(() => {
    if (text === '') return setOffers(latest);
    let current = true;
    const look = async () => {
      const { data } = await client.query(payeesByTextDocument, { text });
      const found = data?.beneficiarySearch.beneficiaries;
      if (current && found !== undefined) setOffers(found);
    };
    const timer = setTimeout(() => void look(), pauseMs);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [client, text, latest]);
  return offers;
}
