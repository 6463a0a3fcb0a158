import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { silentNodes } from '../../src/db/reach.ts';
import { relayBatch } from '../../jobs/relay-batch.ts';
import { reconcilePayouts } from '../../src/domain/reconciliation/reconcile.ts';
import { sweepDeliveries } from '../../src/domain/webhook/schedule/sweep.ts';
import { enqueueMissing } from '../../src/queue/queue.ts';
import { findStalledPayouts } from '../../src/domain/reconciliation/reconcile-store.ts';
import { createStored } from '../../src/process/metrics/stored.ts';
import {
  eventually,
  makePayee,
  makeTenant,
  payoutBody,
  type TestPayee,
  type TestTenant,
} from '../support/factory.ts';
import { startHarness, type Harness } from '../support/harness.ts';
import { startReceiver, type WebhookReceiver } from '../support/receiver.ts';

/**
 * A node of the cluster that cannot be reached takes its own tenants with it and no other. The coordinator is told a
 * port for it at which nobody listens.
 */
const nodes = inject('citusNodes');

interface Side extends TestTenant {
  readonly payee: TestPayee;
}

describe.runIf(nodes.length > 2)('on Citus, while a node is down', () => {
  let harness: Harness;
  let receiver: WebhookReceiver;
  let here: Side;
  let there: Side;
  let group: number;
  let port: number;

  async function groupOf(tenant: string): Promise<number> {
    const { rows } = await harness.database.pool.query<{ group: number }>(
      `SELECT p.groupid AS group FROM pg_dist_placement p
       WHERE p.shardid = get_shard_id_for_distribution_column('public.payout', $1::text)`,
      [tenant],
    );
    return rows[0]?.group ?? 0;
  }

  async function makeSide(): Promise<Side> {
    const tenant = await makeTenant(harness);
    const { key } = tenant;
    const subscribed = await harness.rest('POST', '/v1/webhook-subscriptions', {
      key,
      body: { url: receiver.url, enabled_events: ['payout.settled'] },
    });
    expect(subscribed.status, subscribed.text).toBe(201);
    return { ...tenant, payee: await makePayee(harness, key) };
  }

  async function tellPort(now: number): Promise<void> {
    await harness.database.pool.query('UPDATE pg_dist_node SET nodeport = $1 WHERE groupid = $2', [
      now,
      group,
    ]);
  }

  const send = ({ key, payee }: Side, body = payoutBody(payee)) =>
    harness.rest('POST', '/v1/payouts', { key, body });

  async function create(side: Side): Promise<string> {
    const answer = await send(side);
    expect(answer.status, answer.text).toBe(201);
    const id = answer.body.payout.id as string;
    const approved = await harness.rest('POST', `/v1/payouts/${id}/approve`, { key: side.key });
    expect(approved.status, approved.text).toBe(200);
    return id;
  }

  const toldOf = (id: string): number =>
    receiver.received.filter(({ event }) => event.data['payout_id'] === id).length;

  beforeAll(async () => {
    receiver = await startReceiver();
    harness = await startHarness({ env: { WEBHOOK_EXTRA_CA_FILE: receiver.caFile } });
    here = await makeSide();
    const first = await groupOf(here.tenantId);
    do there = await makeSide();
    while ((await groupOf(there.tenantId)) === first);
    group = await groupOf(there.tenantId);
    const { rows } = await harness.database.pool.query<{ port: number }>(
      'SELECT nodeport AS port FROM pg_dist_node WHERE groupid = $1',
      [group],
    );
    port = rows[0]?.port ?? 0;
  });
  afterAll(async () => {
    await tellPort(port);
    await harness.close();
    await receiver.close();
  });

  const noPort = 1;
  let interrupted: string;

  it('the payouts of the others are made, relayed, settled and told', async () => {
    interrupted = await create(there);
    await tellPort(noPort);
    const ids = [await create(here), await create(here), await create(here)];
    await eventually(async () => ids.every((id) => toldOf(id) === 1));
    expect(silentNodes(harness.services.pool)).toEqual([
      `${new URL(harness.database.url).hostname}:${noPort}`,
    ]);
  });

  it('its own tenants are told to come again', async () => {
    const answer = await send(there);
    expect(answer.status, answer.text).toBe(503);
  });

  it('what looks for work leaves its tenants out', async () => {
    const after = { tenantId: '', id: '', updatedAt: new Date(0) };
    const search = { seconds: 0, environments: ['sandbox'], after, take: 10 };
    await expect(findStalledPayouts(harness.services.pool, search)).resolves.toEqual([]);
    const stored = createStored(harness.database.url, 'test');
    const read = await stored.read();
    expect(read?.some(({ metric }) => metric === 'payouts_open')).toBe(true);
    expect(read?.some(({ metric }) => metric === 'payouts_stuck')).toBe(false);
    await stored.close();
  });

  it('the relay and the sweeps have nothing to say', async () => {
    const { services, database } = harness;
    await expect(relayBatch(services.pool, null)).resolves.toMatchObject({ moved: 0 });
    await sweepDeliveries(services);
    await reconcilePayouts(services);
    const ids = ['a', 'b'].map((eventId) => ({ payload: { provider: 'none', eventId } }));
    await expect(enqueueMissing(services.pool, 'apply_provider_event', ids)).resolves.toBe(2);
    // As where every tenant is on the node.
    const client = await database.pool.connect();
    await client.query(`BEGIN; SET LOCAL app.reached = '{}'`);
    await client.query('SELECT ops.relay_batch(NULL, 20, 200, 20, false), ops.clear_outbox(200)');
    await client.query('ROLLBACK');
    client.release();
  });

  it('nobody is shown changes that may not be all', async () => {
    const since = new Date(Date.now() - 60_000).toISOString();
    const { status } = await harness.rest('GET', `/v1/payouts?updatedSince=${since}`, {
      key: here.key,
    });
    expect(status).toBe(503);
  });

  it('it goes on where it was, once it answers', async () => {
    await tellPort(port);
    const id = await create(there);
    await eventually(async () => [id, interrupted].every((one) => toldOf(one) > 0));
    await eventually(async () => silentNodes(harness.services.pool).length === 0);
    expect([id, interrupted].map(toldOf)).toEqual([1, 1]);
    await eventually(async () => {
      const { rows } = await harness.database.pool.query<{ n: string }>(
        'SELECT (SELECT count(*) FROM job_outbox) + (SELECT count(*) FROM relayed_job) AS n',
      );
      return rows[0]?.n === '0';
    });
  });
});
