import pg from 'pg';
import { withoutLimits } from '../../src/db/limits.ts';
import { requireOwnSession } from '../../src/db/own-session.ts';
import { currencyCodes, currencyExponent } from '../../src/reference/currencies.ts';
import { approvalChecks } from './approval-checks.ts';
import { bankAtRestChecks, bankChecks } from './bank-checks.ts';
import { bookChecks } from './book-checks.ts';
import type { Check } from './check.ts';
import { contradictionChecks } from './contradiction-checks.ts';
import { moneyChecks } from './money-checks.ts';
import { receiverChecks } from './receiver-checks.ts';
import { atRestChecks } from './rest-checks.ts';
import { signatureFault, type KeptSignature } from './signatures.ts';
import { simulatorName, type BankBook, type LedgerEntry, type Received } from './sources.ts';
import { screeningChecks } from './screening-checks.ts';
import { stateChecks } from './state-checks.ts';

export interface Evidence {
  readonly databaseUrl: string;
  readonly ledger: () => Promise<LedgerEntry[]>;
  /** Reads the sandbox bank's own book. Absent without one: then no payment may have gone through it. */
  readonly bank?: () => Promise<BankBook>;
  /** Reads what a receiver has logged so far. Null without a receiver. */
  readonly received: (() => Promise<readonly Received[]>) | null;
  /** Only this business is checked; all of them when absent. */
  readonly businessId?: string;
  /** Nothing is under way, so what has not ended is a violation too. */
  readonly atRest: boolean;
}

interface FoundViolation {
  readonly id: string;
  readonly detail: string;
}

export interface Finding {
  readonly check: Check;
  readonly violations: readonly FoundViolation[];
  /** What cannot be compared, by the name of its provider. */
  readonly notCompared: readonly FoundViolation[];
}

/** The tenants that are looked at, for what is no table of a tenant. */
const everyTenant = 'CREATE TEMPORARY VIEW own_tenant AS SELECT id FROM tenant';

const tables = `
  CREATE TEMPORARY TABLE ledger (
    position integer, before boolean, payout_id text, idempotency_key text, reference text, tenant_id text,
    attempt_id text, recipient_id text, amount_minor bigint, currency text, status text, accepted_at timestamptz
  );
  CREATE TEMPORARY TABLE received (
    before boolean, id text, type text, occurred_at timestamptz, sequence bigint, payout_id text, data jsonb
  );
  CREATE TEMPORARY TABLE bank_order (
    before boolean, id text, customer text, file_sha256 text, message_id text, instruction_id text,
    trace_number text, amount text, currency text, account_currency text, status text
  );
  CREATE TEMPORARY TABLE bank_entry (
    before boolean, id text, customer text, order_id text, what text, amount text, currency text
  );
  CREATE TEMPORARY TABLE currency (code text, exponent integer, minor_units numeric);
  CREATE TEMPORARY VIEW attempts AS
    SELECT a.*, p.state, p.amount_minor AS payout_amount_minor, p.currency AS payout_currency,
      p.bank_account_id AS payout_bank_account_id, p.bank_account_version AS payout_bank_account_version
    FROM disbursement_attempt a JOIN payout p ON p.tenant_id = a.tenant_id AND p.id = a.payout_id;
  CREATE TEMPORARY VIEW bank_attempt AS
    SELECT a.* FROM attempts a JOIN tenant t ON t.id = a.tenant_id
    WHERE a.provider LIKE 'bank:%' AND t.environment = 'sandbox';
  CREATE TEMPORARY VIEW bank_sent AS
    SELECT o.id AS order_id, p.tenant_id, p.attempt_id, p.payout_id, p.batch_id
    FROM bank_order o JOIN bank_payment p ON p.connection_id = o.customer AND CASE
      WHEN o.trace_number IS NULL THEN p.instruction_id = o.instruction_id
      ELSE p.trace_number = o.trace_number END;
  -- An order in another currency than its account is paid by what it ordered: what that costs is the bank's matter.
  CREATE TEMPORARY VIEW bank_paid AS
    SELECT e.*, x.paid::numeric * c.minor_units AS paid_minor, x.paid_currency
    FROM bank_entry e LEFT JOIN bank_order o ON o.id = e.order_id
    CROSS JOIN LATERAL (
      SELECT CASE WHEN exchanged.is THEN o.amount ELSE e.amount END AS paid,
        CASE WHEN exchanged.is THEN o.currency ELSE e.currency END AS paid_currency
      FROM (SELECT o.currency <> o.account_currency AND e.currency = o.account_currency AS is) exchanged
    ) x
    LEFT JOIN currency c ON c.code = x.paid_currency
    WHERE e.what = 'payment';
  CREATE TEMPORARY VIEW uncompared AS
    SELECT a.*, t.environment FROM attempts a JOIN tenant t ON t.id = a.tenant_id
    WHERE CASE WHEN a.provider LIKE 'bank:%' THEN t.environment <> 'sandbox' ELSE a.provider <> '${simulatorName}' END;
`;

/**
 * Checks the promises against the database, the provider's ledger, the sandbox bank's book and a receiver's log, and returns a
 * finding for each. It changes nothing and may run beside a working service: the ledger and the log are
 * read before and after the database's snapshot, so that concurrent work is no violation. Throws when the database does not know the business.
 */
export async function verify(evidence: Evidence): Promise<Finding[]> {
  const client = new pg.Client({ connectionString: evidence.databaseUrl });
  await client.connect();
  try {
    await requireOwnSession(client, evidence.databaseUrl);
    // A login that sees one tenant at a time would find nothing wrong. So it is refused, before anybody else is asked.
    await client.query(`${withoutLimits}; SET row_security = off; SELECT FROM payout LIMIT 0`);
    const checks = checksFor(evidence);
    const { copied, ownViews } = await nodesOf(client, checks);
    for (const table of copied) {
      await client.query(`CREATE TEMPORARY TABLE ${table} (LIKE public.${table})`);
    }
    for (const view of ownViews) await client.query(view);
    const ids = await ownTenants(client, evidence.businessId);
    if (ids !== null) await narrow(client, ids, copied);
    else await client.query(everyTenant);
    await client.query(tables);
    const before = await gather(evidence);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query('SELECT FROM payout LIMIT 1'); // the snapshot is taken by the first statement
    for (const table of copied) await copy(client, table, ids);
    await load(client, before, await gather(evidence), ids !== null);
    const findings: Finding[] = [];
    for (const check of checks) {
      const sql = ownViews.length > 0 ? check.sql.replaceAll('ops.', 'pg_temp.') : check.sql;
      const { rows } = await client.query<FoundViolation>(sql);
      const informs = check.informs === true;
      findings.push({
        check,
        violations: informs ? [] : rows,
        notCompared: informs ? rows : [],
      });
    }
    findings.push(await signatureFinding(client));
    return findings;
  } finally {
    await client.end();
  }
}

const signatures: Check = {
  invariant: 'P3',
  promise: 'Each signature verifies from what is kept of it alone.',
  sql: `
    SELECT s.*, ARRAY(
      SELECT i.text FROM step_up_item i WHERE i.tenant_id = s.tenant_id AND i.step_up_id = s.id
    ) AS items
    FROM step_up s WHERE s.answered_at IS NOT NULL AND s.id > $1 ORDER BY s.id LIMIT 1000`,
};

/** Verifies the signatures in the order of their ids, a thousand at a time. */
async function signatureFinding(client: pg.Client): Promise<Finding> {
  const violations: FoundViolation[] = [];
  let last: string | undefined = '';
  while (last !== undefined) {
    const found: pg.QueryResult<KeptSignature> = await client.query(signatures.sql, [last]);
    for (const kept of found.rows) {
      const detail = signatureFault(kept);
      if (detail !== null) violations.push({ id: kept.id, detail });
    }
    last = found.rows.at(-1)?.id;
  }
  return { check: signatures, violations, notCompared: [] };
}

function checksFor({ received, atRest }: Evidence): Check[] {
  return [
    ...moneyChecks,
    ...bookChecks,
    ...bankChecks,
    ...contradictionChecks,
    ...screeningChecks,
    ...stateChecks,
    ...approvalChecks,
    ...(received === null ? [] : receiverChecks),
    ...(atRest ? [...atRestChecks, ...bankAtRestChecks] : []),
  ];
}

/** Tables with a tenant that the checks read. */
const tenantTables = [
  'payout',
  'payout_transition',
  'payout_decision',
  'payout_requirement',
  'step_up',
  'step_up_item',
  'payout_idempotency',
  'disbursement_attempt',
  'provider_contradiction',
  'beneficiary',
  'screening_hit',
  'screening_decision',
  'enrollment',
  'event',
  'webhook_subscription',
  'webhook_delivery',
  'webhook_delivery_attempt',
  'provider_event',
  'ledger_entry',
  'bank_connection',
  'bank_waiting',
  'bank_batch',
  'bank_payment',
  'bank_line',
  'bank_match',
];

/** SQL: the ids of the business's tenants in a list; null where all tenants are looked at. */
async function ownTenants(
  client: pg.Client,
  businessId: string | undefined,
): Promise<string | null> {
  if (businessId === undefined) return null;
  const { rows } = await client.query<{ id: string }>(
    'SELECT id FROM tenant WHERE business_id = $1',
    [businessId],
  );
  if (rows.length === 0) throw new Error(`the database does not know the business ${businessId}`);
  return rows.map(({ id }) => pg.escapeLiteral(id)).join(', ');
}

/**
 * Hides the tables behind temporary views of one business: a session finds temporary names first. Those that are
 * copied hold its rows alone.
 */
async function narrow(client: pg.Client, ids: string, copied: readonly string[]): Promise<void> {
  await client.query(`CREATE TEMPORARY VIEW own_tenant AS SELECT unnest(ARRAY[${ids}]) AS id`);
  for (const table of tenantTables) {
    if (copied.includes(table)) continue;
    await client.query(
      `CREATE TEMPORARY VIEW ${table} AS SELECT * FROM public.${table} WHERE tenant_id IN (${ids})`,
    );
  }
}

/** Views of `ops` that the checks read. Each stands after those that it reads. */
const views = ['payout_effect', 'ledger_effect', 'balances', 'ledger_imbalances'];

interface OnNodes {
  /** The tables that the checks read and that Citus keeps on its nodes; none elsewhere. */
  readonly copied: readonly string[];
  /** SQL: makes the views of `ops` for this session, over what it copies. */
  readonly ownViews: readonly string[];
}

/**
 * Citus joins what is on its nodes neither with a table of the coordinator nor with a temporary one in every way that
 * the checks do, so they read copies.
 */
async function nodesOf(client: pg.Client, checks: readonly Check[]): Promise<OnNodes> {
  const catalog = await client.query<{ is: boolean }>(
    "SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL AS is",
  );
  if (catalog.rows[0]?.is !== true) return { copied: [], ownViews: [] };
  const distributed = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_dist_partition d JOIN pg_class c ON c.oid = d.logicalrelid
     WHERE d.partmethod = 'h'`,
  );
  // A view of tenants' rows is one of a function there, whose text is the definition (85-distributed-operators.sql).
  const defined = await client.query<{ name: string; sql: string }>(
    `SELECT v.name,
       coalesce(substring(p.prosrc FROM 'RETURN QUERY (.*) END$'), pg_get_viewdef(('ops.' || v.name)::regclass)) AS sql
     FROM unnest($1::text[]) WITH ORDINALITY AS v (name, place)
     LEFT JOIN pg_proc p ON p.pronamespace = 'ops'::regnamespace AND p.proname = 'rows_of_' || v.name
     ORDER BY v.place`,
    [views],
  );
  const ownViews = defined.rows.map(({ name, sql }) => {
    const ofSession = sql.replaceAll('ops.', 'pg_temp.').replaceAll('public.', '');
    return `CREATE TEMPORARY VIEW ${name} AS ${ofSession}`;
  });
  const read = [tables, ...ownViews, ...checks.map(({ sql }) => sql)].join(' ');
  const words = new Set(read.match(/\w+/g));
  return {
    copied: distributed.rows.map(({ name }) => name).filter((name) => words.has(name)),
    ownViews,
  };
}

async function copy(client: pg.Client, table: string, ids: string | null): Promise<void> {
  const narrowed = ids !== null && tenantTables.includes(table);
  await client.query(
    `INSERT INTO pg_temp.${table} SELECT * FROM public.${table}${narrowed ? ` WHERE tenant_id IN (${ids})` : ''}`,
  );
}

interface Gathered {
  readonly ledger: readonly LedgerEntry[];
  readonly received: readonly Received[];
  readonly bank: BankBook;
}

const noBank: BankBook = { orders: [], entries: [] };

async function gather({ ledger, received, bank }: Evidence): Promise<Gathered> {
  return {
    ledger: await ledger(),
    received: (await received?.()) ?? [],
    bank: (await bank?.()) ?? noBank,
  };
}

/** Marks what was known before the database's snapshot. */
function marked<Item extends { readonly id: string }>(
  before: readonly Item[],
  after: readonly Item[],
): (Item & { readonly before: boolean })[] {
  const known = new Set(before.map(({ id }) => id));
  return after.map((item) => ({ ...item, before: known.has(item.id) }));
}

async function load(
  client: pg.Client,
  before: Gathered,
  after: Gathered,
  narrowed: boolean,
): Promise<void> {
  const known = new Set(before.ledger.map((entry) => entry.payout_id));
  const entries = after.ledger.map((entry, position) => {
    const [tenantId, attemptId] = entry.reference.split('.');
    return {
      ...entry,
      position,
      before: known.has(entry.payout_id),
      tenant_id: tenantId ?? null,
      attempt_id: attemptId ?? null,
    };
  });
  const received = after.received.map((one, position) => ({
    ...one,
    before: position < before.received.length,
  }));
  const currencies = currencyCodes.map((code) => ({
    code,
    exponent: currencyExponent(code),
    // As a decimal: a power in the database may be one of floating point.
    minor_units: String(10n ** BigInt(currencyExponent(code) ?? 0)),
  }));
  await fill(client, 'ledger', entries);
  if (narrowed) {
    await client.query('DELETE FROM ledger WHERE tenant_id NOT IN (SELECT id FROM own_tenant)');
  }
  await fill(client, 'bank_order', marked(before.bank.orders, after.bank.orders));
  await fill(client, 'bank_entry', marked(before.bank.entries, after.bank.entries));
  if (narrowed) {
    const own = 'SELECT id FROM bank_connection';
    await client.query(`DELETE FROM bank_order WHERE customer NOT IN (${own})`);
    await client.query(`DELETE FROM bank_entry WHERE customer NOT IN (${own})`);
  }
  await fill(client, 'received', received);
  await fill(client, 'currency', currencies);
}

async function fill(
  client: pg.Client,
  table: 'ledger' | 'received' | 'currency' | 'bank_order' | 'bank_entry',
  entries: readonly object[],
): Promise<void> {
  await client.query(
    `INSERT INTO ${table} SELECT * FROM json_populate_recordset(null::${table}, $1::json)`,
    [JSON.stringify(entries)],
  );
}

function verdictOf({ check, violations }: Pick<Finding, 'check' | 'violations'>): string {
  if (check.informs === true) return 'skipped ';
  return violations.length === 0 ? 'ok      ' : 'VIOLATED';
}

/** The findings as text, a line for each promise, with at most ten ids of what breaks it. */
export function report(findings: readonly Finding[]): string {
  const lines = findings.flatMap(({ check, violations, notCompared }) => [
    ...(check.informs === true && notCompared.length === 0
      ? []
      : [`${verdictOf({ check, violations })}  ${check.invariant}  ${check.promise}`]),
    ...notCompared.map(({ id, detail }) => `            ${id}  ${detail}`),
    ...violations.slice(0, 10).map(({ id, detail }) => `            ${id}  ${detail}`),
    ...(violations.length > 10 ? [`            and ${violations.length - 10} more`] : []),
  ]);
  return lines.join('\n');
}
