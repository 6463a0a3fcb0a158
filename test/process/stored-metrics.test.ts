import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createMetrics } from '../../src/process/metrics.ts';
import { storedMetrics } from '../../src/process/metrics/declared.ts';
import { storedReading } from '../../src/process/metrics/stored-reading.ts';
import { createStored } from '../../src/process/metrics/stored.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const circuits = () => ({});
const keys = () => ({ ids: ['k1'], unread: false, wrong: false });
const pool = { totalCount: 3, idleCount: 1, waitingCount: 0 };

/** The lines of the stored metrics, without comments. */
async function scrape(url: string): Promise<string[]> {
  const metrics = createMetrics('api');
  metrics.watch({
    pool,
    databaseProblem: () => null,
    databaseFull: () => false,
    clockAhead: () => null,
    silentNodes: () => [],
    circuits,
    keys,
    stored: createStored(url, 'test'),
  });
  try {
    const { text } = await metrics.expose();
    return text
      .split('\n')
      .filter((line) => Object.keys(storedMetrics).includes(line.split('{')[0] ?? ''))
      .map((line) => line.replace(/,?process="api"/, '').replace('{}', ''));
  } finally {
    await metrics.close();
  }
}

describe('what is read from the database', () => {
  beforeEach(() => database.reset());

  it('is there for an empty database too, so that an alert can tell nothing from no answer', async () => {
    expect(await scrape(database.url)).toEqual(
      expect.arrayContaining([
        'payouts_stored_read 1',
        'payouts_workers_alive 0',
        'payouts_contradictions 0',
        'payouts_ledger_imbalances 0',
        'payouts_endpoints_failing 0',
        'payouts_open{state="pending_approval"} 0',
        'payouts_dead_letters{kind="delivery"} 0',
      ]),
    );
  });

  it('counts jobs by task and state', async () => {
    await database.pool.query(`
      SELECT graphile_worker.add_job('disburse_payout', '{}', run_at => now() - interval '10 minutes');
      SELECT graphile_worker.add_job('deliver_webhook', '{}', run_at => now() + interval '1 hour');
      SELECT graphile_worker.add_job('deliver_webhook', '{}');
      UPDATE graphile_worker._private_jobs SET attempts = max_attempts WHERE run_at = (
        SELECT max(run_at) FROM graphile_worker._private_jobs WHERE run_at <= now())`);
    const lines = await scrape(database.url);
    expect(lines).toContain('payouts_jobs{task="disburse_payout",state="ready"} 1');
    expect(lines).toContain('payouts_jobs{task="deliver_webhook",state="scheduled"} 1');
    expect(lines).toContain('payouts_jobs{task="deliver_webhook",state="dead"} 1');
    const age = lines.find((line) => line.startsWith('payouts_job_oldest_seconds{task="disburse'));
    expect(Number(age?.split(' ')[1])).toBeGreaterThanOrEqual(600);
  });

  it('counts whose mails were given up, however many of one tenant', async () => {
    await database.pool.query(`
      BEGIN; SET LOCAL session_replication_role = replica;
      INSERT INTO collection_request (tenant_id, id, beneficiary_id, scope, expires_at, created_by, mail_status, status, closed_at)
      SELECT m.tenant, uuidv7(), 'ben_' || m.tenant || m.n, 'full_onboarding', now() + interval '7 days', '{}', m.mail,
        m.status, CASE m.status WHEN 'live' THEN NULL ELSE now() END
      FROM (VALUES ('ten_a', 1, 'dead', 'live'), ('ten_a', 2, 'dead', 'live'), ('ten_b', 1, 'sent', 'live'),
        ('ten_b', 2, 'pending', 'live'), ('ten_c', 1, 'dead', 'live'), ('ten_d', 1, 'dead', 'expired'))
        AS m (tenant, n, mail, status);
      COMMIT`);
    const lines = await scrape(database.url);
    expect(lines).toContain('payouts_mail_tenants{mail="any"} 3');
    expect(lines).toContain('payouts_mail_tenants{mail="dead"} 2');
    expect(lines).toContain('payouts_dead_letters{kind="mail"} 4');
  });

  it('is read once for scrapes that come at once, and again for later ones', async () => {
    const stored = createStored(database.url, 'test');
    const [first, second] = await Promise.all([stored.read(), stored.read()]);
    expect(second).toBe(first);
    await stored.close();
  });

  it('is absent while the database is away, with a metric that says so', async () => {
    const away = new URL(database.url);
    away.port = '1';
    expect(await scrape(away.href)).toEqual(['payouts_stored_read 0']);
  });

  it('is absent while the database does not answer', async () => {
    const holder = new pg.Client({ connectionString: database.ownerUrl });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE paused_task');
    expect(await scrape(database.url)).toEqual(['payouts_stored_read 0']);
    await holder.end();
  });
});

describe('the statement', () => {
  it('gives only metrics that are declared, with their labels', async () => {
    const { rows } = await database.pool.query<{ metric: string; labels: string[] }>(
      storedReading.text,
    );
    const declared: Record<string, { readonly labels: readonly string[] }> = storedMetrics;
    for (const { metric, labels } of rows) {
      expect(declared[metric]?.labels.length, metric).toBe(labels.length);
    }
    const given = new Set(
      [...storedReading.text.matchAll(/SELECT '(\w+)' AS metric/g)].map(([, name = '']) => name),
    );
    expect([...given, 'payouts_stored_read'].toSorted()).toEqual(
      Object.keys(storedMetrics).toSorted(),
    );
  });
});
