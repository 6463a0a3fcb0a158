import { z } from 'zod';
import { requirePermission } from '../../access/scope.ts';
import { named } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import { invalid } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { dateTime } from '../../values/fields.ts';
import { parseInput } from '../../values/validate.ts';
import { ledgerKinds, type LedgerKind } from './names.ts';

/** What the entries of one kind did to the books of one currency in a time. */
export interface BooksChange {
  readonly currency: string;
  readonly kind: LedgerKind;
  readonly count: number;
  /** What the entries come to, in minor units of `currency`. */
  readonly amountMinor: bigint;
  /** What they did to what is available: less than zero for a reservation. */
  readonly availableMinor: bigint;
}

const dayMs = 86_400_000;
const mostDays = 31;

const input = z.strictObject({ since: dateTime, before: dateTime.nullish() });

/**
 * A reservation takes from what is available and its release gives back; what is sent was reserved before. Each other
 * entry moves what is on `funds`. In a sandbox payouts draw on `external`, so neither touches `funds`. Each kind is a
 * range of one index.
 */
const statement = named(
  'ledger_changes',
  ['tenant', 'kinds', 'since', 'before'],
  `
    SELECT l.* FROM unnest(@kinds::text[]) WITH ORDINALITY AS g (kind, place) CROSS JOIN LATERAL (
      SELECT e.currency, g.kind, count(*)::integer AS count, sum(e.amount_minor)::bigint AS "amountMinor",
        coalesce(sum(CASE
          WHEN g.kind = 'disburse' THEN 0
          WHEN g.kind = 'release' AND e.credit_account = 'funds' THEN e.amount_minor
          WHEN e.debit_account = 'funds' THEN e.amount_minor
          WHEN e.credit_account = 'funds' THEN -e.amount_minor
          ELSE 0
        END), 0)::bigint AS "availableMinor"
      FROM ledger_entry e
      WHERE e.tenant_id = @tenant AND e.kind = g.kind AND e.recorded_at >= @since
        AND e.recorded_at < coalesce(@before::timestamptz, 'infinity')
      GROUP BY e.currency
    ) l
    ORDER BY l.currency, g.place`,
);

/**
 * What changed in the books, by currency and kind of entry. Where `before` is absent, until now. Throws forbidden, and
 * validation_failed for a time of more than 31 days.
 */
export async function readBooksChanges(
  call: Call,
  given: z.input<typeof input>,
): Promise<BooksChange[]> {
  requirePermission(call.scope, 'read');
  const { since, before = null } = parseInput(input, given);
  const end = before === null ? call.services.clock.now() : new Date(before);
  if (end.getTime() - new Date(since).getTime() > mostDays * dayMs) {
    const message = `Must be at most ${mostDays} days before the end.`;
    throw invalid([{ field: 'since', code: 'out_of_range', message }]);
  }
  const values = statement.of({
    tenant: call.scope.tenantId,
    kinds: ledgerKinds,
    since,
    before,
  });
  return rows<BooksChange>(call.services.pool, statement, values);
}
