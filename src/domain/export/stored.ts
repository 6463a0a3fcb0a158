import { z } from 'zod';
import type { Scope } from '../../access/scope.ts';
import { beneficiariesSource } from './beneficiaries.ts';
import type { CsvSource, ExportKind } from './csv.ts';
import {
  transactionsFilter,
  transactionsSource,
  type TransactionsConditions,
} from './transactions.ts';

/*
 * What a stored export remembers of its filter. Operators write it in SQL too (`export_schedule`), so
 * its keys are those of the endpoint's query parameters.
 */

const storedFilter = z.strictObject({
  beneficiary_id: z.string().nullish(),
  state: z.array(z.string()).nullish(),
  created_since: z.string().nullish(),
  created_before: z.string().nullish(),
});

/** The columns of `export.filter`: what was given, and nothing else. */
export function toStored(filter: TransactionsConditions): Record<string, unknown> {
  const { beneficiaryId, state, createdSince, createdBefore } = filter;
  const stored = {
    beneficiary_id: beneficiaryId,
    state,
    created_since: createdSince,
    created_before: createdBefore,
  };
  return Object.fromEntries(
    Object.entries(stored).filter(([, value]) => value !== undefined && value !== null),
  );
}

/** The filter of a stored export; null for one that no export can have. */
export function fromStored(stored: unknown): TransactionsConditions | null {
  const parsed = storedFilter.safeParse(stored);
  if (!parsed.success) return null;
  const { beneficiary_id, state, created_since, created_before } = parsed.data;
  const filter = transactionsFilter.safeParse({
    beneficiaryId: beneficiary_id,
    state,
    createdSince: created_since,
    createdBefore: created_before,
  });
  return filter.success ? filter.data : null;
}

/** What the file of a stored export is made of; null when its filter is not one of its kind. */
export function sourceOf(scope: Scope, kind: ExportKind, stored: unknown): CsvSource | null {
  const filter = fromStored(stored);
  if (filter === null) return null;
  switch (kind) {
    case 'transactions':
      return transactionsSource(scope.tenantId, filter);
    case 'beneficiaries':
      // The address book has no filter; one with conditions must not be ignored silently.
      return Object.keys(toStored(filter)).length === 0
        ? beneficiariesSource(scope.tenantId)
        : null;
  }
}
