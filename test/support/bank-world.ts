import { mkdtempSync } from 'node:fs';
import { mkdir, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach } from 'vitest';
import { closeBankBatches } from '../../src/domain/bank-batch/close.ts';
import { sendBankBatch } from '../../src/domain/bank-batch/send.ts';
import { disbursePayout } from '../../src/domain/disbursement/disburse.ts';
import type { Call } from '../../src/process/services.ts';
import { newId } from '../../src/values/ids.ts';
import { americanBank, insertBankIn } from './banking.ts';
import { makePayee, payoutBody, type TestPayee } from './factory.ts';
import { newApproved } from './fake-provider.ts';
import { usePayoutWorld } from './payout-world.ts';

export interface ConnectionFacts {
  readonly schemes?: readonly string[];
  readonly country?: 'US' | 'DE' | 'GB';
  readonly maxPayments?: number;
  readonly transport?: 'folder' | 'manual';
  readonly balanced?: boolean;
  /** Accounts with the same number in other currencies. */
  readonly furtherCurrencies?: readonly string[] | undefined;
  readonly expectedFormats?: readonly string[];
}

/** What differs from an account in Germany. */
const accounts = {
  US: {
    account: {
      country: 'US',
      currency: 'USD',
      number: '000123456789',
      abaNumber: '021000021',
      type: 'checking',
    },
    schemes: ['ach'],
    calendar: 'federal_reserve',
    timeZone: 'America/New_York',
  },
  DE: {
    account: {
      country: 'DE',
      currency: 'EUR',
      iban: 'DE89370400440532013000',
      bic: 'COBADEFFXXX',
    },
    schemes: ['sepa_credit_transfer'],
    calendar: 'target',
    timeZone: 'Europe/Berlin',
  },
  GB: {
    account: { country: 'GB', currency: 'GBP', number: '87654321', sortCode: '200000' },
    schemes: ['uk_domestic'],
    calendar: 'england_and_wales',
    timeZone: 'Europe/London',
  },
} as const;

type Sql = (text: string, values: unknown[]) => Promise<unknown>;

/** A connection to a bank. Cut-off at 16:00 of its zone, executed a bank day later. */
export function connectAccount(call: Call, given: ConnectionFacts = {}): Promise<string> {
  const { country = 'US', balanced = false, maxPayments, transport = 'folder' } = given;
  const usual = accounts[country];
  const schemes = given.schemes ?? usual.schemes;
  return insertBankIn(call, {
    ...usual,
    schemes,
    ach: schemes.includes('ach') ? { ...americanBank.ach, balanced } : null,
    // A folder of its own each time: two connections never share one.
    transport:
      transport === 'manual' ? { kind: 'manual' } : { kind: 'folder', folder: newId('request') },
    cutOffTime: '16:00',
    ...(maxPayments !== undefined && { maxPayments }),
    furtherAccounts: (given.furtherCurrencies ?? []).map((currency) => ({
      ...usual.account,
      currency,
    })),
    expectedFormats: given.expectedFormats ?? [],
  });
}

/** Replaces the tenant's routes by ones that lead to these providers, in their order. */
async function replaceRoutes(sql: Sql, call: Call, providers: readonly string[]): Promise<void> {
  const { tenantId } = call.scope;
  await sql('DELETE FROM payout_route WHERE tenant_id = $1', [tenantId]);
  await sql(
    `INSERT INTO payout_routing (tenant_id, version, routes) VALUES ($1, 1, $2)
     ON CONFLICT (tenant_id) DO UPDATE SET version = payout_routing.version + 1, routes = excluded.routes`,
    [tenantId, providers.length],
  );
  await sql(
    `INSERT INTO payout_route (tenant_id, position, provider, connection_id)
     SELECT $1, p.n, p.name, CASE WHEN p.name LIKE 'bank:%' THEN substr(p.name, 6) END
     FROM unnest($2::text[]) WITH ORDINALITY AS p (name, n)`,
    [tenantId, providers],
  );
}

/**
 * Payouts that leave in files, without a worker: each step is a call of the test. A connection of its own for
 * each test, whose folder is in a directory of the test. To be called at the top of a file.
 */
export function useBankWorld(env: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'bank-'));
  const world = usePayoutWorld({ env: { SANDBOX_BANK_FOLDER: folder, ...env }, fresh: true });
  const parts = { connection: '' };

  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function connect(given: ConnectionFacts = {}): Promise<string> {
    const id = await connectAccount(world.call, given);
    await mkdir(join(folder, id, 'out'), { recursive: true });
    await mkdir(join(folder, id, 'in'), { recursive: true });
    return id;
  }

  const routeTo = (...connections: readonly string[]): Promise<void> =>
    replaceRoutes(
      world.sql,
      world.call,
      connections.map((id) => (id.startsWith('bcn_') ? `bank:${id}` : id)),
    );

  beforeEach(async () => {
    parts.connection = await connect();
    await routeTo(parts.connection);
  });

  return Object.assign(world, {
    bank: parts,
    connect,
    routeTo,
    out: (connection = parts.connection): string => join(folder, connection, 'out'),

    /** An approved payout that waits for a file. */
    async waiting(payee: TestPayee = world.payee, more: Record<string, unknown> = {}) {
      const body = payoutBody(payee, { validator_strategy: 'auto', ...more });
      const id = await newApproved(world.harness, world.tenant.key, body);
      await disbursePayout(world.call, id);
      return id;
    },

    anotherPayee: (): Promise<TestPayee> => makePayee(world.harness, world.tenant.key),

    close: (more: { onRequest?: boolean; now?: Date } = { onRequest: true }): Promise<void> =>
      closeBankBatches(world.call, parts.connection, more),

    send: (batchId: string): Promise<void> => sendBankBatch(world.call, batchId),

    batches: (): Promise<BatchRow[]> =>
      world.sql<BatchRow>(
        `SELECT b.*, ARRAY(SELECT m.payout_id FROM bank_payment m WHERE m.tenant_id = b.tenant_id AND m.batch_id = b.id ORDER BY m.position) AS payouts
         FROM bank_batch b ORDER BY b.id`,
      ),

    queue: async (): Promise<string[]> => {
      const text = 'SELECT payout_id AS id FROM bank_waiting ORDER BY since, payout_id';
      return (await world.sql<{ id: string }>(text)).map(({ id }) => id);
    },

    /** The files that the bank finds, by their names. */
    async sentFiles(connection = parts.connection): Promise<Record<string, string>> {
      const path = join(folder, connection, 'out');
      const names = await readdir(path);
      const texts = await Promise.all(names.map((name) => readFile(join(path, name), 'latin1')));
      return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']));
    },

    /** Removes all jobs, so that a test sees those that come after. */
    async forgetJobs(): Promise<void> {
      await world.sql('DELETE FROM job_outbox');
      await world.sql('DELETE FROM graphile_worker._private_jobs');
    },

    /** The jobs of a task that wait, by their payloads. */
    jobs: (task: string) =>
      world.sql(
        `SELECT j.payload FROM graphile_worker._private_jobs j
         JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE t.identifier = $1 ORDER BY j.id`,
        [task],
      ),
  });
}

export interface BatchRow {
  readonly id: string;
  readonly status: string;
  readonly scheme: string;
  readonly message_id: string;
  readonly file_name: string;
  readonly sha256: string;
  readonly payment_count: number;
  readonly control_sum_minor: string;
  readonly execution_date: string;
  readonly closed_by: string;
  readonly stagings: number;
  readonly problem: string | null;
  readonly needs_operator: boolean;
  readonly taken_at: Date | null;
  /** In the order of the file. */
  readonly payouts: readonly string[];
}
