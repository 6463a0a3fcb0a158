import { useEffect, useRef, useState } from 'react';
import { useClient, type Client } from 'urql';
import type {
  ApprovalSetQuery,
  PayoutApprovalSetInput,
} from '../../../../generated/console-types/graphql.ts';
import { approvalSetDocument } from '../../../../generated/console-types/pages/approvals/approvals.ts';
import { faultOf, faultOfCode, type Fault } from '../../values/fault.ts';

type Read = NonNullable<ApprovalSetQuery['payoutApprovalSet']>;

interface ShownSet {
  /** As the command takes it: without the names of types that the client adds to answers. */
  readonly set: PayoutApprovalSetInput;
  readonly leftOut: readonly string[];
}

type Answer =
  | { readonly set: ShownSet; readonly fault: null }
  | { readonly set: null; readonly fault: Fault };

/** The payouts of a dialog as they are when it opens: what is approved is what was seen. */
interface SeenSet {
  /** Resolves once the service has answered, or with why it has not. */
  read(): Promise<Answer>;
  /** Asks again, after the command was refused. */
  renew(): void;
}

async function ask(client: Client, ids: string[]): Promise<Answer> {
  const { data, error } = await client.query(
    approvalSetDocument,
    { ids },
    { requestPolicy: 'network-only' },
  );
  const read = data?.payoutApprovalSet;
  return read == null ? { set: null, fault: faultOf(error) } : { set: shownOf(read), fault: null };
}

const shownOf = ({ items, totals, digest, leftOut }: Read): ShownSet => ({
  set: {
    items: items.map((item) => ({ payoutId: item.payoutId, digest: item.digest })),
    totals: totals.map(({ currency, amountMinor }) => ({ currency, amountMinor })),
    digest,
  },
  leftOut,
});

/** @param ids the payouts that are asked about; none while nothing is */
export function useApprovalSet(ids: readonly string[]): SeenSet {
  const client = useClient();
  const [round, setRound] = useState(0);
  const asked = useRef<Promise<Answer> | null>(null);
  const joined = ids.join(' ');
  useEffect(() => {
    asked.current = joined === '' ? null : ask(client, joined.split(' '));
  }, [client, joined, round]);
  return {
    read: async () => (await asked.current) ?? { set: null, fault: faultOfCode(undefined, '') },
    renew: () => setRound((before) => before + 1),
  };
}
