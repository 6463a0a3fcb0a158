import type { ApprovalQueueQuery } from '../../../../generated/console-types/graphql.ts';

/** A payout of the queue. */
export type WaitingPayout = ApprovalQueueQuery['payouts']['edges'][number]['node'];

/** What an action is asked for. */
export type Decision = 'approve' | 'reject';

/** What differs when a payout of the queue is another one than the reader saw. */
export const versionOf = (row: WaitingPayout): string =>
  [
    row.updatedAt,
    row.accountChanges.join(),
    row.approval.obstacles.join(),
    row.changesSinceCreation.length,
  ].join('/');

export const nameOf = ({ beneficiaryName, beneficiaryId }: WaitingPayout): string =>
  beneficiaryName ?? beneficiaryId;

/** Those of some payouts for which a decision can be taken, as the service says. */
export const fitFor = (
  decision: Decision,
  rows: readonly WaitingPayout[],
): readonly WaitingPayout[] =>
  decision === 'approve' ? rows.filter(({ approval }) => approval.permitted) : rows;
