import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '../../../src/db/pool.ts';
import { DomainError } from '../../../src/errors/domain-error.ts';
import type { Call } from '../../../src/process/services.ts';
import { createPayoutsInBulk } from '../../../src/domain/payout/bulk.ts';
import { createPayout } from '../../../src/domain/payout/create.ts';
import { decideInBulk } from '../../../src/domain/payout/decide-bulk.ts';
import { movePayoutTo } from '../../../src/domain/payout/transition.ts';
import { behind, within } from '../../support/behind.ts';
import { fundingDesk, imbalances, sumsOf } from '../../support/books.ts';
import {
  makePayee,
  makeTenant,
  payoutBody,
  type TestPayee,
  type TestTenant,
} from '../../support/factory.ts';
import { systemCall } from '../../support/fake-provider.ts';
import { codeOf, decide, newPayout, payoutInput, refusalOf } from '../../support/payout-command.ts';
import type { RestAnswer } from '../../support/harness.ts';
import { useHarness } from '../../support/use-harness.ts';

const harness = useHarness({
  worker: false,
  env: { LOG_LEVEL: 'silent', RATE_LIMIT_THIN: '1000000' },
});

/** As many as there are connections, so that nobody waits for one. */
const racers = 8;

let tenant: TestTenant;
let payee: TestPayee;
let call: Call;
let desk: Awaited<ReturnType<typeof fundingDesk>>;
beforeEach(async () => {
  tenant = await makeTenant(harness, { environment: 'production' });
  payee = await makePayee(harness, tenant.key);
  call = await systemCall(harness.services, tenant.tenantId);
  desk = await fundingDesk(harness, tenant);
});

const sums = () => sumsOf(harness.database.pool, tenant.tenantId);
const wrong = () => imbalances(harness.database.pool, tenant.tenantId);
const payout = (amountMinor: number) => newPayout(call, payee, { amountMinor });
const auto = (amountMinor: number) =>
  payoutInput(payee, { amountMinor, validatorStrategy: 'auto' });

/** A transaction that has approved a payout and is not committed. */
const approving = (id: string) => (client: Parameters<typeof within>[1]) =>
  decide(within(call, client), id, 'approved');

const states = (rows: Awaited<ReturnType<typeof createPayoutsInBulk>>) =>
  rows.map(({ status, error }) => error?.code ?? status);

describe('an approval of more than is available', () => {
  it('is refused with the shortfall, and writes nothing', async () => {
    await desk.enforced(1_000);
    const id = await payout(1_001);
    const before = await sums();
    const answer = await harness.rest('POST', `/v1/payouts/${id}/approve`, { key: tenant.key });
    expect(answer.status).toBe(422);
    expect(answer.body.error).toMatchObject({
      code: 'FUNDING_INSUFFICIENT',
      details: [
        { field: 'amount_minor', currency: 'USD', available_minor: 1_000, shortfall_minor: 1 },
      ],
    });
    expect(await sums()).toEqual(before);
    const read = await harness.rest('GET', `/v1/payouts/${id}`, { key: tenant.key });
    expect(read.body.payout.state).toBe('pending_approval');
    await decide(call, await payout(1_000), 'approved');
    expect((await sums()).held).toBe(1_000);
    expect(await wrong()).toEqual([]);
  });

  it('is possible again once a payout gave its part back', async () => {
    await desk.enforced(1_000);
    const [first, second] = [await payout(800), await payout(300)];
    await decide(call, first, 'approved');
    expect(await codeOf(decide(call, second, 'approved'))).toBe('FUNDING_INSUFFICIENT');
    await inTransaction(call.services.pool, (client) =>
      movePayoutTo(client, call.scope, first, { trigger: 'cancel' }),
    );
    await decide(call, second, 'approved');
    expect(await wrong()).toEqual([]);
  });

  it('is refused in a currency that nobody funded', async () => {
    await desk.enforce(1_000, 'EUR');
    const error = await refusalOf(decide(call, await payout(1), 'approved'));
    expect(error.details).toMatchObject([{ available_minor: 0, shortfall_minor: 1 }]);
  });
});

describe('behind an approval that is not committed', () => {
  it('the next waits, and is refused for what the first took', async () => {
    await desk.enforced(1_000);
    const [first, second] = [await payout(600), await payout(600)];
    const got = behind(call.services.pool, approving(first), () =>
      codeOf(decide(call, second, 'approved')),
    );
    expect(await got).toBe('FUNDING_INSUFFICIENT');
    expect((await sums()).held).toBe(600);
    expect(await wrong()).toEqual([]);
  });

  it('neither a bulk decision nor auto gets past it', async () => {
    await desk.enforced(1_000);
    const [first, second, third] = [await payout(600), await payout(300), await payout(300)];
    const bulk = behind(call.services.pool, approving(first), () =>
      decideInBulk(call, [second, third], { status: 'approved', reasons: [] }),
    );
    expect((await bulk).map(({ error }) => error?.code ?? null)).toEqual([
      null,
      'FUNDING_INSUFFICIENT',
    ]);
    const fourth = await payout(100);
    const alone = behind(call.services.pool, approving(fourth), () =>
      codeOf(createPayout(call, auto(1))),
    );
    expect(await alone).toBe('FUNDING_INSUFFICIENT');
    expect((await sums()).held).toBe(1_000);
    expect(await wrong()).toEqual([]);
  });
});

it('an approval does not wait for a transaction that gave something back, which may go on to its payout', async () => {
  await desk.enforced(1_000);
  const [first, second] = [await payout(600), await payout(300)];
  await decide(call, first, 'approved');
  const canceling = (id: string) => (client: Parameters<typeof within>[1]) =>
    movePayoutTo(client, call.scope, id, { trigger: 'cancel' });
  await inTransaction(call.services.pool, async (client) => {
    await canceling(first)(client);
    await decide(call, second, 'approved');
    expect(await canceling(second)(client)).not.toBeNull();
  });
  expect((await sums()).held).toBe(0);
  expect(await wrong()).toEqual([]);
});

describe('auto in bulk', () => {
  it('creates in turn what the funds cover, and says of each other row what is missing', async () => {
    await desk.enforced(1_000);
    const payouts = [auto(600), auto(600), auto(300), payoutInput(payee), auto(101), auto(100)];
    const rows = await createPayoutsInBulk(call, { payouts });
    const short = 'FUNDING_INSUFFICIENT';
    expect(states(rows)).toEqual(['created', short, 'created', 'created', short, 'created']);
    expect(rows[4]?.error?.details).toMatchObject([{ available_minor: 100, shortfall_minor: 1 }]);
    const again = await createPayoutsInBulk(call, { payouts });
    expect(states(again)).toEqual(['replayed', short, 'replayed', 'replayed', short, 'replayed']);
    expect((await sums()).held).toBe(1_000);
    expect(await wrong()).toEqual([]);
  });

  it('creates all or none where that is asked', async () => {
    await desk.enforced(1_000);
    const payouts = [auto(600), payoutInput(payee), auto(401)];
    const rows = await createPayoutsInBulk(call, { payouts, mode: 'atomic' });
    const short = 'FUNDING_INSUFFICIENT';
    expect(states(rows)).toEqual([short, 'not_attempted', short]);
    expect((await sums()).held).toBe(0);
    await desk.recorded('funding', 1, 'line 1');
    const made = await createPayoutsInBulk(call, { payouts, mode: 'atomic' });
    expect(states(made)).toEqual(['created', 'created', 'created']);
    expect(await wrong()).toEqual([]);
  });

  it('still shows what existed before, where it creates none', async () => {
    await desk.enforced(1_000);
    const [before, manual] = [auto(600), payoutInput(payee)];
    const { payout: existing } = await createPayout(call, before);
    await createPayout(call, manual);
    const payouts = [before, manual, auto(401)];
    const rows = await createPayoutsInBulk(call, { payouts, mode: 'atomic' });
    expect(states(rows)).toEqual(['replayed', 'replayed', 'FUNDING_INSUFFICIENT']);
    expect(rows[0]?.payout?.id).toBe(existing?.id);
    expect((await sums()).held).toBe(600);
  });
});

it('a dry run tells each row what those before it leave, and holds nothing', async () => {
  await desk.enforced(1_000);
  const manual = payoutInput(payee, { amountMinor: 600 });
  const payouts = [auto(600), manual, auto(401), auto(400)];
  const rows = await createPayoutsInBulk(call, { payouts, dryRun: true });
  const [currency, before] = ['USD', await sums()];
  expect(rows.map(({ funding }) => funding)).toEqual([
    { currency, availableMinor: 1_000n, shortfallMinor: 0n },
    { currency, availableMinor: 400n, shortfallMinor: 200n },
    null,
    { currency, availableMinor: 400n, shortfallMinor: 0n },
  ]);
  // What `auto` would approve is refused, as the real request would be.
  expect(states(rows)).toEqual(['created', 'created', 'FUNDING_INSUFFICIENT', 'created']);
  expect(before.held).toBe(0);
});

it('lets exactly 100 of 300 racing approvals pass', async () => {
  await desk.enforced(100);
  const payouts = Array.from({ length: 300 }, () => payoutInput(payee, { amountMinor: 1 }));
  const made = await createPayoutsInBulk(call, { payouts });
  const ids = made.flatMap(({ payout: row }) => (row === null ? [] : [row.id]));
  expect(ids).toHaveLength(300);
  const counts = new Map<string, number>();
  const racer = async (): Promise<void> => {
    for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
      const result = await decide(call, id, 'approved').then(
        () => 'approved',
        (error: unknown) => (error instanceof DomainError ? error.code : 'another error'),
      );
      counts.set(result, (counts.get(result) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: racers }, racer));
  expect(Object.fromEntries(counts)).toEqual({ approved: 100, FUNDING_INSUFFICIENT: 200 });
  expect(await sums()).toMatchObject({ funds: 100, held: 100 });
  expect(await wrong()).toEqual([]);
});

describe('the change of the mode', () => {
  it('books the difference between what is stated and what is posted', async () => {
    await desk.balance(500);
    const answer = await desk.enforce(800);
    expect(answer.body.data.operatorFundingModeSet).toEqual({
      mode: 'enforced',
      balances: [{ currency: 'USD', postedMinor: '800', heldMinor: '0', availableMinor: '800' }],
    });
    await desk.report();
    await desk.enforced(300);
    expect(await sums()).toMatchObject({ funds: 300, external: -300 });
    expect(await wrong()).toEqual([]);
  });

  it('waits for an approval under way, and counts it', async () => {
    const [first, second] = [await payout(700), await payout(700)];
    await behind(call.services.pool, approving(first), () => desk.enforced(1_000));
    expect(await codeOf(decide(call, second, 'approved'))).toBe('FUNDING_INSUFFICIENT');
    expect(await sums()).toMatchObject({ funds: 1_000, held: 700 });
    expect(await wrong()).toEqual([]);
  });

  it('waits for the first approval of a currency, which opens its accounts', async () => {
    const [first, second] = [await payout(700), await payout(700)];
    expect(await sums()).toMatchObject({ funds: 0, held: 0 });
    await behind(call.services.pool, approving(first), () => desk.enforced(1_000));
    expect(await codeOf(decide(call, second, 'approved'))).toBe('FUNDING_INSUFFICIENT');
  });

  it('goes before an approval that comes while it is under way', async () => {
    await decide(call, await payout(1), 'approved');
    const id = await payout(1_000);
    const openings = JSON.stringify([{ currency: 'USD', amount_minor: 1_000 }]);
    const got = behind(
      call.services.pool,
      (client) =>
        client.query(
          'SELECT ready FROM command.set_ledger_mode(_tenant => $1, _mode => $2, _openings => $3, _source => $4)',
          [tenant.tenantId, 'enforced', openings, randomUUID()],
        ),
      () => codeOf(decide(call, id, 'approved')),
    );
    expect(await got).toBe('FUNDING_INSUFFICIENT');
    expect(await wrong()).toEqual([]);
  });

  it('goes before a report that comes while it is under way', async () => {
    await desk.balance(100);
    const openings = JSON.stringify([{ currency: 'USD', amount_minor: 500 }]);
    const got = behind(
      call.services.pool,
      (client) =>
        client.query(
          'SELECT ready FROM command.set_ledger_mode(_tenant => $1, _mode => $2, _openings => $3, _source => $4)',
          [tenant.tenantId, 'enforced', openings, randomUUID()],
        ),
      () => desk.balance(1_000),
    );
    expect((await got).body.errors).toBeUndefined();
    expect(await sums()).toMatchObject({ funds: 1_000, external: -1_000 });
    expect(await wrong()).toEqual([]);
  });

  it('back to reported refuses nothing, also what waited for it', async () => {
    await desk.enforced(10);
    const [first, second] = [await payout(5), await payout(1_000)];
    await behind(call.services.pool, approving(first), () => desk.report());
    await decide(call, second, 'approved');
    expect(await sums()).toMatchObject({ funds: 10, held: 1_005 });
    expect(await wrong()).toEqual([]);
  });

  it.each([
    ['enforced without a balance', { mode: 'enforced' }, 'validation_failed'],
    [
      'a currency twice',
      {
        mode: 'enforced',
        openingBalances: [1, 2].map((minor) => ({ currency: 'USD', availableBalanceMinor: minor })),
      },
      'validation_failed',
    ],
    [
      'an unknown currency',
      { mode: 'enforced', openingBalances: [{ currency: 'XXX', availableBalanceMinor: 1 }] },
      'INVALID_MONEY',
    ],
  ])('refuses %s', async (_name, given, code) => {
    const { body } = await desk.run('operatorFundingModeSet', given, 'mode');
    expect(body.errors[0].extensions.code).toBe(code);
  });
});

describe('what an operator books', () => {
  it('is booked once for its source', async () => {
    const first = await desk.record('funding', 500, 'statement 7, line 3');
    const again = await desk.record('funding', 500, 'statement 7, line 3');
    expect(again.body.data).toEqual(first.body.data);
    const other = await desk.record('fee', 500, 'statement 7, line 3');
    expect(other.body.errors[0].extensions.code).toBe('conflict');
    await desk.recorded('fee', 20, 'statement 7, line 4');
    await desk.recorded('withdrawal', 80, 'statement 7, line 5');
    expect(await sums()).toMatchObject({ funds: 400, fees: 20, external: -420 });
    expect(await wrong()).toEqual([]);
  });

  it('counts a report that names its source once, also one that changed nothing', async () => {
    const shown = async (answer: Promise<RestAnswer>) =>
      (await answer).body.data.operatorBalanceReport?.availableBalanceMinor;
    await desk.balance(500);
    expect(await shown(desk.balance(500, 'line 9'))).toBe('500');
    await desk.recorded('withdrawal', 100, 'line 10');
    expect(await shown(desk.balance(500, 'line 9'))).toBe('500');
    expect(await sums()).toMatchObject({ funds: 400 });
    await desk.balance(50, 'line 11');
    expect(await shown(desk.balance(500, 'line 9'))).toBe('50');
    const [one, two] = await Promise.all([
      desk.balance(70, 'line 12'),
      desk.balance(70, 'line 12'),
    ]);
    expect([one.body.errors, two.body.errors]).toEqual([undefined, undefined]);
    const other = await desk.balance(80, 'line 12');
    expect(other.body.errors[0].extensions.code).toBe('conflict');
    expect(await sums()).toMatchObject({ funds: 70, external: -70 });
    expect(await wrong()).toEqual([]);
  });

  it('is once the difference of a reported balance, and of a report that names its source', async () => {
    await desk.balance(500);
    await desk.balance(500);
    await desk.balance(200);
    expect(await sums()).toMatchObject({ funds: 200 });
    await desk.balance(900, 'report 9');
    await desk.recorded('withdrawal', 100, 'line 1');
    await desk.balance(900, 'report 9');
    expect(await sums()).toMatchObject({ funds: 800 });
    expect(await wrong()).toEqual([]);
  });
});

it('leaves the sandbox as it is', async () => {
  const sandbox = await makeTenant(harness);
  const { body, text } = await harness.rest(
    'POST',
    '/v1/business/funding-account/sandbox-balance',
    { key: sandbox.key, body: { available_balance_minor: 1, currency: 'USD' } },
  );
  expect(body.funding_account?.available_balance_minor, text).toBe(1);
  const of = await makePayee(harness, sandbox.key);
  const made = await harness.rest('POST', '/v1/payouts', {
    key: sandbox.key,
    body: payoutBody(of, { validator_strategy: 'auto' }),
  });
  expect(made.status, made.text).toBe(201);
  expect(await sumsOf(harness.database.pool, sandbox.tenantId)).toMatchObject({
    funds: 1,
    held: 125_000,
  });
  expect(await imbalances(harness.database.pool, sandbox.tenantId)).toEqual([]);
});
