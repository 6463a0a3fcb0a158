import { expect, test } from 'vitest';
import { fundingDesk } from '../../support/books.ts';
import { makePayee, makeTenant, payoutBody } from '../../support/factory.ts';
import { systemCall } from '../../support/fake-provider.ts';
import { decide, move, newPayout } from '../../support/payout-command.ts';
import { useHarness } from '../../support/use-harness.ts';

/*
 * What is shown of the funds, on each surface, against a reckoning of its own: from what came in and what became
 * of each payout, without a look at the books.
 */

const harness = useHarness({ worker: false });

const opening = 1_000_000;

/** What becomes of a payout after its creation, step by step, and where its money is then. */
const lives = {
  waits: { steps: [], place: 'funds' },
  rejected: { steps: ['reject'], place: 'funds' },
  held: { steps: ['approve'], place: 'held' },
  canceled: { steps: ['approve', 'cancel'], place: 'funds' },
  failed: { steps: ['approve', 'fail'], place: 'funds' },
  'under way': { steps: ['approve', 'disburse'], place: 'in transit' },
  'failed on its way': { steps: ['approve', 'disburse', 'fail'], place: 'funds' },
  'returned on its way': { steps: ['approve', 'disburse', 'return'], place: 'funds' },
  settled: { steps: ['approve', 'disburse', 'settle'], place: 'paid' },
  'returned later': { steps: ['approve', 'disburse', 'settle', 'return'], place: 'funds' },
} as const;
type Life = keyof typeof lives;
type Step = (typeof lives)[Life]['steps'][number];

async function world(environment: 'sandbox' | 'production') {
  const tenant = await makeTenant(harness, { environment });
  const payee = await makePayee(harness, tenant.key);
  const call = await systemCall(harness.services, tenant.tenantId);
  const failure = { code: 'other', message: 'no' };
  const step = (id: string, how: Step): Promise<unknown> => {
    if (how === 'approve') return decide(call, id, 'approved');
    if (how === 'reject') return decide(call, id, 'rejected');
    const fails = how === 'fail' || how === 'return';
    return move(call, id, { trigger: how, ...(fails ? { failure } : {}) });
  };

  async function shown() {
    const rest = await harness.rest('GET', '/v1/funding/account', { key: tenant.key });
    const balance = '{ currency postedMinor heldMinor availableMinor inTransitMinor paidMinor }';
    const graph = await harness.graphql(
      tenant.key,
      `{ fundingAccount { availableBalanceMinor postedMinor heldMinor inTransitMinor balances ${balance} }
        books { mode balances ${balance} } }`,
    );
    const dry = await harness.rest('POST', '/v1/payouts', {
      key: tenant.key,
      body: payoutBody(payee, { dry_run: true, amount_minor: 1 }),
    });
    return { rest: rest.body.funding_account, ...graph.body.data, outlook: dry.body.funding };
  }
  return { tenant, payee, call, step, shown };
}

test('what is available is shown alike on each surface, whatever became of each payout', async () => {
  const { tenant, payee, call, step, shown } = await world('production');
  const desk = await fundingDesk(harness, tenant);
  await desk.balance(opening);
  await desk.enforced(opening);
  const places: Record<string, number> = { held: 0, 'in transit': 0, paid: 0, funds: 0 };
  let amountMinor = 1;
  for (const { steps, place } of Object.values(lives)) {
    // Powers of two: no other set of payouts has the same sum.
    amountMinor *= 2;
    const id = await newPayout(call, payee, { amountMinor });
    for (const how of steps) {
      await step(id, how);
      // In between, too, all of them say the same.
      const { rest, fundingAccount, books, outlook } = await shown();
      const said = [
        rest.available_balance_minor,
        rest.balances[0].available_minor,
        Number(fundingAccount.availableBalanceMinor),
        Number(books.balances[0].availableMinor),
        outlook.available_minor,
      ];
      expect(new Set(said), `${id} ${how}`).toEqual(new Set([said[0]]));
    }
    places[place] = (places[place] ?? 0) + amountMinor;
  }
  const { held = 0, 'in transit': inTransit = 0, paid = 0 } = places;
  const posted = opening - inTransit - paid;
  const available = posted - held;
  const { rest, fundingAccount, books, outlook } = await shown();
  const line = {
    posted_minor: posted,
    held_minor: held,
    in_transit_minor: inTransit,
  };
  expect(rest).toMatchObject({ mode: 'enforced', available_balance_minor: available, ...line });
  expect(rest.balances).toMatchObject([{ ...line, available_minor: available, paid_minor: paid }]);
  const digits = {
    postedMinor: String(posted),
    heldMinor: String(held),
    inTransitMinor: String(inTransit),
  };
  const inBooks = { ...digits, availableMinor: String(available), paidMinor: String(paid) };
  expect(fundingAccount).toMatchObject({ ...digits, availableBalanceMinor: String(available) });
  expect(fundingAccount.balances).toMatchObject([inBooks]);
  expect(books).toMatchObject({ mode: 'enforced', balances: [inBooks] });
  expect(outlook).toEqual({ currency: 'USD', available_minor: available, shortfall_minor: 0 });
  // What is shown as available can be approved to the last unit, and not one more.
  const last = await newPayout(call, payee, { amountMinor: available });
  const more = await newPayout(call, payee, { amountMinor: 1 });
  await step(last, 'approve');
  const refused = await harness.rest('POST', `/v1/payouts/${more}/approve`, { key: tenant.key });
  expect(refused.body.error.code).toBe('FUNDING_INSUFFICIENT');
  expect((await shown()).rest.available_balance_minor).toBe(0);
});

test('a sandbox shows what was reported, and draws nothing down for payouts that are held or under way', async () => {
  const { tenant, payee, call, step, shown } = await world('sandbox');
  await harness.rest('POST', '/v1/business/funding-account/sandbox-balance', {
    key: tenant.key,
    body: { available_balance_minor: opening, currency: 'USD' },
  });
  for (const { steps } of Object.values(lives)) {
    const id = await newPayout(call, payee, { amountMinor: 7 });
    for (const how of steps) await step(id, how);
  }
  const { rest, fundingAccount, outlook } = await shown();
  expect(rest).toMatchObject({
    available_balance_minor: opening,
    held_minor: 7,
    in_transit_minor: 7,
  });
  expect(fundingAccount).toMatchObject({ availableBalanceMinor: String(opening), heldMinor: '7' });
  expect(outlook.available_minor).toBe(opening);
});

test('where no account is provisioned the books are shown all the same', async () => {
  const tenant = await makeTenant(harness, { environment: 'production', funded: false });
  await (await fundingDesk(harness, tenant)).enforced(300_000);
  const query = '{ fundingAccount { id } books { mode balances { currency availableMinor } } }';
  const { body } = await harness.graphql(tenant.key, query);
  expect(body.data).toEqual({
    fundingAccount: null,
    books: { mode: 'enforced', balances: [{ currency: 'USD', availableMinor: '300000' }] },
  });
  const { key } = tenant;
  const account = await harness.rest('GET', '/v1/funding/account', { key });
  expect(account.status).toBe(404);
  expect(account.body.error.code).toBe('FUNDING_DEDICATED_ACCOUNT_NOT_PROVISIONED');
  const books = await harness.rest('GET', '/v1/funding/books', { key });
  expect(books.status).toBe(200);
  expect(books.body).toMatchObject({
    books: { mode: 'enforced', balances: [{ currency: 'USD', available_minor: 300_000 }] },
  });
});
