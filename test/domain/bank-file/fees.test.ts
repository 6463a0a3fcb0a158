import { describe, expect, it } from 'vitest';
import { readStoredFile } from '../../../src/domain/bank-file/read.ts';
import { notification, statement, type Movement } from '../../support/bank-answers.ts';
import { useBankInbox } from '../../support/bank-inbox.ts';
import { day, shown } from '../../support/bank-movements.ts';
import { behind, within } from '../../support/behind.ts';

const world = useBankInbox();
const { take } = world;

describe('a fee', () => {
  const fee = (more: Partial<Movement> = {}): Movement => ({
    direction: 'debit',
    amount: '1.50',
    code: 'MDOP CHRG',
    ...more,
  });
  const booked = () =>
    world.sql(
      `SELECT kind, amount_minor FROM ledger_entry WHERE source LIKE 'bank line %' ORDER BY id`,
    );

  it('is booked once where the notification lacks its reference', async () => {
    await take(notification(shown([fee()], { id: 'n' })));
    await take(statement(shown([fee({ reference: 'F1' })], { id: 's' })));
    await take(notification(shown([fee()], { id: 'n again' })));
    expect(await booked()).toEqual([{ kind: 'fee', amount_minor: '150' }]);
    // Another one of that day and amount is another one.
    await take(
      statement(shown([fee({ reference: 'F1' }), fee({ reference: 'F2' })], { id: 'two' })),
    );
    expect(await booked()).toHaveLength(2);
  });

  it('is booked once where the notification without its reference comes after the statement', async () => {
    await take(statement(shown([fee({ reference: 'F1' })], { id: 's' })));
    await take(notification(shown([fee()], { id: 'n' })));
    expect(await booked()).toEqual([{ kind: 'fee', amount_minor: '150' }]);
  });

  it.each([day, '2026-11-27'])(
    'of %s that is notified after the closing balance of 30 November is part of it',
    async (booking) => {
      await take(statement(shown([], { opening: '100.00', closing: '98.50' })));
      await take(notification(shown([fee({ reference: 'F1', day: booking })], { id: 'late' })));
      expect(await booked()).toEqual([]);
      expect(
        await world.sql('SELECT available_balance_minor AS held FROM funding_account'),
      ).toEqual([{ held: '9850' }]);
    },
  );

  it('of nothing is known and books nothing, and the rest of its file counts', async () => {
    await take(statement(shown([fee({ amount: '0.00', reference: 'F0' }), fee()])));
    expect(await world.lines()).toMatchObject([
      { match: 'fee', doubt: null, amount_minor: '0' },
      { match: 'fee', doubt: null, amount_minor: '150' },
    ]);
    expect(await booked()).toEqual([{ kind: 'fee', amount_minor: '150' }]);
  });

  it('without a day is booked, also after a closing balance', async () => {
    await take(statement(shown([], { closing: '100.00' })));
    const content = notification(shown([fee({ reference: 'F1' })], { id: 'n' }));
    await take(content.replace(/<BookgDt>[\s\S]*?<\/BookgDt>/, ''));
    expect(await booked()).toEqual([{ kind: 'fee', amount_minor: '150' }]);
  });

  it('is two where one reference has two amounts', async () => {
    const other = fee({ reference: 'F1', amount: '2.50' });
    await take(statement(shown([fee({ reference: 'F1' }), other])));
    await take(statement(shown([other], { id: 'again' })));
    expect(await booked()).toEqual([
      { kind: 'fee', amount_minor: '150' },
      { kind: 'fee', amount_minor: '250' },
    ]);
  });

  it('is one where its reference comes again on another day', async () => {
    await take(notification(shown([fee({ reference: 'F1' })], { id: 'n' })));
    await take(statement(shown([fee({ reference: 'F1', day: '2026-12-01' })], { id: 's' })));
    expect(await booked()).toHaveLength(1);
  });

  it('is booked once where a notification and the statement are read at the same moment', async () => {
    const note = await world.store(notification(shown([fee()], { id: 'n' })));
    const full = await world.store(statement(shown([fee({ reference: 'F1' })], { id: 's' })));
    await behind(
      world.harness.services.pool,
      (client) => readStoredFile(within(world.call, client), note.fileId),
      () => readStoredFile(world.call, full.fileId),
    );
    for (const { fileId } of [note, full]) await world.apply(fileId);
    expect(await booked()).toEqual([{ kind: 'fee', amount_minor: '150' }]);
  });
});
