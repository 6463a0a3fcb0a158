import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { parseReceived } from '../../tools/verify/sources.ts';
import { ibans, startBankHarness, type BankHarness } from './support/bank-harness.ts';
import { eventually } from '../support/factory.ts';
import { longTestMs } from '../support/patience.ts';
import { startReceiver, type WebhookReceiver } from '../support/receiver.ts';

/** What the bank does late, out of order or wrong, through the whole service and to its subscriber. */
let world: BankHarness;
let receiver: WebhookReceiver;

beforeAll(async () => {
  receiver = await startReceiver();
  world = await startBankHarness('folder', { WEBHOOK_EXTRA_CA_FILE: receiver.caFile });
  const made = await world.harness.rest('POST', '/v1/webhook-subscriptions', {
    key: world.tenant.key,
    body: {
      url: receiver.url,
      enabled_events: [
        'payout.disbursement_submitted',
        'payout.acknowledged',
        'payout.disbursed',
        'payout.settled',
        'payout.failed',
        'payout.returned',
      ],
    },
  });
  expect(made.status, made.text).toBe(201);
});

afterEach(() => world.control('DELETE', 'faults'));

afterAll(async () => {
  await world?.harness.close();
  await receiver?.close();
});

/** What the subscriber was told of a payout, in the order of the events, each once. */
const told = (payoutId: string): string[] => {
  const events = receiver.received
    .map(({ rawBody }) => parseReceived(rawBody.toString()))
    .filter(({ payout_id: id }) => id === payoutId);
  return [...new Map(events.map((event) => [event.id, event])).values()]
    .toSorted((one, other) => one.sequence - other.sequence)
    .map(({ type }) => type.replace('payout.', ''));
};

const rows = async (text: string, values: unknown[] = []) =>
  (await world.harness.database.pool.query(text, values)).rows;

const contradictionsOf = (payoutId: string) =>
  rows('SELECT kind FROM provider_contradiction WHERE payout_id = $1 ORDER BY kind', [payoutId]);

test(
  'a subscriber hears of a payout in euro that settles, of one that comes back and of one that is refused',
  { timeout: longTestMs },
  async () => {
    const [good, back, bad] = await Promise.all([
      world.payInEurope(ibans.usual),
      world.payInEurope(ibans['0002']),
      world.payInEurope(ibans['0001']),
    ]);
    await world.until({ [good]: 'settled', [back]: 'returned', [bad]: 'failed' });
    const ends = { [good]: 'settled', [back]: 'returned', [bad]: 'failed' };
    await eventually(() =>
      Promise.resolve(Object.entries(ends).every(([id, end]) => told(id).at(-1) === end)),
    );
    const begin = ['disbursement_submitted', 'acknowledged'];
    expect(told(good)).toEqual([...begin, 'disbursed', 'settled']);
    // The bank is a fortnight behind, so a payment may settle between its debit and its return.
    expect(told(back).filter((event) => event !== 'settled')).toEqual([
      ...begin,
      'disbursed',
      'returned',
    ]);
    expect(told(bad)).toEqual([...begin, 'failed']);
    await world.agrees();
  },
);

test(
  'answers that come late, twice and the newest first end in the same states',
  { timeout: longTestMs },
  async () => {
    await world.control('PUT', 'faults', {
      reorder_answers: true,
      repeat_answers: 1,
      copy_statements: true,
      delay_answers_ms: 500,
    });
    const paid = {
      [await world.payInEurope(ibans.usual)]: 'settled',
      [await world.payInEurope(ibans['0002'])]: 'returned',
      [await world.payInEurope(ibans['0001'])]: 'failed',
      [await world.payInAmerica('6789')]: 'settled',
      [await world.payInAmerica('0002')]: 'returned',
    };
    await world.until(paid);
    await world.agrees();
    for (const id of Object.keys(paid)) {
      expect(await contradictionsOf(id)).toEqual([]);
      expect(new Set(told(id)).size).toBe(told(id).length);
    }
  },
);

test(
  'a movement that names nothing is matched by an operator, and its payouts settle',
  { timeout: longTestMs },
  async () => {
    await world.control('PUT', 'faults', { booking: 'total' });
    const id = await world.payInAmerica('6789');
    const line = await eventually(async () => {
      await world.tick();
      const [found] = await rows(
        `SELECT id FROM bank_line WHERE match = 'unmatched' AND direction = 'debit' AND connection_id = $1`,
        [world.america],
      );
      return found?.id as string | undefined;
    });
    const [batch] = await rows('SELECT batch_id AS id FROM bank_payment WHERE payout_id = $1', [
      id,
    ]);
    const { key } = await issueOperatorKey(world.harness.database.pool, 'Ada');
    const { body } = await world.harness.graphql(
      key,
      `mutation($businessId: ID!, $line: ID!, $batch: ID!) {
        operatorBankLineMatch(businessId: $businessId, environment: sandbox, lineId: $line, subjectId: $batch,
          reason: "seen at the bank") { lineId }
      }`,
      { businessId: world.tenant.businessId, line, batch: batch?.id },
    );
    expect(body.data).toEqual({ operatorBankLineMatch: { lineId: line } });
    await world.until({ [id]: 'settled' });
    await world.agrees();
  },
);

test.each(['refuses_after_booking', 'books_after_refusing'])(
  'a refusal that a statement contradicts moves nothing and calls an operator: %s',
  { timeout: longTestMs },
  async (mistake) => {
    await world.control('PUT', 'faults', { mistake });
    const id = await world.payInEurope(ibans.usual);
    await eventually(async () => {
      await world.tick();
      const [attempt] = await rows(
        'SELECT needs_operator FROM disbursement_attempt WHERE payout_id = $1',
        [id],
      );
      return attempt?.needs_operator === true;
    });
    await world.agrees();
    expect(await contradictionsOf(id)).toMatchObject([{ kind: 'outcome' }]);
    const state = await world.stateOf(id);
    for (let more = 0; more < 3; more += 1) await world.tick();
    await world.agrees();
    expect(await world.stateOf(id)).toBe(state);
  },
);

test(
  'a debit that is off by a cent and comes back right is returned, and the books have the cent',
  { timeout: longTestMs },
  async () => {
    await world.control('PUT', 'faults', { mistake: 'other_amount' });
    const id = await world.payInEurope(ibans['0002']);
    await world.until({ [id]: 'returned' });
    await world.agrees();
    expect(await contradictionsOf(id)).toEqual([{ kind: 'amount' }]);
    const [line] = await rows(
      `SELECT l.match, l.doubt, l.amount_minor FROM bank_line l
       JOIN bank_payment p ON p.attempt_id = l.named_attempt WHERE p.payout_id = $1 AND l.direction = 'debit'`,
      [id],
    );
    expect(line).toEqual({ match: 'unmatched', doubt: 'amount_differs', amount_minor: '2000' });
  },
);

// The last one: it takes the bank so near to the day of the clock that nothing settles at once any more.
test(
  'what comes back ten days later was settled, and is returned',
  { timeout: longTestMs },
  async () => {
    const late = {
      euro: await world.payInEurope(ibans['0007']),
      dollars: await world.payInAmerica('0007'),
    };
    await world.until({ [late.euro]: 'settled', [late.dollars]: 'settled' });
    await world.control('POST', 'days', { days: 10 });
    await world.until({ [late.euro]: 'returned', [late.dollars]: 'returned' });
    for (const id of Object.values(late)) {
      await eventually(() => Promise.resolve(told(id).at(-1) === 'returned'));
      expect(told(id)).toContain('settled');
      expect(await contradictionsOf(id)).toEqual([]);
    }
    await world.agrees();
  },
);
