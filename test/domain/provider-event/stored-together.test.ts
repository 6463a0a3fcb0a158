import { beforeEach, describe, expect, it } from 'vitest';
import { relayBatch } from '../../../jobs/relay-batch.ts';
import { inTransaction } from '../../../src/db/pool.ts';
import { applyProviderEvent } from '../../../src/domain/provider-event/apply.ts';
import { keepToldEvents } from '../../../src/domain/provider-event/inbox.ts';
import { reconcilePayouts } from '../../../src/domain/reconciliation/reconcile.ts';
import type { ProviderEvent, ProviderPayoutEvent } from '../../../src/providers/port.ts';
import { makeReference } from '../../../src/providers/reference.ts';
import { newId } from '../../../src/values/ids.ts';
import { eventually } from '../../support/factory.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';

const world = usePayoutWorld();
const { handedOver, attemptOf, sql, stateOf } = world;

const provider = 'simulator';

interface Payment {
  readonly payoutId: string;
  readonly attemptId: string;
}

async function several(count: number): Promise<Payment[]> {
  const made: Payment[] = [];
  for (let n = 0; n < count; n += 1) {
    const payoutId = await handedOver('ok');
    made.push({ payoutId, attemptId: (await attemptOf(payoutId)).id });
  }
  return made;
}

const settled = (attemptId: string, eventId: string): ProviderPayoutEvent => ({
  kind: 'payout',
  type: 'settled',
  eventId,
  occurredAt: '2026-11-01T10:00:00.000Z',
  reference: makeReference(world.tenant.tenantId, attemptId),
  providerPayoutId: `po_${attemptId}`,
  amountMinor: 125_000n,
  currency: 'USD',
  railRef: null,
  expectedDeliveryDate: null,
  failure: null,
});

const keep = (events: readonly ProviderEvent[]) =>
  inTransaction(world.call.services.pool, (client) => keepToldEvents(client, provider, events));
const apply = (eventId: string) => applyProviderEvent(world.call.services, provider, eventId);

interface Job {
  readonly eventId: string;
  readonly later: boolean;
}

/** The jobs of events, in the outbox and behind it. */
const jobs = () =>
  sql<Job>(
    `SELECT payload ->> 'eventId' AS "eventId", coalesce(run_at > now(), false) AS later
     FROM job_outbox WHERE task = 'apply_provider_event'
     UNION ALL
     SELECT j.payload ->> 'eventId', j.run_at > now()
     FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
     WHERE t.identifier = 'apply_provider_event' ORDER BY 1`,
  );

/** Waits until a job has read its events and cannot record their results. */
const markWaits = () =>
  eventually(async () => {
    const waiting = await sql(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
         AND wait_event_type = 'Lock' AND query LIKE '%UPDATE provider_event%'`,
    );
    return waiting.length > 0;
  });

async function loseJobs(): Promise<void> {
  await sql('DELETE FROM job_outbox');
  await sql('DELETE FROM graphile_worker._private_jobs');
}

const statuses = () =>
  sql<{ event_id: string; status: string; applied_with: string | null }>(
    'SELECT event_id, status, applied_with FROM provider_event ORDER BY event_id',
  );

beforeEach(async () => {
  await loseJobs();
  await sql('DELETE FROM provider_event');
});

describe('events that are stored together', () => {
  it('are applied by one job', async () => {
    const payments = await several(3);
    await loseJobs();
    await keep(payments.map(({ attemptId }, n) => settled(attemptId, `evt_${3 - n}`)));
    expect(await jobs()).toEqual([{ eventId: 'evt_1', later: false }]);
    await apply('evt_1');
    for (const { payoutId } of payments) expect(await stateOf(payoutId)).toBe('settled');
    expect(await statuses()).toEqual(
      ['evt_1', 'evt_2', 'evt_3'].map((event_id) => ({
        event_id,
        status: 'applied',
        applied_with: null,
      })),
    );
  });

  it('have no more than fifty in a job', async () => {
    const events = Array.from({ length: 120 }, (_, n) =>
      settled(newId('disbursementAttempt'), `evt_${String(n).padStart(3, '0')}`),
    );
    await keep(events);
    expect(await jobs()).toEqual(
      ['evt_000', 'evt_050', 'evt_100'].map((eventId) => ({ eventId, later: false })),
    );
  });

  it('travel with those of their tenant alone', async () => {
    const [payment] = await several(1);
    await loseJobs();
    const foreign = {
      ...settled(newId('disbursementAttempt'), 'evt_0'),
      reference: makeReference(newId('tenant'), newId('disbursementAttempt')),
    };
    await keep([foreign, settled(payment?.attemptId ?? '', 'evt_1')]);
    expect((await jobs()).map(({ eventId }) => eventId)).toEqual(['evt_0', 'evt_1']);
  });

  it('leave a suspended recipient to a job of its own', async () => {
    const [payment] = await several(1);
    await loseJobs();
    const suspended = {
      kind: 'recipient',
      type: 'suspended',
      eventId: 'evt_1',
      occurredAt: '2026-11-01T10:00:00.000Z',
      reference: makeReference(world.tenant.tenantId, newId('enrollment')),
      recipientId: 'rcp_1',
      reason: null,
    } as const;
    await keep([suspended, settled(payment?.attemptId ?? '', 'evt_2')]);
    expect((await jobs()).map(({ eventId }) => eventId)).toEqual(['evt_1', 'evt_2']);
  });

  it('make no job when all of them are repeated', async () => {
    const payments = await several(2);
    await loseJobs();
    const events = payments.map(({ attemptId }, n) => settled(attemptId, `evt_${n}`));
    await keep(events);
    await loseJobs();
    await keep(events);
    expect(await jobs()).toEqual([]);
  });

  it('are applied when the first of them was known before', async () => {
    const [first, second] = await several(2);
    await loseJobs();
    const known = settled(first?.attemptId ?? '', 'evt_1');
    await keep([known]);
    await apply('evt_1');
    await loseJobs();
    await keep([known, settled(second?.attemptId ?? '', 'evt_2')]);
    expect(await jobs()).toEqual([{ eventId: 'evt_2', later: false }]);
    await apply('evt_2');
    expect(await stateOf(second?.payoutId ?? '')).toBe('settled');
  });

  it('do not wait until a known event of the same call is tried again', async () => {
    const [payment] = await several(1);
    await loseJobs();
    const { services } = world.call;
    const absent = settled(newId('disbursementAttempt'), 'evt_1');
    await keep([absent]);
    const trying = await inTransaction(world.harness.database.pool, async (client) => {
      await client.query(`SELECT 1 FROM provider_event FOR UPDATE`);
      const ended = apply('evt_1');
      await markWaits();
      await keep([absent, settled(payment?.attemptId ?? '', 'evt_2')]);
      return { ended };
    });
    await trying.ended;
    await relayBatch(services.pool, null);
    expect(await jobs()).toEqual([
      { eventId: 'evt_1', later: true },
      { eventId: 'evt_2', later: false },
    ]);
    await apply('evt_2');
    expect(await stateOf(payment?.payoutId ?? '')).toBe('settled');
  });

  it('wait for none that cannot be applied yet, which is tried again by itself', async () => {
    const [payment] = await several(1);
    await loseJobs();
    const absent = settled(newId('disbursementAttempt'), 'evt_1');
    await keep([absent, settled(payment?.attemptId ?? '', 'evt_2')]);
    await loseJobs();
    await apply('evt_1');
    expect(await stateOf(payment?.payoutId ?? '')).toBe('settled');
    expect(await jobs()).toEqual([{ eventId: 'evt_1', later: true }]);
    expect(await statuses()).toEqual([
      { event_id: 'evt_1', status: 'received', applied_with: null },
      { event_id: 'evt_2', status: 'applied', applied_with: null },
    ]);
  });

  it('are applied where one of them makes the job fail, which then runs for that one', async () => {
    const [broken, whole] = await several(2);
    await loseJobs();
    await keep([
      settled(broken?.attemptId ?? '', 'evt_1'),
      settled(whole?.attemptId ?? '', 'evt_2'),
    ]);
    await sql(`UPDATE provider_event SET event = jsonb_set(event, '{amountMinor}', '"no number"')
       WHERE event_id = 'evt_1'`);
    await expect(apply('evt_1')).rejects.toThrow();
    expect((await statuses()).map(({ status }) => status)).toEqual(['received', 'applied']);
    expect(await stateOf(whole?.payoutId ?? '')).toBe('settled');
  });

  it('leave one that makes the job fail to a job of its own, whatever becomes of the event that names it', async () => {
    const [broken, whole] = await several(2);
    await loseJobs();
    const absent = settled(newId('disbursementAttempt'), 'evt_1');
    await keep([
      absent,
      settled(broken?.attemptId ?? '', 'evt_2'),
      settled(whole?.attemptId ?? '', 'evt_3'),
    ]);
    await loseJobs();
    await sql(`UPDATE provider_event SET event = jsonb_set(event, '{amountMinor}', '"no number"')
       WHERE event_id = 'evt_2'`);
    await apply('evt_1');
    expect(await stateOf(whole?.payoutId ?? '')).toBe('settled');
    expect(await jobs()).toEqual([
      { eventId: 'evt_1', later: true },
      { eventId: 'evt_2', later: false },
    ]);
    expect(await statuses()).toEqual([
      { event_id: 'evt_1', status: 'received', applied_with: null },
      { event_id: 'evt_2', status: 'received', applied_with: null },
      { event_id: 'evt_3', status: 'applied', applied_with: null },
    ]);
    // Its own job tells of it, and is the one that an operator finds by it.
    await expect(apply('evt_2')).rejects.toThrow('no number');
  });

  it('get their one job again when it was lost, and none while it waits', async () => {
    const payments = await several(3);
    await loseJobs();
    await keep(payments.map(({ attemptId }, n) => settled(attemptId, `evt_${n}`)));
    await sql(`UPDATE provider_event SET received_at = now() - interval '10 minutes'`);
    await reconcilePayouts(world.call.services);
    expect(await jobs()).toEqual([{ eventId: 'evt_0', later: false }]);
    await loseJobs();
    await sql(`UPDATE provider_event SET status = 'applied' WHERE event_id = 'evt_0'`);
    await reconcilePayouts(world.call.services);
    expect(await jobs()).toEqual([{ eventId: 'evt_0', later: false }]);
    await apply('evt_0');
    for (const { payoutId } of payments.slice(1)) expect(await stateOf(payoutId)).toBe('settled');
  });

  it('are each applied once by two jobs at the same time', async () => {
    const payments = await several(2);
    await loseJobs();
    await keep(payments.map(({ attemptId }, n) => settled(attemptId, `evt_${n}`)));
    await Promise.all([apply('evt_0'), apply('evt_1'), apply('evt_0')]);
    expect((await statuses()).map(({ status }) => status)).toEqual(['applied', 'applied']);
    for (const { payoutId } of payments) {
      const moves = await sql(`SELECT 1 FROM payout_transition WHERE payout_id = $1`, [payoutId]);
      expect(moves).toHaveLength(3);
    }
  });
});
