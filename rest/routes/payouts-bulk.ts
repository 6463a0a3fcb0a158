import { mapInTurns } from '../../src/concurrency/event-loop.ts';
import { withIntegers } from '../http/exact-integer.ts';
import { bulkAnswer, bulkBody, payoutBulkRow } from '../contracts/payouts.ts';
import { route } from '../route/route.ts';
import { rowErrorBody, toInput, type RowFailure } from '../route/bulk-rows.ts';
import { fundingOutlookField, payoutFields } from './payouts.ts';

interface RowData {
  readonly index: number;
  readonly status: 'created' | 'replayed' | 'failed' | 'not_attempted';
  readonly payout: unknown;
  readonly error: RowFailure | null;
  readonly funding: object | null;
}

export const payoutBulkRoutes = [
  route({
    method: 'post',
    path: '/v1/payouts/bulk',
    operationId: 'createPayoutsInBulk',
    summary: 'Create up to 1,000 payouts, each under its own idempotency key',
    details:
      'In `partial` mode, the default, each row succeeds or fails alone. In `atomic` mode all are created or none: then a row in order beside a failed one is `not_attempted`. Repeat the request with the same keys after a lost answer: what was created is `replayed`.',
    tag: 'Payouts',
    permission: 'payouts:write',
    body: bulkBody,
    bulk: true,
    idempotencyKey: 'of_rows',
    responses: {
      200: {
        means:
          'What became of each row, in the order sent; the request succeeds even if every row failed. In atomic mode either every row was created or none.',
        body: bulkAnswer,
      },
    },
    errors: [],
    document: `
      mutation CreatePayoutsInBulk($payouts: [PayoutCreateInput]!, $mode: BulkMode, $dryRun: Boolean) {
        payoutBulkCreate(payouts: $payouts, mode: $mode, dryRun: $dryRun) {
          index status payout { ...PayoutFields } error { code message details } ${fundingOutlookField}
        }
      }
      ${payoutFields}`,
    variables: async ({ body }) => ({
      payouts: await mapInTurns(body.payouts, (row) => toInput(payoutBulkRow, row)),
      mode: body.mode ?? null,
      dryRun: body.dry_run ?? null,
    }),
    answer: async (data, { body }) => {
      const sent = { list: 'payouts', schema: payoutBulkRow, rows: body.payouts };
      const rows = data['payoutBulkCreate'] as readonly RowData[];
      const count = (status: RowData['status']): number =>
        rows.filter((row) => row.status === status).length;
      return {
        status: 200,
        body: {
          results: await mapInTurns(rows, (row) => ({
            ...row,
            error: rowErrorBody(row.error, sent, row.index),
            funding: row.funding === null ? null : withIntegers(row.funding),
          })),
          summary: {
            total: rows.length,
            created: count('created'),
            replayed: count('replayed'),
            failed: count('failed'),
            not_attempted: count('not_attempted'),
          },
          ...(body.dry_run === true ? { dry_run: true } : {}),
        },
      };
    },
  }),
];
