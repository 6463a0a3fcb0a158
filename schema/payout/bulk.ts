import { spreadOverTurns } from '../../src/concurrency/event-loop.ts';
import { createPayoutsInBulk, type BulkInput, type BulkRow } from '../../src/domain/payout/bulk.ts';
import { approveInBulkSigned } from '../../src/domain/payout/decide-signed.ts';
import { decideInBulk, type BulkDecision } from '../../src/domain/payout/decide-bulk.ts';
import { readLatestByKeys } from '../../src/domain/payout/by-key.ts';
import { id, int, of } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { describedEnum } from '../common/described-enum.ts';
import { RowError, rowFailure } from '../common/row-error.ts';
import { loadBy } from '../lists/loader.ts';
import { DecisionReason, passkeyTold, PayoutCreateInput } from './mutations.ts';
import { FundingOutlook } from './outlook.ts';
import { Payout } from './type.ts';

const BulkModeEnum = describedEnum<NonNullable<BulkInput['mode']>>(
  'BulkMode',
  'How a bulk request treats a row that fails.',
  {
    partial: 'The rows that can be created are created.',
    atomic: 'Either all rows are created or none.',
  },
);

const BulkRowStatusEnum = describedEnum<BulkRow['status']>(
  'BulkRowStatus',
  'What became of a row of a bulk request.',
  {
    created: 'The payout was created.',
    replayed: 'The payout existed: its key was used before with the same content.',
    failed: 'The row was refused; see error.',
    not_attempted:
      'The row is in order but was not created, since another row of the atomic request failed. Send it again with the same key.',
  },
);

const earlierOf = loadBy(readLatestByKeys, (key) => key);

const PayoutBulkRow = builder.objectRef<BulkRow>('PayoutBulkRow').implement({
  description: 'The result of one row of a bulk request.',
  fields: (t) =>
    shown(t, {
      index: int('Position of the row in the request, from 0.'),
      status: of(BulkRowStatusEnum, 'What became of the row.'),
      payout: of.orNull(
        Payout,
        'The payout; null for a row that failed or was not attempted, and in a dry run.',
      ),
      error: t.field({
        type: RowError,
        nullable: true,
        description: 'Why the row failed; null unless it did.',
        resolve: (row) => rowFailure(row.error),
      }),
      earlier: t.field({
        type: Payout,
        nullable: true,
        description:
          "The latest payout that was created before with the row's key, however long ago. A key ends after 24 hours: a row with an earlier payout whose status is created would be paid again.",
        resolve: ({ idempotencyKey, payout, status }, _args, context) =>
          idempotencyKey === null || (payout !== null && status === 'created')
            ? null
            : earlierOf(context, idempotencyKey),
      }),
      funding: of.orNull(
        FundingOutlook,
        'Of a row that a dry run would create: whether the funds would cover it; null otherwise.',
      ),
    }),
});

export const PayoutBulkDecision = builder.objectRef<BulkDecision>('PayoutBulkDecision').implement({
  description: 'The result of deciding on one of several payouts.',
  fields: (t) =>
    shown(t, {
      payoutId: id('The payout decided on.'),
      payout: of.orNull(Payout, 'The payout after the decision; null when it failed.'),
      error: t.field({
        type: RowError,
        nullable: true,
        description: 'Why the decision was refused.',
        resolve: (result) => rowFailure(result.error),
      }),
    }),
});

builder.mutationFields((t) => ({
  payoutBulkCreate: t.field({
    nullable: true,
    type: [PayoutBulkRow],
    description: 'Creates 1 to 1,000 payouts, each under its own idempotency key.',
    args: {
      payouts: t.arg({
        type: [PayoutCreateInput],
        // A null row is one that a surface refused by its shape: it fails, the others go on.
        required: { list: true, items: false },
        description: 'The payouts. A row has no dryRun of its own.',
      }),
      mode: t.arg({ type: BulkModeEnum, description: 'partial by default.' }),
      dryRun: t.arg.boolean({ description: 'Run every check and write nothing.' }),
    },
    resolve: async (_root, args, context) =>
      spreadOverTurns(await createPayoutsInBulk(context.call, args)),
  }),
  payoutBulkApprove: t.field({
    nullable: true,
    type: [PayoutBulkDecision],
    description: 'Approves up to 100 payouts. Each succeeds or fails on its own.',
    args: {
      payoutIds: t.arg.idList({ required: true, description: 'The payouts.' }),
      reasons: t.arg({ type: [DecisionReason], description: 'Why, for each.' }),
      passkey: t.arg({ type: 'JSON', description: passkeyTold }),
    },
    resolve: (_root, { payoutIds, reasons, passkey }, context) =>
      approveInBulkSigned(context.call, payoutIds, reasons ?? [], passkey),
  }),
  payoutBulkReject: t.field({
    nullable: true,
    type: [PayoutBulkDecision],
    description: 'Rejects up to 100 payouts, with at least one reason.',
    args: {
      payoutIds: t.arg.idList({ required: true, description: 'The payouts.' }),
      reasons: t.arg({ type: [DecisionReason], description: 'Why, for each; not empty.' }),
    },
    resolve: (_root, { payoutIds, reasons }, context) =>
      decideInBulk(context.call, payoutIds, { status: 'rejected', reasons: reasons ?? [] }),
  }),
}));
