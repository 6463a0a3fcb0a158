import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { createPayoutsInBulk, type BulkRow } from '../../../src/domain/payout/bulk.ts';
import { createPayout } from '../../../src/domain/payout/create.ts';
import type { PayoutCreateInput } from '../../../src/domain/payout/input.ts';
import type { Call } from '../../../src/process/services.ts';
import { fundingDesk } from '../../support/books.ts';
import { makePayee, makeTenant, type TestPayee, type TestTenant } from '../../support/factory.ts';
import { codeOf, memberCall, newPayout, payoutInput } from '../../support/payout-command.ts';
import { useHarness } from '../../support/use-harness.ts';

/* A dry run of a bulk is compared with the real request that follows it, over many random batches. */

const harness = useHarness({ worker: false });

interface World {
  readonly tenant: TestTenant;
  readonly call: Call;
  readonly payee: TestPayee;
  /** Bodies of payouts that exist. */
  readonly existing: readonly PayoutCreateInput[];
  /** Sets what there is to pay with, in minor units of USD. */
  fund(minor: number): Promise<unknown>;
}

async function worldOf(environment: 'sandbox' | 'production'): Promise<World> {
  const tenant = await makeTenant(harness, { environment });
  const payee = await makePayee(harness, tenant.key);
  const call = await memberCall(harness.services, tenant, 'owner');
  const existing = [1, 2].map((amountMinor) => payoutInput(payee, { amountMinor }));
  for (const body of existing) await createPayout(call, body);
  const desk = await fundingDesk(harness, tenant);
  const setSandbox = (minor: number) =>
    harness.rest('POST', '/v1/business/funding-account/sandbox-balance', {
      key: tenant.key,
      body: { available_balance_minor: minor, currency: 'USD' },
    });
  return {
    tenant,
    call,
    payee,
    existing,
    fund: environment === 'sandbox' ? setSandbox : (minor) => desk.enforce(minor),
  };
}

type Kind =
  | 'new'
  | 'auto'
  | 'existing'
  | 'reused'
  | 'repeats'
  | 'collides'
  | 'no amount'
  | 'other currency'
  | 'unknown account'
  | 'malformed';

const aRow = fc.record({
  kind: fc.oneof(
    { weight: 5, arbitrary: fc.constant<Kind>('new') },
    { weight: 5, arbitrary: fc.constant<Kind>('auto') },
    { weight: 2, arbitrary: fc.constantFrom<Kind>('existing', 'repeats') },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Kind>(
        'reused',
        'collides',
        'no amount',
        'other currency',
        'unknown account',
        'malformed',
      ),
    },
  ),
  amountMinor: fc.integer({ min: 1, max: 50 }),
});

const aBatch = fc.record({
  rows: fc.array(aRow, { minLength: 1, maxLength: 7 }),
  mode: fc.constantFrom('atomic' as const, 'partial' as const),
  funds: fc.constantFrom(0, 20, 60, 1_000),
});

function bodiesOf(
  { payee, existing }: World,
  rows: readonly { readonly kind: Kind; readonly amountMinor: number }[],
): (PayoutCreateInput | null)[] {
  const made: PayoutCreateInput[] = [];
  return rows.map(({ kind, amountMinor }, i) => {
    const fresh = payoutInput(payee, { amountMinor });
    const known = existing[i % existing.length] ?? fresh;
    const earlier = made[0] ?? fresh;
    const body = {
      new: fresh,
      auto: { ...fresh, validatorStrategy: 'auto' as const },
      existing: known,
      reused: { ...known, amountMinor: 999 },
      repeats: earlier,
      collides: { ...earlier, amountMinor: 998 },
      'no amount': { ...fresh, amountMinor: 0 },
      'other currency': { ...fresh, currency: 'EUR' },
      'unknown account': { ...fresh, bankAccountId: `bac_${randomUUID()}` },
      malformed: null,
    }[kind];
    if (body !== null) made.push(body);
    return body;
  });
}

/** What a row says but for the payout that it made, which a dry run cannot know. */
const told = (given: readonly BulkRow[]) =>
  given.map(({ index, idempotencyKey, status, error }) => ({
    index,
    idempotencyKey,
    status,
    error: error === null ? null : { ...error, code: error.code, message: error.message },
  }));

describe.each(['sandbox', 'production'] as const)('in %s', (environment) => {
  let world: World;
  beforeAll(async () => {
    world = await worldOf(environment);
  });

  it('answers as the real request does', async () => {
    await fc.assert(
      fc.asyncProperty(aBatch, async ({ rows, mode, funds }) => {
        await world.fund(funds);
        const payouts = bodiesOf(world, rows);
        const count = async () =>
          (
            await harness.database.pool.query('SELECT FROM payout WHERE tenant_id = $1', [
              world.tenant.tenantId,
            ])
          ).rowCount;
        const before = await count();
        const dry = await createPayoutsInBulk(world.call, { payouts, mode, dryRun: true });
        expect(await count()).toBe(before);
        const real = await createPayoutsInBulk(world.call, { payouts, mode });
        expect(told(dry)).toEqual(told(real));
        // The funds are told of what the real request creates, and of nothing else.
        expect(dry.map(({ funding }) => funding !== null)).toEqual(
          real.map(({ status }) => status === 'created'),
        );
      }),
      { numRuns: 40 },
    );
  });
});

test('a single dry run of what the funds do not cover is refused as the create is', async () => {
  const world = await worldOf('production');
  await world.fund(100);
  await newPayout(world.call, world.payee, { amountMinor: 60, validatorStrategy: 'auto' });
  const body = payoutInput(world.payee, { amountMinor: 41, validatorStrategy: 'auto' });
  expect(await codeOf(createPayout(world.call, { ...body, dryRun: true }))).toBe(
    'FUNDING_INSUFFICIENT',
  );
  const manual = await createPayout(world.call, {
    ...body,
    validatorStrategy: 'manual',
    dryRun: true,
  });
  expect(manual.funding).toEqual({ currency: 'USD', availableMinor: 40n, shortfallMinor: 1n });
});
