import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/process/config.ts';
import { readSimulatorConfig } from '../../simulator/config.ts';
import { fetchLedger, type LedgerEntry, type Received } from '../../tools/verify/sources.ts';
import { type Finding, report, verify } from '../../tools/verify/verify.ts';
import { bookPayouts, postEntries } from '../support/given-entries.ts';
import { eventually, makePayee, makeTenant, payoutBody } from '../support/factory.ts';
import { startHarness, type Harness } from '../support/harness.ts';

let harness: Harness;
let payoutId: string;
let businessId: string;
let tenantId: string;
const { apiKey } = readSimulatorConfig({});

beforeAll(async () => {
  harness = await startHarness();
  const tenant = await makeTenant(harness);
  const { key } = tenant;
  ({ businessId, tenantId } = tenant);
  const payee = await makePayee(harness, key);
  const made = await harness.rest('POST', '/v1/payouts', {
    key,
    body: payoutBody(payee, { validator_strategy: 'auto' }),
  });
  payoutId = made.body.payout.id;
  await eventually(async () => {
    const { body } = await harness.rest('GET', `/v1/payouts/${payoutId}`, { key });
    return body.payout.state === 'settled';
  });
  await bookPayouts(harness.database.pool, tenant.tenantId);
  await eventually(async () => (await violated({ atRest: true })).length === 0);
});

afterAll(() => harness?.close());

interface Lies {
  readonly ledger?: (entries: LedgerEntry[]) => LedgerEntry[];
  readonly received?: readonly Received[];
  readonly atRest?: boolean;
  readonly businessId?: string;
}

/** The findings with violations, when the provider or the receiver tells something else. */
async function violated({ ledger, received, atRest = false, ...about }: Lies): Promise<Finding[]> {
  const findings = await verify({
    databaseUrl: harness.database.ownerUrl,
    ledger: async () => {
      const entries = await fetchLedger(harness.simulatorUrl, apiKey);
      return ledger === undefined ? entries : ledger(entries);
    },
    received: received === undefined ? null : () => Promise.resolve(received),
    atRest,
    ...about,
  });
  return findings.filter(({ violations }) => violations.length > 0);
}

/** Takes the books of a tenant away, so that they break no promise in the tests that follow. */
const forget = (id: string) =>
  harness.database.pool.query(
    `BEGIN; SET LOCAL session_replication_role = replica; DELETE FROM ledger_entry WHERE tenant_id = '${id}';
     DELETE FROM ledger_balance WHERE tenant_id = '${id}'; COMMIT`,
  );

const named = (findings: readonly Finding[]): string[] =>
  findings.map(({ check, violations }) => `${check.invariant} ${violations[0]?.id ?? ''}`);

/** Runs `statement`, looks, and puts everything back. */
async function spoilt(statement: string, lies: Lies = {}): Promise<string[]> {
  const { pool } = harness.database;
  const { rows } = await pool.query<{ columns: string }>(
    `SELECT string_agg(quote_ident(attname), ', ') AS columns FROM pg_attribute
     WHERE attrelid = 'payout'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
  );
  const columns = rows[0]?.columns ?? '';
  await pool.query(`CREATE TABLE kept_payout AS SELECT ${columns} FROM payout`);
  await pool.query('CREATE TABLE kept_attempt AS SELECT * FROM disbursement_attempt');
  await pool.query('CREATE TABLE kept_event AS SELECT * FROM event');
  const inReplica = (sql: string) =>
    pool.query(`BEGIN; SET LOCAL session_replication_role = replica; ${sql}; COMMIT`);
  try {
    await inReplica(statement);
    return named(await violated(lies));
  } finally {
    await inReplica(`
      DELETE FROM payout; INSERT INTO payout (${columns}) SELECT ${columns} FROM kept_payout; DROP TABLE kept_payout;
      DELETE FROM disbursement_attempt; INSERT INTO disbursement_attempt SELECT * FROM kept_attempt;
      DROP TABLE kept_attempt;
      DELETE FROM event; INSERT INTO event SELECT * FROM kept_event; DROP TABLE kept_event`);
  }
}

test('a payout that was paid twice is found', async () => {
  const twice = await violated({
    ledger: (entries) => entries.flatMap((entry) => [entry, { ...entry, payout_id: 'po_second' }]),
  });
  expect(named(twice)).toEqual([`M1 ${payoutId}`]);
  expect(report(twice)).toContain('po_second');
});

test('another amount, another recipient and a stranger’s payment are found', async () => {
  const changed = (change: Partial<LedgerEntry>) =>
    violated({ ledger: (entries) => entries.map((entry) => ({ ...entry, ...change })) });
  expect(named(await changed({ amount_minor: 1 }))).toEqual([`M1 ${payoutId}`, `B3 ${payoutId}`]);
  expect(named(await changed({ recipient_id: 'rcp_other' }))).toEqual([`M1 ${payoutId}`]);
  expect((await changed({ reference: 'elsewhere' })).map(({ check }) => check.invariant)).toEqual([
    'M1',
    'M3',
    'B3',
  ]);
});

test('a failed payout whose money is under way is found', async () => {
  const failed = await spoilt(`UPDATE payout SET state = 'failed'`);
  expect(failed).toContain(`M4 ${payoutId}`);
  expect(failed).toContain(`S1 ${payoutId}`);
});

test('an accepted attempt that counts as refused is found', async () => {
  expect(await spoilt(`UPDATE disbursement_attempt SET status = 'rejected'`)).toContain(
    `M3 ${payoutId}`,
  );
});

test('books that differ from their entries, the open holds or a payout are found', async () => {
  const { pool } = harness.database;
  const after = async (column: string): Promise<string[]> => {
    const change = (by: number) =>
      pool.query(
        `UPDATE ledger_balance SET ${column} = ${column} + $2 WHERE tenant_id = $1 AND slot = 0`,
        [tenantId, by],
      );
    await change(5);
    try {
      return named(await violated({}));
    } finally {
      await change(-5);
    }
  };
  expect(await after('held_minor')).toEqual([`B1 ${tenantId}`, `B2 ${tenantId}`]);
  expect(await after('paid_minor')).toEqual([`B1 ${tenantId}`, `B1 ${tenantId}`]);
  expect(await spoilt(`UPDATE payout SET state = 'disbursed'`)).toContain(`B3 ${payoutId}`);
  const other = await makeTenant(harness);
  await postEntries(pool, other.tenantId, [
    { kind: 'hold', debit: 'in_transit', credit: 'external', amount: 5, payoutId: 'pay_x', seq: 1 },
  ]);
  expect(await violated({ businessId })).toEqual([]);
  expect(named(await violated({ businessId: other.businessId }))).toEqual([
    `B2 ${other.tenantId}`,
    'B3 pay_x',
  ]);
  await forget(other.tenantId);
});

test('a missing event is found', async () => {
  expect(await spoilt(`DELETE FROM event WHERE type = 'payout.settled'`)).toEqual([
    `S1 ${payoutId}`,
  ]);
});

test('a payout that lags behind the provider counts only at rest', async () => {
  const ledger = (entries: LedgerEntry[]) =>
    entries.map((entry) => ({ ...entry, status: 'returned' }));
  expect(await violated({ ledger })).toEqual([]);
  expect(named(await violated({ ledger, atRest: true }))).toEqual([`L1 ${payoutId}`]);
});

const webhook = (id: string, data: Record<string, unknown> = {}): Received => ({
  id,
  type: 'payout.settled',
  occurred_at: '2026-11-21T00:00:00Z',
  sequence: 1,
  payout_id: payoutId,
  data,
});

test('a webhook of an event that was never committed is found', async () => {
  expect(named(await violated({ received: [webhook('evt_none')] }))).toEqual(['S3 evt_none']);
});

test('a webhook that says something else than its event is found', async () => {
  const { rows } = await harness.database.pool.query<{ body: Received }>(
    `SELECT json_build_object('id', id, 'type', type, 'occurred_at', occurred_at,
       'sequence', sequence, 'payout_id', payout_id, 'data', data) AS body
     FROM event WHERE payout_id = $1 ORDER BY sequence LIMIT 1`,
    [payoutId],
  );
  const told = rows[0]?.body;
  if (told === undefined) throw new Error('the payout has no event');
  expect(await violated({ received: [told] })).toEqual([]);
  const received = [{ ...told, data: { ...told.data, amount: '9.99' } }];
  expect(named(await violated({ received }))).toEqual([`S3 ${told.id}`]);
});

test('a provider whose book nobody reads is named, and breaks no promise', async () => {
  const nothing = { ledger: () => [] };
  expect(named(await violated(nothing))).toEqual([`M3 ${payoutId}`, `B3 ${payoutId}`]);
  const paidBy = (provider: string) =>
    spoilt(`UPDATE disbursement_attempt SET provider = '${provider}'`, nothing);
  expect(await paidBy('gateway')).toEqual([]);
  // The book of the sandbox bank is read.
  expect(await paidBy('bank:bcn_1')).toEqual([`B3 ${payoutId}`, `F3 ${payoutId}`]);
  const { pool } = harness.database;
  const provider = (name: string) =>
    pool.query('UPDATE disbursement_attempt SET provider = $1', [name]);
  await provider('gateway');
  try {
    const findings = await verify({
      databaseUrl: harness.database.ownerUrl,
      ledger: () => Promise.resolve([]),
      received: null,
      atRest: false,
    });
    expect(findings.flatMap(({ notCompared }) => notCompared)).toEqual([
      { id: 'gateway', detail: 'sandbox: 1 payouts' },
    ]);
    expect(report(findings)).toContain('skipped   B3  Only the books of the simulator');
  } finally {
    await provider('simulator');
  }
  expect(report(await violated({}))).not.toContain('skipped');
});

test('one business is looked at alone, and an unknown one not at all', async () => {
  const ledger = (entries: LedgerEntry[]) =>
    entries.map((entry) => ({ ...entry, amount_minor: entry.amount_minor + 1 }));
  const other = await makeTenant(harness);
  expect(await violated({ ledger, businessId: other.businessId })).toEqual([]);
  expect(named(await violated({ ledger, businessId }))).not.toEqual([]);
  await expect(violated({ businessId: 'biz_none' })).rejects.toThrow('does not know the business');
});

test('a crash point is refused in production, and an unknown one everywhere', () => {
  expect(() => loadConfig({ NODE_ENV: 'production', CRASH_POINT: 'webhook_sent' })).toThrow(
    'CRASH_POINT: refused in production',
  );
  expect(() => loadConfig({ CRASH_POINT: 'nowhere' })).toThrow('CRASH_POINT: no such point');
  expect(loadConfig({ CRASH_POINT: 'webhook_sent:3' }).CRASH_POINT).toEqual({
    point: 'webhook_sent',
    passage: 3,
  });
});
