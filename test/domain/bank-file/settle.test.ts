import { expect, it } from 'vitest';
import { applyBankFile } from '../../../src/domain/bank-file/apply.ts';
import { readStoredFile } from '../../../src/domain/bank-file/read.ts';
import { statement } from '../../support/bank-answers.ts';
import { useBankInbox, type Sent } from '../../support/bank-inbox.ts';
import { back, debit, shown } from '../../support/bank-movements.ts';

const world = useBankInbox();
const { sent, take, stateOf } = world;

/** Five bank days of the Federal Reserve after Monday, 30 November. */
const due = new Date('2026-12-08T12:00:00Z');

async function settle(): Promise<void> {
  await world.settle(due);
  await world.applyEvents();
}

it('settles a payout that has not heard of its debit yet once it has', async () => {
  const [one] = (await sent(1)) as [Sent];
  const { fileId } = await world.store(statement(shown([debit(one)])));
  await readStoredFile(world.call, fileId);
  await applyBankFile(world.call, fileId);
  await world.settle(due);
  expect(await stateOf(one.payout)).toBe('approved');
  await world.applyEvents();
  expect(await stateOf(one.payout)).toBe('disbursed');
  await settle();
  expect(await stateOf(one.payout)).toBe('settled');
});

it('settles by the day of the bank, whose midnight comes after that of UTC', async () => {
  const [one] = (await sent(1)) as [Sent];
  await take(statement(shown([debit(one)])));
  await world.settle(new Date('2026-12-08T03:00:00Z'));
  await world.applyEvents();
  expect(await stateOf(one.payout)).toBe('disbursed');
  await settle();
  expect(await stateOf(one.payout)).toBe('settled');
});

it('returns a settled payout that came back on a day before it was settled', async () => {
  const [one] = (await sent(1)) as [Sent];
  await take(statement(shown([debit(one)])));
  await settle();
  expect(await stateOf(one.payout)).toBe('settled');
  await take(statement(shown([back(one, { day: '2026-12-04' })], { id: 'late' })));
  expect(await stateOf(one.payout)).toBe('returned');
  expect(await world.contradictions()).toEqual([]);
});

it('tells nothing of a payout that came back', async () => {
  const [one] = (await sent(1)) as [Sent];
  await take(statement(shown([debit(one), back(one)])));
  await settle();
  expect(await stateOf(one.payout)).toBe('returned');
  expect(await world.contradictions()).toEqual([]);
  expect(await world.sql(`SELECT 1 FROM provider_event WHERE event_id LIKE 'settled %'`)).toEqual(
    [],
  );
});
