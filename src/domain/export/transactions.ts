import { z } from 'zod';
import { requirePermission } from '../../access/scope.ts';
import { dateTime } from '../../values/fields.ts';
import { isId } from '../../values/ids.ts';
import type { Call } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { keptColumns } from '../payout/fields.ts';
import { anyOfStates } from '../payout/input.ts';
import { cell, utc, type CsvSource, type ExportFile, type Quote } from './csv.ts';
import { csvExport } from './stream.ts';

/** Which payouts an export of the ledger holds; conditions that all hold. */
export const transactionsFilter = z.strictObject({
  beneficiaryId: z.string().nullish(),
  payoutBatchId: z.string().nullish(),
  state: anyOfStates.nullish(),
  createdSince: dateTime.nullish(),
  createdBefore: dateTime.nullish(),
});
export type TransactionsFilter = z.input<typeof transactionsFilter>;
export type TransactionsConditions = z.output<typeof transactionsFilter>;

/** The columns in the order that readers of the file know. Amounts are never negative, so no cell begins a formula. */
const known = {
  payout_id: 'p.id',
  external_ref: cell('p.external_ref'),
  state: 'p.state',
  beneficiary_id: 'p.beneficiary_id',
  beneficiary_name: cell('p.beneficiary_name'),
  beneficiary_type: 'p.beneficiary_type',
  bank_account_id: 'p.bank_account_id',
  bank_account_last4: cell('a.last4'),
  amount_minor: 'p.amount_minor',
  amount: 'p.amount',
  currency: 'p.currency',
  purpose_of_payment: 'p.purpose_of_payment',
  validator_strategy: 'p.validator_strategy',
  idempotency_key: cell('p.idempotency_key'),
  rail_ref: cell('p.rail_ref'),
  replaces_payout_id: 'p.replaces_payout_id',
  failure_code: cell('p.failure_code'),
  environment: 't.environment',
  created_at: utc('p.created_at'),
  updated_at: utc('p.updated_at'),
  approved_at: utc('p.approved_at'),
  disbursed_at: utc('p.disbursed_at'),
  settled_at: utc('p.settled_at'),
  payout_batch_id: 'p.batch_id',
  payout_batch_row: 'p.batch_row',
};

/** The columns of the file. What a payout is given besides stands behind them. */
const columns = {
  ...known,
  ...Object.fromEntries(
    keptColumns
      .filter((name) => !Object.hasOwn(known, name))
      .map((name) => [name, cell(`p.${name}`)]),
  ),
};

/** Everything after the select list; ids sort by time, so the file runs oldest first. */
function rowsOf(tenantId: string, filter: TransactionsConditions, quote: Quote) {
  const instant = (text: string) => `${quote(new Date(text).toISOString())}::timestamptz`;
  const { beneficiaryId, payoutBatchId, state, createdSince, createdBefore } = filter;
  const conditions = [`p.tenant_id = ${quote(tenantId)}`];
  if (typeof beneficiaryId === 'string') {
    // A malformed id is an unknown one, and is not shown to PostgreSQL.
    const known = isId('beneficiary', beneficiaryId);
    conditions.push(known ? `p.beneficiary_id = ${quote(beneficiaryId)}` : 'false');
  }
  if (typeof payoutBatchId === 'string') {
    const known = isId('payoutBatch', payoutBatchId);
    conditions.push(known ? `p.batch_id = ${quote(payoutBatchId)}` : 'false');
  }
  if (Array.isArray(state))
    conditions.push(`p.state = ANY (ARRAY[${state.map(quote).join(', ')}]::text[])`);
  if (typeof createdSince === 'string') conditions.push(`p.created_at >= ${instant(createdSince)}`);
  if (typeof createdBefore === 'string')
    conditions.push(`p.created_at < ${instant(createdBefore)}`);
  return `
    FROM payout p
    JOIN tenant t ON t.id = p.tenant_id
    JOIN bank_account a ON a.tenant_id = p.tenant_id AND a.id = p.bank_account_id
    WHERE ${conditions.join(' AND ')}
    ORDER BY p.id`;
}

/** What the ledger's file is made of, for one tenant. */
export function transactionsSource(tenantId: string, filter: TransactionsConditions): CsvSource {
  return { tenantId, columns, from: (quote) => rowsOf(tenantId, filter, quote) };
}

/**
 * Authorises and names the export of the transactions ledger.
 * @param input `createdSince` is included, `createdBefore` is not; an id that is unknown matches nothing
 * @throws `forbidden`, `validation_failed`; opening it may throw `too_many_requests`
 */
export function exportTransactions(call: Call, input: TransactionsFilter): ExportFile {
  requirePermission(call.scope, 'read');
  const filter = parseInput(transactionsFilter, input);
  return csvExport(call, 'transactions', transactionsSource(call.scope.tenantId, filter));
}
