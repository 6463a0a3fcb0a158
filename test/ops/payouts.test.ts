import { describe, expect, it } from 'vitest';
import { useOperatedPayouts } from './payouts-support.ts';

const { world, parts, waiting, resolve } = useOperatedPayouts();
const { handedOver, sql, tell } = world;

describe('ops.timeline', () => {
  it('has everything that happened to a payout, in order', async () => {
    const id = await waiting();
    await resolve(id, 'paid', 'po_found');
    await tell(id, { type: 'settled', providerPayoutId: 'po_found' });
    await sql(
      `INSERT INTO job_run (job_id, task, tenant_id, subject_id, attempt, max_attempts, outcome, run_at, started_at, ended_at)
       VALUES (1, 'disburse_payout', $1, $2, 1, 20, 'succeeded', now(), now(), now())`,
      [world.tenant.tenantId, id],
    );
    const lines = await parts.operator.sql<{
      at: Date;
      what: string;
      detail: string | null;
      by_whom: string | null;
    }>('SELECT * FROM ops.timeline($1)', [id]);
    const whats = lines.map(({ what }) => what);
    for (const what of [
      'transition',
      'attempt prepared',
      'attempt submitted',
      'provider event',
      'event',
      'operator',
      'job waits',
      'job succeeded',
    ]) {
      expect(whats, what).toContain(what);
    }
    const times = lines.map(({ at }) => at.getTime());
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    const moves = lines.filter(({ what }) => what === 'transition');
    expect(moves.map(({ detail }) => detail?.split(',')[0])).toEqual([
      'new → approved',
      'approved → disbursed',
      'disbursed → settled',
    ]);
    expect(moves[1]).toMatchObject({
      by_whom: `operator ${parts.operator.name}`,
      detail: expect.stringContaining('case 17'),
    });
    expect(
      await parts.operator.refusal('SELECT * FROM ops.timeline($1)', [world.payee.beneficiaryId]),
    ).toMatchObject({ code: 'P0002' });
  });
});

it('ops.provider_health counts the attempts of the last hour and what is open', async () => {
  const health = () =>
    parts.operator.row<Record<string, number>>(
      `SELECT * FROM ops.provider_health WHERE provider = 'simulator' AND environment = 'sandbox'`,
    );
  await handedOver('ok');
  const before = await health();
  for (const fate of ['ok', 'rejected', 'unknown_taken', 'unknown_lost'] as const)
    await handedOver(fate);
  await waiting();
  await sql(
    `INSERT INTO worker_heartbeat (id, pool_id, hostname, pid, circuits) VALUES ('wrk_1', 'pool', 'host', 1, '{"simulator": "open"}')`,
  );
  await sql(
    `INSERT INTO provider_event (provider, event_id, event, status) VALUES ('simulator', 'sev_w', '{}', 'received'), ('simulator', 'sev_u', '{}', 'unmatched')`,
  );
  const after = await health();
  const grown = Object.fromEntries(
    [
      'attempts_1h',
      'submitted_1h',
      'rejected_1h',
      'unclear_1h',
      'unknown_now',
      'needs_operator',
      'events_waiting',
      'events_unmatched',
    ].map((name) => [name, Number(after[name]) - Number(before[name])]),
  );
  expect(grown).toEqual({
    attempts_1h: 5,
    submitted_1h: 1,
    rejected_1h: 1,
    unclear_1h: 3,
    unknown_now: 3,
    needs_operator: 1,
    events_waiting: 1,
    events_unmatched: 1,
  });
  expect(after).toMatchObject({ circuits: { wrk_1: 'open' } });
  expect(after['last_event_at']).toBeInstanceOf(Date);
  expect(after['p95_ms']).toBeGreaterThanOrEqual(0);
  await sql('DELETE FROM worker_heartbeat');
});
