import { expect, it } from 'vitest';
import { matchByHand } from '../../../src/domain/bank-file/by-hand.ts';
import { matchLineByOrder } from '../../../src/domain/operator/match-bank-line.ts';
import { newId } from '../../../src/values/ids.ts';
import { statement, statusReport, type Movement } from '../../support/bank-answers.ts';
import { useBankInbox, type Sent } from '../../support/bank-inbox.ts';
import { behind } from '../../support/behind.ts';
import { makePayee, makeTenant, payoutBody } from '../../support/factory.ts';
import { newApproved } from '../../support/fake-provider.ts';

const world = useBankInbox();
const { sent, take, stateOf, lines } = world;

const nameless = (amount = '1250.00', reference = 'A'): Movement => ({
  direction: 'debit',
  amount,
  reference,
});
const take1 = (...movements: Movement[]) =>
  take(statement({ account: '000123456789', currency: 'USD', day: '2026-11-30', movements }));
const lineId = async () => (await lines())[0]?.id ?? '';

const order = async (line: string, subject: string) => {
  const text = 'SELECT ops.match_bank_line($1, $2, $3) AS id';
  const [row] = await world.sql<{ id: string }>(text, [line, subject, 'seen at the bank']);
  const actionId = row?.id ?? '';
  const { tenantId } = world.call.scope;
  await matchLineByOrder(world.call.services, { tenantId, lineId: line, actionId });
  const [log] = await world.sql<{ outcome: string }>(
    'SELECT outcome FROM ops.action_log WHERE id = $1',
    [actionId],
  );
  return log?.outcome;
};

it('matches a line with a payout by an order from SQL, once, with its record', async () => {
  const [one, two] = (await sent(2)) as [Sent, Sent];
  await take1(nameless());
  expect(await world.sql('SELECT doubt FROM ops.bank_unmatched_lines')).toEqual([
    { doubt: 'not_ours' },
  ]);
  const line = await lineId();
  expect(await order(line, one.payout)).toBe('done');
  await world.applyEvents();
  expect(await stateOf(one.payout)).toBe('disbursed');
  expect(await lines()).toMatchObject([{ match: 'payout', doubt: null }]);
  await expect(order(line, two.payout)).rejects.toThrow('is payout');
  expect(await stateOf(two.payout)).toBe('approved');
});

it('matches a line with a whole batch', async () => {
  const all = await sent(2);
  await take1(nameless('2500.00'));
  expect(await order(await lineId(), all[0]?.batch ?? '')).toBe('done');
  await world.applyEvents();
  expect(await Promise.all(all.map(({ payout }) => stateOf(payout)))).toEqual([
    'disbursed',
    'disbursed',
  ]);
});

it('takes the payments of a batch that was matched by hand for no second debit, if told that day', async () => {
  const all = await sent(2);
  const singles = all.map(({ payout, attempt }) => ({ ...nameless(), payout, attempt }));
  await take1(nameless('2500.00'));
  expect(await order(await lineId(), all[0]?.batch ?? '')).toBe('done');
  await take1(...singles);
  expect((await lines()).map(({ match }) => match)).toEqual(['payout', 'payout', 'payout']);
  expect(await world.contradictions()).toEqual([]);
});

it('matches no line with a batch whose payments are all told of', async () => {
  const all = await sent(2);
  await take1(...all.map(({ payout, attempt }) => ({ ...nameless(), payout, attempt })));
  await take1(nameless('2500.00', 'whole'));
  const line = (await lines()).find(({ match }) => match === 'unmatched')?.id ?? '';
  expect(await order(line, all[0]?.batch ?? '')).toBe('nothing_left');
});

it('leaves to a person a credit that names a batch, and returns its payments by their word', async () => {
  const all = await sent(2);
  const [one] = all as [Sent];
  const batch = { message: one.message, count: 2 };
  const credit = { direction: 'credit', amount: '2500.00', batch } as const;
  await take1({ direction: 'debit', amount: '2500.00', batch }, credit);
  expect(await lines()).toMatchObject([
    { match: 'payout' },
    { match: 'unmatched', doubt: 'batch_returned' },
  ]);
  expect(await world.sql(`SELECT 1 FROM ledger_entry WHERE kind = 'funding'`)).toEqual([]);
  const line = (await lines())[1]?.id ?? '';
  expect(await order(line, one.payout)).toBe('amount_differs');
  expect(await order(line, one.batch)).toBe('done');
  await world.applyEvents();
  const states = Promise.all(all.map(({ payout }) => stateOf(payout)));
  expect(await states).toEqual(['returned', 'returned']);
  expect(await world.contradictions()).toEqual([]);
});

it.each(['came back', 'was refused'])(
  'returns by their word what is left of a batch of which one payment %s before',
  async (before) => {
    const all = await sent(3);
    const [one] = all as [Sent];
    const { message, payout, attempt } = one;
    const returned = { direction: 'credit', returned: 'AC04', payout, attempt } as const;
    if (before === 'came back') {
      const batch = { message, count: 3 };
      await take1(
        { direction: 'debit', amount: '3750.00', batch },
        { ...returned, amount: '1250.00', reference: 'R' },
      );
    } else {
      const payments = [{ payout, attempt, status: 'RJCT', reason: 'AC04' }];
      await take(statusReport({ message, group: 'PART', payments }));
      await take1({ direction: 'debit', amount: '2500.00', batch: { message, count: 2 } });
    }
    await take1({ direction: 'credit', amount: '2500.00', batch: { message, count: 2 } });
    const line = (await lines()).find(({ doubt }) => doubt === 'batch_returned')?.id ?? '';
    expect(await order(line, one.batch)).toBe('done');
    await world.applyEvents();
    const states = await Promise.all(all.map((sentOne) => stateOf(sentOne.payout)));
    expect(states).toEqual([
      before === 'came back' ? 'returned' : 'failed',
      'returned',
      'returned',
    ]);
  },
);

it('never takes a credit for the debit of a batch', async () => {
  const all = await sent(2);
  await take1({ direction: 'credit', amount: '2500.00', code: 'ICDT RRTN' });
  expect(await order(await lineId(), all[0]?.batch ?? '')).toBe('done');
  await world.applyEvents();
  expect(await world.sql('SELECT DISTINCT kind FROM bank_match')).toEqual([{ kind: 'return' }]);
  expect(await stateOf(all[0]?.payout ?? '')).toBe('returned');
});

it('takes no debit that is a reversal for that of a batch', async () => {
  const [one] = (await sent(1)) as [Sent];
  const batch = { message: one.message, count: 1 };
  const reversal = statement({
    account: '000123456789',
    currency: 'USD',
    day: '2026-11-30',
    movements: [{ direction: 'debit', amount: '1250.00', batch }],
  }).replace('</CdtDbtInd>\n<Sts>', '</CdtDbtInd><RvslInd>true</RvslInd>\n<Sts>');
  await take(reversal);
  expect(await lines()).toMatchObject([{ match: 'unmatched', doubt: 'reversed' }]);
  expect(await stateOf(one.payout)).toBe('approved');
});

it('refuses what does not fit, and moves nothing', async () => {
  const [one] = (await sent(1)) as [Sent];
  await take1(nameless('1250.01'));
  expect(await order(await lineId(), one.payout)).toBe('amount_differs');
  const other = await world.waiting();
  expect(await order(await lineId(), other)).toBe('no_payment');
  expect(await lines()).toMatchObject([{ match: 'unmatched' }]);
  expect(await stateOf(one.payout)).toBe('approved');
});

it('matches no line by a payout that is in two files, of itself or by their word', async () => {
  const [one] = (await sent(1)) as [Sent];
  const again = newId('disbursementAttempt');
  const ids = { id: again, attempt_id: again };
  for (const table of ['disbursement_attempt', 'bank_payment']) {
    await world.sql(
      `INSERT INTO ${table} SELECT r.* FROM ${table} t CROSS JOIN LATERAL jsonb_populate_record(t, $1) r`,
      [{ ...ids, number: 2, status: 'rejected', position: 2, trace_number: null }],
    );
  }
  await take1({ ...nameless(), payout: one.payout });
  expect(await lines()).toMatchObject([{ match: 'unmatched', doubt: 'several_attempts' }]);
  expect(await order(await lineId(), one.payout)).toBe('several_attempts');
  expect(await stateOf(one.payout)).toBe('approved');
});

it.each([
  ['as it was ordered', 'USD', '124900', 'USD'],
  ['as it was booked, beside an order in another currency', 'EUR', '124999', 'USD'],
])('shows the amount that differs in SQL: %s', async (_what, ordered, minor, currency) => {
  const [one] = (await sent(1)) as [Sent];
  await take1({ ...nameless('1249.99'), payout: one.payout });
  const [account, order] = ordered === 'USD' ? ['EUR', 'USD'] : ['USD', 'EUR'];
  await world.sql(
    `UPDATE bank_line SET currency = $1, ordered_minor = 124900, ordered_currency = $2`,
    [account, order],
  );
  expect(
    await world.sql(
      'SELECT said_minor, said_currency, sent_minor, sent_currency FROM ops.bank_amount_differences',
    ),
  ).toEqual([
    { said_minor: minor, said_currency: currency, sent_minor: '125000', sent_currency: 'USD' },
  ]);
});

it('matches no line of one business with the payout of another', async () => {
  const other = await makeTenant(world.harness);
  const payee = await makePayee(world.harness, other.key);
  const body = payoutBody(payee, { validator_strategy: 'auto' });
  const foreign = await newApproved(world.harness, other.key, body);
  await take1(nameless());
  await expect(order(await lineId(), foreign)).rejects.toThrow('no payout or batch');
  expect(await world.sql('SELECT 1 FROM ops.action_log')).toEqual([]);
});

it('explains a line from SQL', async () => {
  await take1(nameless('10.00'));
  await world.sql('SELECT ops.explain_bank_line($1, $2, $3)', [await lineId(), 'Rent', 'asked']);
  expect(await world.sql('SELECT match, explanation FROM bank_line')).toEqual([
    { match: 'explained', explanation: 'Rent' },
  ]);
});

it('never matches a payment twice: a statement waits for a person who matches it at the same moment', async () => {
  const [one] = (await sent(1)) as [Sent];
  await take1(nameless());
  const line = await lineId();
  const [action] = await world.sql<{ id: string }>(
    `INSERT INTO ops.action_log (action, subject_id, reason, detail, affected)
     VALUES ('match_bank_line', $1, 'x', '{}', 1) RETURNING id`,
    [line],
  );
  const named: Movement = { ...nameless('1250.00', 'B'), payout: one.payout, attempt: one.attempt };
  const file = { account: '000123456789', currency: 'USD', day: '2026-11-30', movements: [named] };
  const byHand = { explanation: 'by hand', actionId: action?.id ?? '' };
  await behind(
    world.call.services.pool,
    (client) => matchByHand(client, world.call.scope, line, one.payout, byHand),
    () => take(statement({ ...file, id: 'later' })),
  );
  await world.applyEvents();
  expect(await world.sql('SELECT kind FROM bank_match')).toEqual([{ kind: 'debit' }]);
  expect((await lines()).map(({ doubt }) => String(doubt)).toSorted()).toEqual([
    'null',
    'second_debit',
  ]);
  expect(await world.contradictions()).toMatchObject([{ kind: 'second_payment' }]);
});
