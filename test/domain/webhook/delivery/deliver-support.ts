import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeScope } from '../../../../src/access/scope.ts';
import { loadConfig } from '../../../../src/process/config.ts';
import { inTransaction } from '../../../../src/db/pool.ts';
import { movePayoutTo } from '../../../../src/domain/payout/transition.ts';
import { deliverWebhook } from '../../../../src/domain/webhook/delivery/deliver.ts';
import type { Lanes } from '../../../../src/domain/webhook/schedule/lanes.ts';
import { registerSubscription } from '../../../../src/domain/webhook/subscription/register.ts';
import {
  createWebhookSender,
  type WebhookSender,
} from '../../../../src/domain/webhook/delivery/sender.ts';
import { newId } from '../../../../src/values/ids.ts';
import {
  closeServices,
  createServices,
  type Call,
  type Services,
} from '../../../../src/process/services.ts';
import { testDatabase, type TestDatabase } from '../../../support/database.ts';
import { makeTenant } from '../../../support/factory.ts';
import { startHttpsServer, type TestHttpsServer } from '../../../support/https-server.ts';
import { createTestAuthority } from '../../../support/tls.ts';

/** A job that waits for its attempt however long that takes, so that a busy machine changes nothing. */
export const patient = { slotMs: 60_000 };

/** Lanes that keep nobody waiting, for deliveries that are to cross each other. */
export const openLanes: Lanes = {
  enter: () => ({ granted: true, giveSlotBack: () => false, leave: () => null }),
};

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
  // The test says what it expects of the envelope.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

export interface DeliveryRow {
  readonly status: string;
  readonly attempts: number;
  readonly next_attempt_at: Date | null;
  readonly completed_at: Date | null;
  /** Seconds until the next attempt, by the database's clock. */
  readonly wait: number | null;
}

export interface AttemptRow {
  readonly number: number;
  readonly latency_ms: number;
  readonly status_code: number | null;
  readonly answer: string | null;
  readonly error: string | null;
}

/** A database, services and an HTTPS receiver; deliveries are made by hand, so nothing waits. */
export interface DeliveryBench {
  readonly database: TestDatabase;
  readonly services: Services;
  readonly server: TestHttpsServer;
  /** Where the receiver listens. */
  readonly url: string;
  readonly received: Received[];
  /** What the receiver does with the next requests; 200 by default. */
  answer: (response: ServerResponse, request: Received) => void | Promise<void>;
  makeCall(): Promise<Call>;
  /** Subscribes the tenant to `url`; returns the secret. */
  subscribe(call: Call, url?: string): Promise<string>;
  /** Records payout.disbursed of a new payout; the delivery's id, or null when none was planned. */
  disburse(call: Call): Promise<{ payoutId: string; deliveryId: string | null }>;
  /** Records an event that must have a delivery. */
  plan(call: Call): Promise<string>;
  /** Makes the delivery due and runs its job, with a sender of its own. */
  run(call: Call, deliveryId: string, sender?: WebhookSender): Promise<void>;
  delivery(deliveryId: string): Promise<DeliveryRow>;
  attempts(deliveryId: string): Promise<AttemptRow[]>;
  job(key: string): Promise<{ run_at: Date; attempts: number } | null>;
  close(): Promise<void>;
}

const insertApproved = `
  WITH b AS (
    INSERT INTO beneficiary (tenant_id, id, beneficiary_type, email, email_key, compliance_status, transition_count)
    VALUES ($1, $2, 'person', $5, $5, 'compliant', 1)
  ), a AS (
    INSERT INTO bank_account (
      tenant_id, id, beneficiary_id, account_holder_name, currency, country, last4, status, validation_status
    )
    VALUES ($1, $3, $2, 'Ada', 'EUR', 'DE', '3000', 'verified', 'validated')
  ), v AS (
    INSERT INTO bank_account_version (
      tenant_id, bank_account_id, version, account_holder_name, currency, country, identifiers_ciphertext
    )
    VALUES ($1, $3, 1, 'Ada', 'EUR', 'DE', '')
  ), t AS (
    INSERT INTO payout_transition (tenant_id, payout_id, seq, from_state, to_state, actor)
    VALUES ($1, $4, 1, 'new', 'approved', '{}')
  )
  INSERT INTO payout (
    tenant_id, id, beneficiary_id, beneficiary_name, beneficiary_type, bank_account_id,
    bank_account_version, amount_minor,
    amount, currency, purpose_of_payment, external_ref, idempotency_key, validator_strategy, state,
    transition_count, created_by
  )
  VALUES ($1, $4, $2, 'Ada', 'person', $3, 1, 1250, '12.50', 'EUR', 'payroll', 'ref-1', $5, 'auto', 'approved', 1, '{}')`;

export async function startDeliveryBench(env: Record<string, string> = {}): Promise<DeliveryBench> {
  const database = await testDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'delivery-'));
  const authority = await createTestAuthority();
  await writeFile(join(folder, 'ca.pem'), authority.pem);
  const received: Received[] = [];
  const server = await startHttpsServer(
    await authority.issue(['localhost']),
    (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const raw = Buffer.concat(chunks);
        const one = { headers: request.headers, raw, body: JSON.parse(raw.toString()) };
        received.push(one);
        void bench.answer(response, one);
      });
    },
  );
  const services = createServices(
    loadConfig({
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      DATABASE_URL: database.url,
      DATABASE_POOL_SIZE: '8',
      WEBHOOK_ALLOWED_HOSTS: 'localhost',
      WEBHOOK_EXTRA_CA_FILE: join(folder, 'ca.pem'),
      ...env,
    }),
    'worker',
  );
  const sender = createWebhookSender(services.config, services.log, patient);

  const bench: DeliveryBench = {
    database,
    services,
    server,
    url: `https://localhost:${server.port}/hook`,
    received,
    answer: (response) => void response.end('ok'),

    async makeCall() {
      const tenant = await makeTenant({ database });
      const actor = { user_id: 'usr', membership_id: 'mem', key_id: 'key', role: 'owner' } as const;
      const scope = makeScope({ ...tenant, actor: { type: 'member', ...actor } });
      return { services, scope };
    },

    async subscribe(call, url = bench.url) {
      const enabledEvents = ['payout.disbursed', 'payout.settled'];
      return (await registerSubscription(call, { url, enabledEvents })).secret;
    },

    async disburse(call) {
      const payoutId = newId('payout');
      const { tenantId } = call.scope;
      await database.pool.query(insertApproved, [
        tenantId,
        newId('beneficiary'),
        newId('bankAccount'),
        payoutId,
        randomUUID(),
      ]);
      await inTransaction(services.pool, (client) =>
        movePayoutTo(client, call.scope, payoutId, { trigger: 'disburse', railRef: 'rail-1' }),
      );
      const planned = await database.pool.query<{ id: string }>(
        `SELECT d.id FROM webhook_delivery d JOIN event e ON e.tenant_id = d.tenant_id AND e.id = d.event_id
         WHERE e.payout_id = $1`,
        [payoutId],
      );
      return { payoutId, deliveryId: planned.rows[0]?.id ?? null };
    },

    async plan(call) {
      const { deliveryId } = await bench.disburse(call);
      if (deliveryId === null) throw new Error('no delivery was planned');
      return deliveryId;
    },

    async run(call, deliveryId, own = sender) {
      await database.pool.query(
        `UPDATE webhook_delivery SET next_attempt_at = now() WHERE id = $1 AND status = 'pending'`,
        [deliveryId],
      );
      await deliverWebhook(call, deliveryId, { sender: own });
    },

    async delivery(deliveryId) {
      const { rows } = await database.pool.query<DeliveryRow>(
        `SELECT status, attempts, next_attempt_at, completed_at,
           extract(epoch FROM next_attempt_at - now())::float8 AS wait
         FROM webhook_delivery WHERE id = $1`,
        [deliveryId],
      );
      const [row] = rows;
      if (row === undefined) throw new Error('no such delivery');
      return row;
    },

    async attempts(deliveryId) {
      const { rows } = await database.pool.query<AttemptRow>(
        `SELECT number, latency_ms, status_code, answer, error
         FROM webhook_delivery_attempt WHERE delivery_id = $1 ORDER BY number`,
        [deliveryId],
      );
      return rows;
    },

    async job(key) {
      const { rows } = await database.pool.query<{ run_at: Date; attempts: number }>(
        'SELECT run_at, attempts FROM graphile_worker.jobs WHERE key = $1',
        [key],
      );
      return rows[0] ?? null;
    },

    async close() {
      await sender.close();
      await server.close();
      await closeServices(services);
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return bench;
}
