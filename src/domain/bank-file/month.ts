import { z } from 'zod';
import { named } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { text } from '../../values/fields.ts';
import { parseInput } from '../../values/validate.ts';

/** What happened at one bank connection in one currency in a month. */
export interface BankMonth {
  readonly connectionId: string;
  /** The connection's name. */
  readonly connection: string;
  readonly currency: string;
  readonly paidCount: number;
  /** Each in minor units of `currency`. */
  readonly paidMinor: bigint;
  readonly returnedCount: number;
  readonly returnedMinor: bigint;
  readonly feesCount: number;
  readonly feesMinor: bigint;
  readonly fundingCount: number;
  readonly fundingMinor: bigint;
  readonly explainedCount: number;
  /** Credits less debits. */
  readonly explainedMinor: bigint;
  readonly openCount: number;
  /** Credits less debits. */
  readonly openMinor: bigint;
  readonly missingCount: number;
  readonly missingMinor: bigint;
}

const input = z.strictObject({
  month: z.string().regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, 'Must be a month, YYYY-MM.'),
  connectionId: text().nullish(),
});

const signed = `CASE WHEN l.direction = 'credit' THEN l.amount_minor ELSE -l.amount_minor END`;

/**
 * The movements that the bank booked in the month, by the index of their day; the payments in them by the matches of
 * each; and the payments that should have been executed in the month and that no statement shows. A connection of which
 * nothing is told stands there with its own currency, since that is what a month's end has to find.
 */
const statement = named(
  'bank_month',
  ['tenant', 'connection', 'month'],
  `
    WITH of_month AS (
      SELECT c.id AS connection_id, l.* FROM bank_connection c CROSS JOIN LATERAL (
        SELECT l.currency,
          coalesce(sum(m.paid), 0)::integer AS paid, coalesce(sum(m.paid_minor), 0) AS paid_minor,
          coalesce(sum(m.back), 0)::integer AS back, coalesce(sum(m.back_minor), 0) AS back_minor,
          count(*) FILTER (WHERE l.match = 'fee')::integer AS fees,
          coalesce(-sum(${signed}) FILTER (WHERE l.match = 'fee'), 0) AS fees_minor,
          count(*) FILTER (WHERE l.match = 'funding')::integer AS funding,
          coalesce(sum(${signed}) FILTER (WHERE l.match = 'funding'), 0) AS funding_minor,
          count(*) FILTER (WHERE l.match = 'explained')::integer AS explained,
          coalesce(sum(${signed}) FILTER (WHERE l.match = 'explained'), 0) AS explained_minor,
          count(*) FILTER (WHERE l.match IN ('open', 'unmatched'))::integer AS open,
          coalesce(sum(${signed}) FILTER (WHERE l.match IN ('open', 'unmatched')), 0) AS open_minor,
          0 AS missing, 0::numeric AS missing_minor
        FROM bank_line l CROSS JOIN LATERAL (
          SELECT count(*) FILTER (WHERE o.kind = 'debit') AS paid,
            sum(o.amount_minor) FILTER (WHERE o.kind = 'debit') AS paid_minor,
            count(*) FILTER (WHERE o.kind = 'return') AS back,
            sum(o.amount_minor) FILTER (WHERE o.kind = 'return') AS back_minor
          FROM bank_match o WHERE o.tenant_id = l.tenant_id AND o.line_id = l.id
        ) m
        WHERE l.tenant_id = c.tenant_id AND l.connection_id = c.id
          AND l.booked_on >= @month || '-01' AND l.booked_on <= @month || '-31'
        GROUP BY l.currency
      ) l
      WHERE c.tenant_id = @tenant AND (@connection::text IS NULL OR c.id = @connection)
      UNION ALL
      SELECT bp.connection_id, p.currency, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, count(*)::integer, sum(p.amount_minor)
      FROM payout p
      JOIN bank_payment bp ON bp.tenant_id = p.tenant_id AND bp.attempt_id = p.live_attempt_id
      JOIN bank_batch bb ON bb.tenant_id = bp.tenant_id AND bb.id = bp.batch_id
      WHERE p.tenant_id = @tenant AND p.state = 'approved' AND (@connection::text IS NULL OR bp.connection_id = @connection)
        AND bb.execution_date >= @month || '-01' AND bb.execution_date <= @month || '-31'
        AND ops.debit_is_late(bb.execution_date)
      GROUP BY bp.connection_id, p.currency
    )
    SELECT c.id AS "connectionId", c.name AS connection, coalesce(o.currency, c.account_currency) AS currency,
      coalesce(sum(o.paid), 0)::integer AS "paidCount", coalesce(sum(o.paid_minor), 0)::bigint AS "paidMinor",
      coalesce(sum(o.back), 0)::integer AS "returnedCount", coalesce(sum(o.back_minor), 0)::bigint AS "returnedMinor",
      coalesce(sum(o.fees), 0)::integer AS "feesCount", coalesce(sum(o.fees_minor), 0)::bigint AS "feesMinor",
      coalesce(sum(o.funding), 0)::integer AS "fundingCount", coalesce(sum(o.funding_minor), 0)::bigint AS "fundingMinor",
      coalesce(sum(o.explained), 0)::integer AS "explainedCount",
      coalesce(sum(o.explained_minor), 0)::bigint AS "explainedMinor",
      coalesce(sum(o.open), 0)::integer AS "openCount", coalesce(sum(o.open_minor), 0)::bigint AS "openMinor",
      coalesce(sum(o.missing), 0)::integer AS "missingCount",
      coalesce(sum(o.missing_minor), 0)::bigint AS "missingMinor"
    FROM bank_connection c LEFT JOIN of_month o ON o.connection_id = c.id
    WHERE c.tenant_id = @tenant AND c.transport <> 'api' AND (@connection::text IS NULL OR c.id = @connection)
      AND (c.status <> 'closed' OR o.connection_id IS NOT NULL)
    GROUP BY c.id, c.name, coalesce(o.currency, c.account_currency)
    ORDER BY c.id, 3`,
);

/**
 * What happened at the tenant's banks in a month, by connection and currency: what the bank paid, took back and kept, and
 * what is open. Days are the bank's. Throws validation_failed.
 */
export async function readBankMonth(
  { scope, services }: Call,
  given: z.input<typeof input>,
): Promise<BankMonth[]> {
  const { month, connectionId: connection = null } = parseInput(input, given);
  const values = statement.of({ tenant: scope.tenantId, connection, month });
  return rows<BankMonth & Record<string, unknown>>(services.pool, statement, values);
}
