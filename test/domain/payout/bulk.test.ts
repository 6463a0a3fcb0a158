import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { inTransaction, rows } from '../../../src/db/pool.ts';
import { createPayoutsInBulk, type BulkRow } from '../../../src/domain/payout/bulk.ts';
import { createPayout } from '../../../src/domain/payout/create.ts';
import type { PayoutCreateInput } from '../../../src/domain/payout/input.ts';
import { DomainError } from '../../../src/errors/domain-error.ts';
import { behind, within } from '../../support/behind.ts';
import { eventually } from '../../support/factory.ts';
import {
  codeOf,
  memberCall,
  payoutInput,
  refusalOf,
  withSettings,
} from '../../support/payout-command.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';
import { sessionsWaiting } from '../../support/waits.ts';

const world = usePayoutWorld();
const input = (more: Partial<PayoutCreateInput> = {}) => payoutInput(world.payee, more);
const create = (payouts: (PayoutCreateInput | null)[], more = {}): Promise<BulkRow[]> =>
  createPayoutsInBulk(world.call, { payouts, ...more });

const statuses = (rows: readonly BulkRow[]) => rows.map(({ status }) => status);
const codes = (rows: readonly BulkRow[]) => rows.map(({ error }) => error?.code);
const ids = (rows: readonly BulkRow[]) => rows.map(({ payout }) => payout?.id);

async function payoutCount(): Promise<number> {
  const text = 'SELECT FROM payout WHERE tenant_id = $1';
  return (await world.sql(text, [world.tenant.tenantId])).length;
}

describe('partial', () => {
  it('creates what can be created, and says of each row why not', async () => {
    const rows = await create([
      input(),
      input({ amountMinor: 0 }),
      input({ surprise: 1 } as object),
      null,
      input({ dryRun: true }),
      input({ currency: 'EUR' }),
      input({ validatorStrategy: 'auto' }),
    ]);
    expect(rows.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(codes(rows)).toEqual([
      undefined,
      'INVALID_MONEY',
      'validation_failed',
      'validation_failed',
      'validation_failed',
      'unprocessable_entity',
      undefined,
    ]);
    expect(rows.map(({ error }) => error?.details[0]?.field)).toEqual([
      undefined,
      undefined,
      'payouts[2].surprise',
      'payouts[3]',
      'payouts[4].dryRun',
      'currency',
      undefined,
    ]);
    expect(rows[6]?.payout?.state).toBe('approved');
    const jobs = await world.sql(
      `SELECT FROM graphile_worker._private_jobs WHERE payload->>'payoutId' = ANY ($1)`,
      [ids(rows)],
    );
    expect(jobs).toHaveLength(1);
  });

  it('completes a request that was half done, and repeats it without duplicates', async () => {
    const payouts = Array.from({ length: 6 }, () => input());
    await create(payouts.slice(0, 3));
    const second = await create(payouts);
    expect(statuses(second)).toEqual([...Array(3).fill('replayed'), ...Array(3).fill('created')]);
    const third = await create(payouts);
    expect(statuses(third)).toEqual(Array(6).fill('replayed'));
    expect(ids(third)).toEqual(ids(second));
  });

  it('makes one payout of a key that stands twice, and refuses it with other content', async () => {
    const row = input();
    const rows = await create([row, row, { ...row, amountMinor: 5 }]);
    expect(statuses(rows)).toEqual(['created', 'replayed', 'failed']);
    expect(rows[1]?.payout?.id).toBe(rows[0]?.payout?.id);
    expect(rows[2]?.error?.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('refuses a key that another content has already', async () => {
    const taken = input();
    await createPayout(world.call, taken);
    const rows = await create([{ ...taken, amountMinor: 5 }, input()]);
    expect(codes(rows)).toEqual(['IDEMPOTENCY_KEY_REUSED', undefined]);
  });
});

describe('atomic', () => {
  it('creates all', async () => {
    const payouts = [input(), input({ validatorStrategy: 'auto' })];
    expect(statuses(await create(payouts, { mode: 'atomic' }))).toEqual(['created', 'created']);
    expect(statuses(await create(payouts, { mode: 'atomic' }))).toEqual(['replayed', 'replayed']);
  });

  it.each<[string, (existing: PayoutCreateInput) => PayoutCreateInput]>([
    ['malformed', () => input({ amountMinor: -1 })],
    ['refused by a gate', () => input({ currency: 'EUR' })],
    ['another content of a key', (existing) => ({ ...existing, amountMinor: 5 })],
  ])('creates none where a row is %s', async (_why, bad) => {
    const existing = input();
    const { payout } = await createPayout(world.call, existing);
    const good = input();
    const before = await payoutCount();
    const rows = await create([good, existing, bad(existing), good], { mode: 'atomic' });
    expect(statuses(rows)).toEqual(['not_attempted', 'replayed', 'failed', 'not_attempted']);
    // The payout that is there is named, or the caller would pay it again under a new key.
    expect(ids(rows)).toEqual([undefined, payout?.id, undefined, undefined]);
    expect(await payoutCount()).toBe(before);
    // The refused request used up no key.
    expect(statuses(await create([good], { mode: 'atomic' }))).toEqual(['created']);
  });

  it('leaves nothing behind where another caller claims one of its keys first', async () => {
    const [free, taken] = [input(), input()];
    const before = await payoutCount();
    const claim = {
      name: 'claim_of_another',
      text: `INSERT INTO payout_idempotency (tenant_id, idempotency_key, payout_id, request_hash)
      VALUES ($1, $2, 'pay_of_another', '')`,
    };
    const results = await behind(
      world.call.services.pool,
      (client) => rows(client, claim, [world.tenant.tenantId, taken.idempotencyKey]),
      () => create([free, taken], { mode: 'atomic' }),
    );
    expect(statuses(results)).toEqual(['not_attempted', 'failed']);
    expect(codes(results)).toEqual([undefined, 'IDEMPOTENCY_KEY_REUSED']);
    expect(await payoutCount()).toBe(before);
    expect(statuses(await create([free], { mode: 'atomic' }))).toEqual(['created']);
  });

  it('says nothing of a second row with a key that was not attempted', async () => {
    const stolen = input();
    await createPayout(world.call, stolen);
    const rows = await create([{ ...stolen, externalRef: 'other' }, input()], { mode: 'atomic' });
    expect(codes(rows)).toEqual(['IDEMPOTENCY_KEY_REUSED', undefined]);
    expect(statuses(rows)).toEqual(['failed', 'not_attempted']);
  });
});

it.each(['partial', 'atomic'] as const)('writes nothing in a dry run that is %s', async (mode) => {
  const before = await payoutCount();
  const rows = await create([input(), input({ currency: 'EUR' })], { mode, dryRun: true });
  // All or none: what the real request would answer.
  const valid = mode === 'atomic' ? 'not_attempted' : 'created';
  expect(statuses(rows)).toEqual([valid, 'failed']);
  expect(ids(rows)).toEqual([undefined, undefined]);
  expect(await payoutCount()).toBe(before);
});

it('makes each payout once when equal requests race in opposite order', async () => {
  const payouts = Array.from({ length: 50 }, () => input());
  const before = await payoutCount();
  const answers = await Promise.all([
    create(payouts),
    create(payouts.toReversed()),
    create(payouts, { mode: 'atomic' }),
  ]);
  expect(await payoutCount()).toBe(before + 50);
  const all = answers.flatMap(statuses);
  expect(all.filter((status) => status === 'created')).toHaveLength(50);
  expect(all.filter((status) => status === 'replayed')).toHaveLength(100);
});

it('makes equal requests in opposite order wait for one another only once', async () => {
  const { pool } = world.call.services;
  const keyed = (letter: string) => input({ idempotencyKey: `${letter} ${randomUUID()}` });
  const [first, last, middle] = [keyed('a'), keyed('b'), keyed('m')];
  const payouts = [first, middle, last];
  const waiting = (count: number) =>
    eventually(async () => (await sessionsWaiting(pool)) === count);
  const running: Promise<BulkRow[]>[] = [];
  await inTransaction(pool, async (client) => {
    await createPayout(within(world.call, client), middle);
    running.push(create(payouts));
    await waiting(1);
    running.push(create(payouts.toReversed()));
    await waiting(2);
    throw new Error('undone');
  }).catch(() => undefined);
  const answers = (await Promise.all(running)).map(statuses);
  expect(answers).toEqual([Array(3).fill('created'), Array(3).fill('replayed')]);
});

it('takes 1 to PAYOUT_BULK_ROWS rows', async () => {
  const call = withSettings(world.call, { PAYOUT_BULK_ROWS: 2 });
  const refused = await Promise.all(
    [0, 3].map((length) =>
      refusalOf(createPayoutsInBulk(call, { payouts: Array.from({ length }, () => input()) })),
    ),
  );
  expect(refused.map(({ details }) => details[0]?.code)).toEqual(['too_short', 'too_long']);
  const rows = await createPayoutsInBulk(call, { payouts: [input(), input()] });
  expect(statuses(rows)).toEqual(['created', 'created']);
});

it('counts its rows in what the caller may, and writes nothing beyond it', async () => {
  const counted: number[] = [];
  const allowance = {
    bulk<T>(rows: number, work: () => Promise<T>): Promise<T> {
      counted.push(rows);
      return rows > 2 ? Promise.reject(new DomainError('RATE_LIMITED')) : work();
    },
  };
  const call = { ...world.call, allowance };
  const before = await payoutCount();
  const bulk = (length: number) =>
    createPayoutsInBulk(call, { payouts: Array.from({ length }, () => input()) });
  expect(await codeOf(bulk(3))).toBe('RATE_LIMITED');
  expect(await payoutCount()).toBe(before);
  await bulk(2);
  expect(counted).toEqual([3, 2]);
});

it('is for those who may create payouts', async () => {
  const call = await memberCall(world.call.services, world.tenant, 'approver');
  expect(await codeOf(createPayoutsInBulk(call, { payouts: [input()] }))).toBe('forbidden');
});
