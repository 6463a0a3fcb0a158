import { named } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { bankProviderName } from '../../providers/bank-connection.ts';
import { inAskedOrder } from '../children.ts';

/** A payment, or a file with its payments, that a movement may show. */
export interface LineCandidate {
  /** What the movement would be matched with: the payout, or the batch. */
  readonly subjectId: string;
  /** Null for a batch as a whole. */
  readonly payoutId: string | null;
  readonly batchId: string;
  /** Minor units of `currency`. */
  readonly amountMinor: bigint;
  readonly currency: string;
  /** `YYYY-MM-DD`. */
  readonly executionDate: string;
  readonly endToEndId: string | null;
}

/** So many are offered for a movement: first those to be executed by its day, the latest first. */
const offered = 5;

/**
 * Of each movement that matches nothing: the payments of its connection, and the files as a whole, of just its amount,
 * whose debit or return no other movement shows. Payouts are found by the index of a list's groups with the amount,
 * files among the latest 500 of the connection.
 */
const statement = named(
  'bank_line_candidates',
  ['tenant', 'lines', 'prefix', 'take'],
  `
    SELECT g.asked::integer AS asked, found.*
    FROM unnest(@lines::text[]) WITH ORDINALITY AS g (line, asked)
    JOIN bank_line l ON l.tenant_id = @tenant AND l.id = g.line AND l.match = 'unmatched' AND l.amount_minor IS NOT NULL
    CROSS JOIN LATERAL (
      SELECT "subjectId", "payoutId", "batchId", "amountMinor", currency, "executionDate", "endToEndId" FROM (
        (SELECT p.id AS "subjectId", p.id AS "payoutId", bp.batch_id AS "batchId", p.amount_minor AS "amountMinor",
          p.currency, b.execution_date AS "executionDate", bp.end_to_end_id AS "endToEndId"
        FROM unnest(CASE WHEN l.direction = 'debit' THEN ARRAY['approved', 'disbursed', 'settled']
          ELSE ARRAY['disbursed', 'settled'] END) AS s (state)
        CROSS JOIN LATERAL (
          SELECT o.id, o.amount_minor, o.currency FROM payout o
          WHERE o.tenant_id = @tenant AND o.amount_minor = l.amount_minor
            AND o.list_group = s.state || ' ' || l.currency || '  ' || @prefix || l.connection_id
          ORDER BY o.id DESC LIMIT 200
        ) p
        JOIN bank_payment bp ON bp.tenant_id = @tenant AND bp.payout_id = p.id AND bp.connection_id = l.connection_id
        JOIN bank_batch b ON b.tenant_id = @tenant AND b.id = bp.batch_id
        WHERE NOT EXISTS (
          SELECT 1 FROM bank_match m WHERE m.tenant_id = @tenant AND m.attempt_id = bp.attempt_id
            AND m.kind = CASE WHEN l.direction = 'debit' THEN 'debit' ELSE 'return' END
        ))
        UNION ALL
        (SELECT b.id, NULL, b.id, b.control_sum_minor, b.currency, b.execution_date, NULL
        FROM (
          SELECT o.id, o.control_sum_minor, o.currency, o.execution_date, o.payment_count FROM bank_batch o
          WHERE o.tenant_id = @tenant AND o.connection_id = l.connection_id ORDER BY o.id DESC LIMIT 500
        ) b
        WHERE b.control_sum_minor = l.amount_minor AND b.currency = l.currency AND b.payment_count > 1
          AND NOT EXISTS (
            SELECT 1 FROM bank_payment bp JOIN bank_match m ON m.tenant_id = @tenant AND m.attempt_id = bp.attempt_id
              AND m.kind = CASE WHEN l.direction = 'debit' THEN 'debit' ELSE 'return' END
            WHERE bp.tenant_id = @tenant AND bp.batch_id = b.id
          ))
      ) every
      ORDER BY "executionDate" <= coalesce(l.booked_on, '9999') DESC, "executionDate" DESC, "subjectId"
      LIMIT @take::integer
    ) found
    ORDER BY g.asked`,
);

/** What each movement may show, likeliest first; nothing for one that is matched or explained. */
export async function readCandidates(
  { scope, services }: Call,
  lines: readonly string[],
): Promise<LineCandidate[][]> {
  const values = statement.of({
    tenant: scope.tenantId,
    lines,
    prefix: bankProviderName(''),
    take: offered,
  });
  type Row = LineCandidate & { readonly asked: number };
  return inAskedOrder(await rows<Row>(services.pool, statement, values), lines);
}
