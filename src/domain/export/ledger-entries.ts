import { requirePermission } from '../../access/scope.ts';
import { isId } from '../../values/ids.ts';
import type { Call } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { entriesFilter, type EntriesConditions, type EntriesFilter } from '../ledger/entry-list.ts';
import { ledgerKinds } from '../ledger/names.ts';
import { cell, utc, type CsvSource, type ExportFile, type Quote } from './csv.ts';
import { csvExport } from './stream.ts';

/** The columns of the file, in their order. Amounts are never negative, so no cell begins a formula. */
const columns = {
  entry_id: 'e.id',
  kind: 'e.kind',
  currency: 'e.currency',
  amount_minor: 'e.amount_minor',
  debit_account: 'e.debit_account',
  credit_account: 'e.credit_account',
  payout_id: 'e.payout_id',
  transition_seq: 'e.transition_seq',
  from_state: 'c.from_state',
  to_state: 'c.to_state',
  source: cell('e.source'),
  environment: 't.environment',
  recorded_at: utc('e.recorded_at'),
};

/**
 * Everything after the select list, oldest first. Each kind is read in the order of its index and the kinds are
 * merged, so that the file begins at once and is never sorted as a whole.
 */
function rowsOf(tenantId: string, filter: EntriesConditions, quote: Quote): string {
  const instant = (text: string) => `${quote(new Date(text).toISOString())}::timestamptz`;
  const { payoutId, kind, recordedSince, recordedBefore } = filter;
  const conditions: string[] = [];
  if (typeof payoutId === 'string') {
    // A malformed id is an unknown one, and is not shown to PostgreSQL.
    conditions.push(isId('payout', payoutId) ? `l.payout_id = ${quote(payoutId)}` : 'false');
  }
  if (typeof recordedSince === 'string')
    conditions.push(`l.recorded_at >= ${instant(recordedSince)}`);
  if (typeof recordedBefore === 'string')
    conditions.push(`l.recorded_at < ${instant(recordedBefore)}`);
  const further = conditions.map((condition) => ` AND ${condition}`).join('');
  const entries = [...new Set(kind ?? ledgerKinds)].map(
    (name) => `
      SELECT l.* FROM ledger_entry l
      WHERE l.tenant_id = ${quote(tenantId)} AND l.kind = ${quote(name)}${further}`,
  );
  return `
    FROM (${entries.join(' UNION ALL ')}) e
    JOIN tenant t ON t.id = e.tenant_id
    LEFT JOIN payout_transition c
      ON c.tenant_id = e.tenant_id AND c.payout_id = e.payout_id AND c.seq = e.transition_seq
    ORDER BY e.recorded_at, e.id`;
}

/** What the file of the books' entries is made of, for one tenant. */
export function ledgerEntriesSource(tenantId: string, filter: EntriesConditions): CsvSource {
  return { tenantId, columns, from: (quote) => rowsOf(tenantId, filter, quote) };
}

/**
 * Authorises and names the export of the entries of the books.
 * @param input `recordedSince` is included, `recordedBefore` is not; an id that is unknown matches nothing
 * @throws `forbidden`, `validation_failed`; opening it may throw `too_many_requests`
 */
export function exportLedgerEntries(call: Call, input: EntriesFilter): ExportFile {
  requirePermission(call.scope, 'read');
  const filter = parseInput(entriesFilter, input);
  return csvExport(call, 'ledger_entries', ledgerEntriesSource(call.scope.tenantId, filter));
}
