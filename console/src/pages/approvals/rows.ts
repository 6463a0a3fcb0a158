import type { ApprovalQueueQuery } from '../../../../generated/console-types/graphql.ts';

/** A payout of the queue. */
export type Waiting = ApprovalQueueQuery['payouts']['edges'][number]['node'];

/** What an action is asked for. */
export type Decision = 'approve' | 'reject';

/** What differs when a payout of the queue is another one than the reader saw. */
export const versionOf = (row: Waiting): string =>
  [
    row.updatedAt,
    row.accountChanges.join(),
    row.approval.obstacles.join(),
    row.changesSinceCreation.length,
  ].join('/');

export const nameOf = ({ beneficiaryName, beneficiaryId }: Waiting): string =>
  beneficiaryName ?? beneficiaryId;

/** Sums of payouts by currency, in minor units. */
export function sumsOf(rows: readonly Waiting[]): (readonly [currency: string, minor: string])[] {
  const sums = new Map<string, bigint>();
  for (const { currency, amountMinor } of rows) {
    sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(amountMinor));
  }
  return [...sums].map(([currency, sum]) => [currency, String(sum)]);
}
