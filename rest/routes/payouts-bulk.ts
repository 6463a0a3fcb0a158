import { catalogue } from '../../src/errors/catalogue.ts';
import type { FieldError } from '../../src/errors/domain-error.ts';
import { fieldErrors } from '../../src/fields.ts';
import { toCamelCase, toSnakeCase } from '../case.ts';
import { bulkAnswer, bulkBody, payoutBulkRow } from '../contracts/payouts.ts';
import { route } from '../route.ts';
import { payoutFields } from './payouts.ts';

interface RowData {
  readonly index: number;
  readonly status: 'created' | 'replayed' | 'failed';
  readonly payout: unknown;
  readonly error: { code: string; message: string; details: readonly FieldError[] } | null;
}

/** The field errors of a row that does not fit the contract, with their path from the root. */
function shapeErrors(row: unknown, index: number): FieldError[] {
  const result = payoutBulkRow.safeParse(row);
  if (result.success) return [];
  return fieldErrors(result.error, row).map((error) => ({
    ...error,
    field: `payouts[${index}]${error.field === '' ? '' : `.${error.field}`}`,
  }));
}

function toInput(row: unknown): unknown {
  const result = payoutBulkRow.safeParse(row);
  return result.success ? toCamelCase(result.data) : null;
}

/** A row's error as REST says it; for a malformed row the contract knows the fields. */
function rowError(error: NonNullable<RowData['error']>, given: unknown, index: number) {
  const shape = shapeErrors(given, index);
  const details = shape.length > 0 ? shape : error.details;
  return {
    code: error.code,
    message: shape.length > 0 ? catalogue.validation_failed.meaning : error.message,
    ...(details.length === 0
      ? {}
      : { details: details.map((d) => ({ ...d, field: toSnakeCase(d.field) })) }),
  };
}

export const payoutBulkRoutes = [
  route({
    method: 'post',
    path: '/v1/payouts/bulk',
    operationId: 'createPayoutsInBulk',
    summary: 'Create up to 1,000 payouts, each under its own idempotency key',
    tag: 'Payouts',
    permission: 'payouts:write',
    body: bulkBody,
    bodyLimit: 5 * 1024 * 1024,
    responses: { 200: bulkAnswer },
    errors: [],
    document: `
      mutation CreatePayoutsInBulk($payouts: [PayoutCreateInput]!, $mode: BulkMode, $dryRun: Boolean) {
        payoutBulkCreate(payouts: $payouts, mode: $mode, dryRun: $dryRun) {
          index status payout { ...PayoutFields } error { code message details }
        }
      }
      ${payoutFields}`,
    variables: ({ body }) => ({
      payouts: body.payouts.map(toInput),
      mode: body.mode ?? null,
      dryRun: body.dry_run ?? null,
    }),
    answer: (data, { body }) => {
      const rows = data['payoutBulkCreate'] as readonly RowData[];
      const count = (status: RowData['status']): number =>
        rows.filter((row) => row.status === status).length;
      return {
        status: 200,
        body: {
          results: rows.map((row) => ({
            ...row,
            error:
              row.error === null ? null : rowError(row.error, body.payouts[row.index], row.index),
          })),
          summary: {
            total: rows.length,
            created: count('created'),
            replayed: count('replayed'),
            failed: count('failed'),
          },
          ...(body.dry_run === true ? { dry_run: true } : {}),
        },
      };
    },
  }),
];
