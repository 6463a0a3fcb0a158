import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import type { ApprovalSetQuery } from '../../../../generated/console-types/graphql.ts';
import { approvalSetDocument } from '../../../../generated/console-types/pages/approvals/approvals.ts';

type Read = ApprovalSetQuery['payoutApprovalSet'];

/** The payouts of a dialog as they are when it opens: what is approved is what was seen. */
export interface SeenSet {
  /** Null while it is not known. */
  readonly seen: Pick<Read, 'items' | 'totals' | 'digest'> | null;
  /** Those that can be approved no more. */
  readonly leftOut: readonly string[] | null;
  /** Reads it again, after the command refused it. */
  renew(): void;
}

/** @param ids the payouts that are asked about; none while nothing is */
export function useApprovalSet(ids: readonly string[]): SeenSet {
  const client = useClient();
  const [read, setRead] = useState<{ readonly ids: string; readonly set: Read } | null>(null);
  const [round, setRound] = useState(0);
  const joined = ids.join(' ');
  useEffect(() => {
    if (joined === '') return;
    let left = false;
    const ask = async () => {
      const variables = { ids: joined.split(' ') };
      const { data } = await client.query(approvalSetDocument, variables, {
        requestPolicy: 'network-only',
      });
      if (!left && data !== undefined) setRead({ ids: joined, set: data.payoutApprovalSet });
    };
    void ask();
    return () => void (left = true);
  }, [client, joined, round]);
  const set = read?.ids === joined ? read.set : null;
  return {
    seen: set && { items: set.items, totals: set.totals, digest: set.digest },
    leftOut: set?.leftOut ?? null,
    renew: () => setRound((before) => before + 1),
  };
}
