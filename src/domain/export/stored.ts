import { z } from 'zod';
import type { Scope } from '../../access/scope.ts';
import { columnName } from '../../db/columns.ts';
import { entriesFilter } from '../ledger/entry-list.ts';
import { beneficiariesSource } from './beneficiaries.ts';
import type { CsvSource, ExportKind } from './csv.ts';
import { ledgerEntriesSource } from './ledger-entries.ts';
import { screeningsSource, watchlistDaysSource } from './screenings.ts';
import { transactionsFilter, transactionsSource } from './transactions.ts';

/*
 * What a stored export remembers of its filter. Operators write it in SQL too (`export_schedule`), so
 * its keys are those of the endpoint's query parameters.
 */

/** The filter of each kind. The address book and the screening have none; one with conditions must not be ignored silently. */
const filters = {
  transactions: transactionsFilter,
  beneficiaries: z.strictObject({}),
  ledger_entries: entriesFilter,
  screenings: z.strictObject({}),
  watchlist_days: z.strictObject({}),
} as const satisfies Record<ExportKind, z.ZodObject>;

type ConditionsOf<Kind extends ExportKind> = z.output<(typeof filters)[Kind]>;

/** The columns of `export.filter`: what was given, and nothing else. */
export function toStored(conditions: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(conditions)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [columnName(name), value]),
  );
}

/** The filter of a stored export; null for one that no export of this kind can have. */
export function fromStored<Kind extends ExportKind>(
  kind: Kind,
  stored: unknown,
): ConditionsOf<Kind> | null {
  const names = Object.keys(filters[kind].shape);
  const given = z.record(z.string(), z.unknown()).safeParse(stored);
  if (!given.success) return null;
  const known = new Map(names.map((name) => [columnName(name), name]));
  const named = Object.entries(given.data).map(([column, value]) => [known.get(column), value]);
  if (named.some(([name]) => name === undefined)) return null;
  const filter = filters[kind].safeParse(Object.fromEntries(named));
  // The compiler does not see that the schema at `kind` gives the conditions of `Kind`.
  return filter.success ? (filter.data as ConditionsOf<Kind>) : null;
}

/** What the file of a stored export is made of; null when its filter is not one of its kind. */
export function sourceOf(scope: Scope, kind: ExportKind, stored: unknown): CsvSource | null {
  switch (kind) {
    case 'transactions': {
      const filter = fromStored(kind, stored);
      return filter && transactionsSource(scope.tenantId, filter);
    }
    case 'beneficiaries':
      return fromStored(kind, stored) && beneficiariesSource(scope.tenantId);
    case 'ledger_entries': {
      const filter = fromStored(kind, stored);
      return filter && ledgerEntriesSource(scope.tenantId, filter);
    }
    case 'screenings':
      return fromStored(kind, stored) && screeningsSource(scope.tenantId);
    case 'watchlist_days':
      return fromStored(kind, stored) && watchlistDaysSource(scope.tenantId);
  }
}
