import { expect, it } from 'vitest';
import { achFile, notification, statement, statusReport } from '../../support/bank-answers.ts';
import { useBankInbox, type Sent } from '../../support/bank-inbox.ts';
import { back, debit, shown } from '../../support/bank-movements.ts';

/** What the accounts of a business hold, by closing balances and by what is told of later days. */
const world = useBankInbox();
const { sent, take, stateOf } = world;

const later = '2026-12-01';
const fee = { direction: 'debit', amount: '1.50', reference: 'F', code: 'MDOP CHRG' } as const;
const closing = (amount: string, more: object = {}) =>
  statement(shown([], { closing: amount, ...more }));

const available = async () => {
  const text = 'SELECT available_balance_minor AS minor FROM funding_account';
  return (await world.sql<{ minor: string }>(text))[0]?.minor;
};

it('takes what moved later off the account alone on which it moved', async () => {
  const [one] = (await sent(1)) as [Sent];
  const other = await world.connect();
  await take(notification(shown([debit(one), fee], { id: 'n', day: later })));
  expect(await stateOf(one.payout)).toBe('disbursed');
  await take(closing('10000.00'));
  await take(closing('500.00', { id: 'other' }), other);
  expect(await available()).toBe('924850');
});

it('leaves out the account of a connection that is closed', async () => {
  const { connection } = world.bank;
  const other = await world.connect();
  await take(closing('1000.00'));
  await take(closing('500.00', { id: 'other' }), other);
  expect(await available()).toBe('150000');
  await world.routeTo(other);
  await world.sql(`SELECT ops.set_bank_connection_status($1, 'closed', 1, 'moved')`, [connection]);
  await take(closing('400.00', { id: 'next', day: later }), other);
  expect(await available()).toBe('40000');
});

it('takes nothing off for the debit of a payout that the books do not have as paid', async () => {
  const [one] = (await sent(1)) as [Sent];
  await take(statusReport({ message: one.message, group: 'RJCT', reason: 'AM04' }));
  await take(notification(shown([debit(one, { day: later })], { id: 'n' })));
  expect(await stateOf(one.payout)).toBe('failed');
  await take(closing('10000.00'));
  expect(await available()).toBe('1000000');
});

it('adds no return of which no debit was told, however often it is', async () => {
  const [one] = (await sent(1)) as [Sent];
  await take(achFile([{ trace: one.trace ?? '', code: 'R03', cents: 125_000 }]));
  await take(notification(shown([back(one)], { id: 'n1' })));
  await take(notification(shown([back(one, { day: '2026-12-03' })], { id: 'n2' })));
  expect((await world.lines()).map(({ match }) => match)).toEqual(['return', 'unmatched']);
  await take(closing('10000.00'));
  expect(await available()).toBe('1000000');
});
