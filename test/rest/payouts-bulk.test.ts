import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { inTransaction, rows } from '../../src/db/pool.ts';
import { makePayee, makeTenant, payoutBody } from '../support/factory.ts';
import { useHarness, usePayee, useTenant } from '../support/use-harness.ts';

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);
const payee = usePayee(harness, tenant);

const bulk = (body: unknown, key = tenant.key) =>
  harness.rest('POST', '/v1/payouts/bulk', { key, body });
const statuses = (body: { results: { status: string }[] }) => body.results.map((r) => r.status);

async function payoutCount(): Promise<number> {
  const { rows } = await harness.database.pool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM payout',
  );
  return rows[0]?.n ?? 0;
}

describe('POST /v1/payouts/bulk', () => {
  it('creates what can be created, and a bad row stops no other', async () => {
    const { status, body } = await bulk({
      payouts: [
        payoutBody(payee),
        payoutBody(payee, { amount_minor: 0 }),
        payoutBody(payee, { surprise: 1 }),
        payoutBody(payee, { currency: 'EUR' }),
        'nonsense',
        payoutBody(payee, { validator_strategy: 'auto' }),
      ],
    });
    expect(status).toBe(200);
    expect(statuses(body)).toEqual(['created', 'failed', 'failed', 'failed', 'failed', 'created']);
    expect(body.summary).toEqual({
      total: 6,
      created: 2,
      replayed: 0,
      failed: 4,
      not_attempted: 0,
    });
    expect(body.results.map((r: { error: { code: string } | null }) => r.error?.code)).toEqual([
      undefined,
      'INVALID_MONEY',
      'validation_failed',
      'unprocessable_entity',
      'validation_failed',
      undefined,
    ]);
    expect(body.results[2].error.details).toMatchObject([
      { field: 'payouts[2].surprise', code: 'unknown_field' },
    ]);
    expect(body.results[5].payout.state).toBe('approved');
    const jobs = await harness.database.pool.query(
      `SELECT payload FROM graphile_worker._private_jobs WHERE payload->>'payoutId' = $1`,
      [body.results[5].payout.id],
    );
    expect(jobs.rows).toHaveLength(1);
  });

  it('completes a half-finished request when it is sent again', async () => {
    const payouts = Array.from({ length: 6 }, () => payoutBody(payee));
    await bulk({ payouts: payouts.slice(0, 3) });
    const again = await bulk({ payouts });
    expect(statuses(again.body)).toEqual([
      ...Array(3).fill('replayed'),
      ...Array(3).fill('created'),
    ]);
    const third = await bulk({ payouts });
    expect(third.body.summary).toMatchObject({ replayed: 6, created: 0 });
    expect(third.body.results.map((r: { payout: { id: string } }) => r.payout.id)).toEqual(
      again.body.results.map((r: { payout: { id: string } }) => r.payout.id),
    );
  });

  it('creates all or none when atomic', async () => {
    const before = await payoutCount();
    const good = payoutBody(payee);
    const refused = await bulk({
      mode: 'atomic',
      payouts: [good, payoutBody(payee, { currency: 'EUR' })],
    });
    expect(statuses(refused.body)).toEqual(['not_attempted', 'failed']);
    const malformed = await bulk({
      mode: 'atomic',
      payouts: [good, payoutBody(payee, { amount_minor: -1 })],
    });
    expect(statuses(malformed.body)).toEqual(['not_attempted', 'failed']);
    expect(malformed.body.summary).toMatchObject({ failed: 1, not_attempted: 1 });
    expect(malformed.body.results.map((r: { error: { code: string } }) => r.error?.code)).toEqual([
      undefined,
      'INVALID_MONEY',
    ]);
    expect(await payoutCount()).toBe(before);
    // A refused request used up no key.
    const taken = await bulk({ mode: 'atomic', payouts: [good, payoutBody(payee)] });
    expect(statuses(taken.body)).toEqual(['created', 'created']);
  });

  it('says of a row whose payout exists that it does, where an atomic request is refused', async () => {
    const [paid, next] = [payoutBody(payee), payoutBody(payee)];
    const { body: first } = await bulk({ payouts: [paid] });
    const before = await payoutCount();
    for (const bad of [
      payoutBody(payee, { amount_minor: -1 }),
      payoutBody(payee, { currency: 'EUR' }),
      { ...paid, amount_minor: 5 },
    ]) {
      const { body } = await bulk({ mode: 'atomic', payouts: [next, paid, bad, next] });
      expect(statuses(body)).toEqual(['not_attempted', 'replayed', 'failed', 'not_attempted']);
      expect(body.results[1].payout.id).toBe(first.results[0].payout.id);
      expect(body.results[0]).toMatchObject({ payout: null, error: null });
      expect(body.summary).toEqual({
        total: 4,
        created: 0,
        replayed: 1,
        failed: 1,
        not_attempted: 2,
      });
    }
    expect(await payoutCount()).toBe(before);
    const { body } = await bulk({ mode: 'atomic', payouts: [next, paid] });
    expect(statuses(body)).toEqual(['created', 'replayed']);
  });

  it('writes nothing in a dry run', async () => {
    const before = await payoutCount();
    const { body } = await bulk({
      dry_run: true,
      payouts: [payoutBody(payee), payoutBody(payee, { currency: 'EUR' })],
    });
    expect(body.dry_run).toBe(true);
    expect(statuses(body)).toEqual(['created', 'failed']);
    expect(body.results[0].payout).toBeNull();
    expect(await payoutCount()).toBe(before);
  });

  it('refuses a dry run of one row', async () => {
    const before = await payoutCount();
    const { body } = await bulk({ payouts: [payoutBody(payee, { dry_run: true })] });
    expect(body.results[0].error.details).toMatchObject([
      { field: 'payouts[0].dry_run', code: 'unknown_field' },
    ]);
    expect(await payoutCount()).toBe(before);
  });

  it('makes each payout once when two equal requests race in opposite order', async () => {
    const payouts = Array.from({ length: 100 }, () => payoutBody(payee));
    const before = await payoutCount();
    const answers = await Promise.all([
      bulk({ payouts }),
      bulk({ payouts: payouts.toReversed() }),
      bulk({ payouts, mode: 'atomic' }),
    ]);
    expect(await payoutCount()).toBe(before + 100);
    const summaries = answers.map(({ body }) => body.summary);
    expect(summaries.every((s) => s.failed === 0)).toBe(true);
    expect(summaries.reduce((sum: number, s) => sum + (s.created as number), 0)).toBe(100);
  });

  it('takes a thousand rows in one statement, and not one more', async () => {
    const payouts = Array.from({ length: 1_000 }, () => payoutBody(payee));
    const { body } = await bulk({ payouts });
    expect(body.summary).toMatchObject({ total: 1_000, created: 1_000, replayed: 0, failed: 0 });
    const over = await bulk({ payouts: [...payouts, payoutBody(payee)] });
    expect([over.status, over.body.error.code]).toEqual([400, 'validation_failed']);
    const none = await bulk({ payouts: [] });
    expect(none.body.error.details).toMatchObject([{ field: 'payouts', code: 'too_short' }]);
  });
});

describe('updatedSince', () => {
  /** Changes are shown a tenth of a second after them at the earliest. */
  const horizonPasses = () => new Promise((resolve) => setTimeout(resolve, 200));

  it('runs oldest change first, resumes, and holds back what an open transaction may precede', async () => {
    const mine = await makeTenant(harness);
    const theirs = await makePayee(harness, mine.key);
    const since = new Date(Date.now() - 1_000).toISOString();
    const list = async (query: string) =>
      (await harness.rest('GET', `/v1/payouts?updatedSince=${since}${query}`, { key: mine.key }))
        .body;
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1) {
      const { body } = await harness.rest('POST', '/v1/payouts', {
        key: mine.key,
        body: payoutBody(theirs),
      });
      ids.push(body.payout.id as string);
    }
    await harness.rest('POST', `/v1/payouts/${ids[0] ?? ''}/cancel`, { key: mine.key });
    await horizonPasses();
    const first = await list('&limit=3');
    const second = await list(`&limit=3&cursor=${first.next_cursor}`);
    const seen = [...first.payouts, ...second.payouts].map((p: { id: string }) => p.id);
    expect(seen).toEqual([...ids.slice(1), ids[0]]);
    expect(second.next_cursor).toBeNull();

    const later = await inTransaction(harness.services.pool, async (client) => {
      const text = 'UPDATE payout SET updated_at = updated_at WHERE tenant_id = $1 AND id = $2';
      await rows(client, { name: 'touch_payout', text }, [mine.tenantId, ids[1]]);
      await horizonPasses();
      const { body } = await harness.rest('POST', '/v1/payouts', {
        key: mine.key,
        body: payoutBody(theirs),
      });
      await horizonPasses();
      expect((await list('')).payouts).toHaveLength(5);
      return body.payout.id as string;
    });
    await horizonPasses();
    expect((await list('')).payouts.at(-1).id).toBe(later);
  });

  it('refuses a malformed time and a cursor of another filter', async () => {
    const bad = await harness.rest('GET', '/v1/payouts?updatedSince=yesterday', {
      key: tenant.key,
    });
    expect(bad.body.error.details).toMatchObject([{ field: 'updatedSince' }]);
    const page = await harness.rest('GET', '/v1/payouts?limit=1', { key: tenant.key });
    const moved = await harness.rest(
      'GET',
      `/v1/payouts?limit=1&state=approved&cursor=${page.body.next_cursor}`,
      { key: tenant.key },
    );
    expect(moved.body.error.details).toMatchObject([{ code: 'invalid_cursor' }]);
  });

  it('lists a hundred, and pages neither repeat nor skip while rows are inserted', async () => {
    const all = await harness.rest('GET', '/v1/payouts?limit=100', { key: tenant.key });
    expect([all.status, all.body.payouts.length]).toEqual([200, 100]);
    const seen: string[] = [];
    let cursor: string | null = null;
    for (let page = 0; page < 4; page += 1) {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { body } = await harness.rest('GET', `/v1/payouts?limit=25${query}`, {
        key: tenant.key,
      });
      seen.push(...body.payouts.map((p: { id: string }) => p.id));
      cursor = body.next_cursor as string | null;
      await harness.rest('POST', '/v1/payouts', {
        key: tenant.key,
        body: payoutBody(payee, { idempotency_key: randomUUID() }),
      });
    }
    expect(seen).toEqual(all.body.payouts.map((p: { id: string }) => p.id));
  });
});
