import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { programs } from '../../dev/stack/services.ts';
import { makeScope } from '../../src/access/scope.ts';
import { loadConfig } from '../../src/process/config.ts';
import { registerSubscription } from '../../src/domain/webhook/subscription/register.ts';
import { closeServices, createServices } from '../../src/process/services.ts';
import { makeTenant } from '../support/factory.ts';
import { childEnvironment } from './config.ts';
import { startBenchPostgres } from './postgres.ts';

/** A worker and an HTTPS receiver as processes of their own, beside a PostgreSQL with its defaults. */
export interface WebhookStack {
  readonly pool: pg.Pool;
  /** Jobs that the worker runs at a time. */
  readonly concurrency: number;
  /** A tenant whose endpoint answers at once, or never; returns the tenant's id. */
  subscribe(path: '/fast' | '/hang'): Promise<string>;
  /** Plans that many deliveries for each tenant, in turn, with their jobs; all of them are due. */
  plan(tenantIds: readonly string[], each: number): Promise<void>;
  /** Waits until all that is planned for the tenants is delivered; deliveries a second since the last `plan` ended. */
  rate(tenantIds: readonly string[]): Promise<number>;
  /** Forgets what is planned for the tenants. */
  cancel(tenantIds: readonly string[]): Promise<void>;
  /** Runs a program of this folder and resolves with what it prints, as JSON. */
  program(name: string, env: Record<string, string>): Promise<Record<string, number>>;
  close(): Promise<void>;
}

/** Tenant by tenant in turn, as events of many businesses come. Only test events have no payout. */
const insertDeliveries = `
  WITH given AS (
    SELECT t.tenant_id, 'evt_' || replace(gen_random_uuid()::text, '-', '') AS event_id, n, t.place
    FROM unnest($1::text[]) WITH ORDINALITY AS t (tenant_id, place), generate_series(1, $2::integer) n
  ), sent AS (
    INSERT INTO event (tenant_id, id, type, data)
    SELECT g.tenant_id, g.event_id, 'webhook.test', jsonb_build_object(
      'payout_id', 'pay_01k9zq2v7mfk3a9d5w8x1c6b4e', 'external_ref', 'invoice-2026-118',
      'beneficiary_id', 'ben_01k9zpzt4ce6h8j0n2q5s7v9xa', 'amount', '1250.00', 'currency', 'EUR',
      'rail_ref', 'tr_8f2k1', 'status', 'disbursed')
    FROM given g
    RETURNING tenant_id, id, type
  )
  INSERT INTO webhook_delivery (tenant_id, id, event_id, event_type, subscription_id, next_attempt_at)
  SELECT e.tenant_id, replace(e.id, 'evt', 'wdl'), e.id, e.type, s.id, now()
  FROM sent e JOIN webhook_subscription s ON s.tenant_id = e.tenant_id`;

const insertJobs = `
  SELECT count(graphile_worker.add_job('deliver_webhook',
    json_build_object('tenantId', d.tenant_id, 'deliveryId', d.id), job_key := d.id, max_attempts := 20))
  FROM (SELECT tenant_id, id FROM webhook_delivery
    WHERE tenant_id = ANY ($1::text[]) AND status = 'pending' ORDER BY id) d`;

/** It stops at the first row, since a count would be a part of what is measured. */
const isOpen = `
  SELECT EXISTS (
    SELECT 1 FROM webhook_delivery WHERE tenant_id = ANY ($1::text[]) AND status = 'pending'
  ) AS open`;

const rateSince = `
  SELECT count(*) / extract(epoch FROM max(completed_at) - $2)::float8 AS rate
  FROM webhook_delivery WHERE tenant_id = ANY ($1::text[]) AND completed_at >= $2`;

export async function startWebhookStack(): Promise<WebhookStack> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const postgres = await startBenchPostgres(folder);
  const caFile = join(folder, 'ca.pem');
  const settings = {
    DATABASE_URL: postgres.serviceUrl,
    LOG_LEVEL: 'info',
    WEBHOOK_ALLOWED_HOSTS: 'localhost',
    WEBHOOK_EXTRA_CA_FILE: caFile,
  };
  const receiver = spawn(process.execPath, [join(import.meta.dirname, 'programs/receiver.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: childEnvironment({ CA_FILE: caFile }),
  });
  const [printed] = (await once(receiver.stdout, 'data')) as [Buffer];
  const port = printed.toString().trim();
  const worker: ChildProcess = spawn(process.execPath, [programs.worker], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: childEnvironment(settings),
  });
  const services = createServices(loadConfig(childEnvironment(settings)), 'api');
  const pool = new pg.Pool({ connectionString: postgres.url, max: 2 });
  /** When the jobs of the last deliveries could be seen. */
  let planned: Date | null = null;

  return {
    pool,
    concurrency: services.config.WORKER_CONCURRENCY,
    async subscribe(path) {
      const tenant = await makeTenant({ database: { pool } });
      const actor = { user_id: 'usr', membership_id: 'mem', key_id: 'key', role: 'owner' } as const;
      const scope = makeScope({ ...tenant, actor: { type: 'member', ...actor } });
      const url = `https://localhost:${port}${path}`;
      await registerSubscription({ services, scope }, { url, enabledEvents: ['payout.failed'] });
      return tenant.tenantId;
    },
    async plan(tenantIds, each) {
      const client = await pool.connect();
      await client.query('BEGIN');
      await client.query(insertDeliveries, [tenantIds, each]);
      await client.query(insertJobs, [tenantIds]);
      await client.query('COMMIT');
      const { rows } = await client.query<{ at: Date }>('SELECT now() AS at');
      planned = rows[0]?.at ?? null;
      client.release();
      await pool.query('ANALYZE webhook_delivery, event');
    },
    async rate(tenantIds) {
      for (let tries = 0; tries < 1_200; tries += 1) {
        const { rows } = await pool.query<{ open: boolean }>(isOpen, [tenantIds]);
        if (rows[0]?.open === false) {
          const { rows: done } = await pool.query<{ rate: number }>(rateSince, [
            tenantIds,
            planned,
          ]);
          return done[0]?.rate ?? Number.NaN;
        }
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
      throw new Error('not everything was delivered');
    },
    async cancel(tenantIds) {
      await pool.query(
        `WITH canceled AS (
           UPDATE webhook_delivery SET status = 'canceled', next_attempt_at = NULL
           WHERE tenant_id = ANY ($1::text[]) AND status = 'pending' RETURNING id
         )
         SELECT graphile_worker.remove_job(id) FROM canceled`,
        [tenantIds],
      );
    },
    async program(name, env) {
      const child = spawn(process.execPath, [join(import.meta.dirname, 'programs', name)], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: childEnvironment({ DATABASE_URL: postgres.url, ...env }),
      });
      let text = '';
      child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
      const [code] = (await once(child, 'close')) as [number];
      if (code !== 0) throw new Error(`${name} ended with ${code}`);
      return JSON.parse(text) as Record<string, number>;
    },
    async close() {
      for (const child of [worker, receiver]) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      await closeServices(services);
      await pool.end();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
