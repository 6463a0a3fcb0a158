import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction, rows, type Queryable } from '../../src/db/pool.ts';
import { markEvents } from '../../src/domain/provider-event/inbox.ts';
import { wantedWebhookDeliveries } from '../../src/domain/webhook/delivery/commands.gen.ts';
import {
  cancelOrphanDelivery,
  leaseDelivery,
  putOffDelivery,
  type DueDelivery,
} from '../../src/domain/webhook/delivery/delivery-store.ts';
import { postponeDelivery } from '../../src/domain/webhook/schedule/queue-store.ts';
import type { Call } from '../../src/process/services.ts';
import {
  startDeliveryBench,
  type DeliveryBench,
} from '../domain/webhook/delivery/deliver-support.ts';
import { recordStatements } from '../support/plans.ts';

/*
 * A backlog that is younger than the statistics: PostgreSQL believes that nothing waits, so the index of what waits
 * looks like the cheapest way to any row, and each step of the backlog would read all of it.
 */

let bench: DeliveryBench;
let call: Call;
let one = '';

const closed = `
  INSERT INTO webhook_delivery (tenant_id, id, event_id, event_type, subscription_id, status)
  SELECT $1, 'wdl_closed_' || n, 'evt_' || n, 'payout.settled', 'whs_1', 'delivered' FROM generate_series(1, 4000) n`;
const closedEvents = `
  INSERT INTO provider_event (provider, event_id, event, status)
  SELECT 'simulator', 'sev_closed_' || n, '{}', 'applied' FROM generate_series(1, 4000) n`;
const waiting = `
  INSERT INTO webhook_delivery (tenant_id, id, event_id, event_type, subscription_id, next_attempt_at)
  SELECT $1, 'wdl_' || n, 'evt_' || n, 'payout.settled', 'whs_1', now() FROM generate_series(1, 1000) n`;
const waitingEvents = `
  INSERT INTO provider_event (provider, event_id, event)
  SELECT 'simulator', 'sev_' || n, '{}' FROM generate_series(1, 1000) n`;

beforeAll(async () => {
  bench = await startDeliveryBench();
  call = await bench.makeCall();
  await bench.subscribe(call);
  one = await bench.plan(call);
  await inTransaction(bench.database.pool, async (client) => {
    await client.query(`SET LOCAL session_replication_role = replica`);
    await client.query(`UPDATE webhook_delivery SET status = 'delivered', next_attempt_at = NULL`);
    await client.query(closed, [call.scope.tenantId]);
    await client.query(closedEvents);
    await client.query('ANALYZE webhook_delivery, provider_event');
    await client.query(waiting, [call.scope.tenantId]);
    await client.query(waitingEvents);
    await client.query(
      `UPDATE webhook_delivery SET status = 'pending', next_attempt_at = now() WHERE id = $1`,
      [one],
    );
  });
});
afterAll(() => bench.close());

class Undo extends Error {}

/** Rows that the work reads of a table in one transaction of the service, which is undone. */
async function readOf(table: string, work: (client: Queryable) => Promise<unknown>) {
  let read = -1;
  const done = inTransaction(bench.services.pool, async (client) => {
    await work(client);
    const { rows: counts } = await client.query<{ read: string }>(
      `SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) AS read FROM pg_stat_xact_user_tables WHERE relname = $1`,
      [table],
    );
    read = Number(counts[0]?.read);
    throw new Undo();
  });
  await expect(done).rejects.toThrow(Undo);
  expect(read, 'it looks at something').toBeGreaterThan(0);
  return read;
}

/** One row, which an update looks up and then locks, and what else the statement asks about it. */
const few = 4;

describe('a step of one delivery reads that delivery, however many wait', () => {
  it('when its job finds it', async () => {
    const find = (client: Queryable) =>
      wantedWebhookDeliveries(client, call.scope.tenantId, { deliveries: [one] });
    const found = await readOf('webhook_delivery', async (client) => {
      expect(await find(client)).toHaveLength(1);
    });
    expect(found).toBeLessThanOrEqual(few);
  });

  it('when an attempt takes long', async () => {
    const delivery = { attempts: 0 } as DueDelivery;
    const read = await readOf('webhook_delivery', async (client) => {
      expect(await leaseDelivery(client, call.scope, { deliveryId: one, delivery }, 1_000)).toBe(
        true,
      );
    });
    expect(read).toBeLessThanOrEqual(few);
  });

  it('when its endpoint is slow', async () => {
    const { sent, stop } = recordStatements((text) => text.includes('SET next_attempt_at'));
    await postponeDelivery(bench.services.pool, call.scope, {
      deliveryId: one,
      replay: false,
      waitMs: 100,
    });
    stop();
    expect(sent).toHaveLength(1);
    const read = await readOf('webhook_delivery', (client) =>
      rows(client, { name: 'postpone_again', text: sent[0]?.text ?? '' }, [
        call.scope.tenantId,
        ...(sent[0]?.values.slice(1) ?? []),
      ]),
    );
    expect(read).toBeLessThanOrEqual(few);
  });

  it.each([
    ['is disabled', putOffDelivery],
    ['is gone', cancelOrphanDelivery],
  ])('when its subscription %s', async (_what, step) => {
    await bench.database.pool.query('UPDATE webhook_subscription SET enabled = false');
    const read = await readOf('webhook_delivery', (client) => step(client, call.scope, one));
    expect(read).toBeLessThanOrEqual(few);
  });
});

it('events are closed by reading those events, however many wait', async () => {
  const marks = Array.from({ length: 50 }, (_, n) => ({
    eventId: `sev_${n + 1}`,
    status: 'applied' as const,
    tenantId: call.scope.tenantId,
    subjectId: null,
  }));
  const read = await readOf('provider_event', (client) => markEvents(client, 'simulator', marks));
  expect(read).toBeLessThanOrEqual(marks.length * few);
});
