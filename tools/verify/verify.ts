import pg from 'pg';
import { currencyCodes, currencyExponent } from '../../src/reference/currencies.ts';
import type { Check } from './check.ts';
import { moneyChecks } from './money-checks.ts';
import { receiverChecks } from './receiver-checks.ts';
import { atRestChecks } from './rest-checks.ts';
import type { LedgerEntry, Received } from './sources.ts';
import { stateChecks } from './state-checks.ts';

export interface Evidence {
  readonly databaseUrl: string;
  readonly ledger: () => Promise<LedgerEntry[]>;
  /** What a receiver logged, or null without one. */
  readonly received: readonly Received[] | null;
  /** Nothing is under way: what has not ended is a violation too. */
  readonly atRest: boolean;
}

export interface Finding {
  readonly check: Check;
  readonly violations: readonly { readonly id: string; readonly detail: string }[];
}

const tables = `
  CREATE TEMPORARY TABLE ledger (
    position integer, before boolean, payout_id text, idempotency_key text, reference text, tenant_id text,
    attempt_id text, recipient_id text, amount_minor bigint, currency text, status text, accepted_at timestamptz
  );
  CREATE TEMPORARY TABLE received (id text, type text, occurred_at timestamptz, sequence bigint, payout_id text);
  CREATE TEMPORARY TABLE currency (code text, exponent integer);
  CREATE TEMPORARY VIEW attempts AS
    SELECT a.*, p.state, p.amount_minor AS payout_amount_minor, p.currency AS payout_currency,
      p.bank_account_id AS payout_bank_account_id, p.bank_account_version AS payout_bank_account_version
    FROM disbursement_attempt a JOIN payout p ON p.tenant_id = a.tenant_id AND p.id = a.payout_id;
`;

/**
 * Compares the database, the provider's ledger and a receiver's log with the invariants, and answers
 * for each. It changes nothing and may run beside a working service: the ledger is read before and
 * after the database's snapshot, so that what is happening meanwhile is no violation.
 */
export async function verify(evidence: Evidence): Promise<Finding[]> {
  const client = new pg.Client({ connectionString: evidence.databaseUrl });
  await client.connect();
  try {
    await client.query(tables);
    const before = await evidence.ledger();
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query('SELECT FROM payout LIMIT 1'); // the snapshot is taken by the first statement
    const after = await evidence.ledger();
    await load(client, before, after, evidence.received ?? []);
    const findings: Finding[] = [];
    for (const check of checksFor(evidence)) {
      const { rows } = await client.query<Finding['violations'][number]>(check.sql);
      findings.push({ check, violations: rows });
    }
    return findings;
  } finally {
    await client.end();
  }
}

function checksFor({ received, atRest }: Evidence): Check[] {
  return [
    ...moneyChecks,
    ...stateChecks,
    ...(received === null ? [] : receiverChecks),
    ...(atRest ? atRestChecks : []),
  ];
}

async function load(
  client: pg.Client,
  before: readonly LedgerEntry[],
  after: readonly LedgerEntry[],
  received: readonly Received[],
): Promise<void> {
  const known = new Set(before.map((entry) => entry.payout_id));
  const entries = after.map((entry) => {
    const [tenantId, attemptId] = entry.reference.split('.');
    return {
      ...entry,
      before: known.has(entry.payout_id),
      tenant_id: tenantId ?? null,
      attempt_id: attemptId ?? null,
    };
  });
  const currencies = currencyCodes.map((code) => ({ code, exponent: currencyExponent(code) }));
  const filled = entries.map((entry, position) => ({ ...entry, position }));
  await fill(client, 'ledger', filled);
  await fill(client, 'received', received);
  await fill(client, 'currency', currencies);
}

async function fill(
  client: pg.Client,
  table: 'ledger' | 'received' | 'currency',
  entries: readonly object[],
): Promise<void> {
  await client.query(
    `INSERT INTO ${table} SELECT * FROM json_populate_recordset(null::${table}, $1::json)`,
    [JSON.stringify(entries)],
  );
}

/** The findings as text, a line for each promise, with at most ten ids of what breaks it. */
export function report(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ check, violations }) => [
    `${violations.length === 0 ? 'ok      ' : 'VIOLATED'}  ${check.invariant}  ${check.promise}`,
    ...violations.slice(0, 10).map(({ id, detail }) => `            ${id}  ${detail}`),
    ...(violations.length > 10 ? [`            and ${violations.length - 10} more`] : []),
  ]);
  return lines.join('\n');
}
