import { describe, expect, it } from 'vitest';
import { notification, statement, type Movement } from '../../support/bank-answers.ts';
import { useBankInbox, type Sent } from '../../support/bank-inbox.ts';
import { debit, shown } from '../../support/bank-movements.ts';

/** Movements that are parts of one entry, and entries that reverse a movement which nothing told of. */
const world = useBankInbox();
const { sent, take, stateOf, contradictions } = world;

const ofBatch = ({ message }: Sent, more: Partial<Movement> = {}): Movement => ({
  direction: 'debit',
  amount: '1250.00',
  batch: { message, count: 1 },
  ...more,
});
const doubts = async () => (await world.lines()).map(({ doubt }) => String(doubt)).toSorted();

/** Several movements as the parts of one entry, which has a reference. */
function inOneEntry(movements: readonly Movement[], amount: string, reference: string): string {
  const entries = statement(shown(movements, { id: reference })).match(
    /<NtryDtls>[\s\S]*?<\/NtryDtls>/g,
  );
  const whole = statement(shown([{ direction: 'debit', amount, reference }], { id: reference }));
  return whole.replace(/<NtryDtls>[\s\S]*<\/NtryDtls>/, (entries ?? []).join(''));
}

describe('payments that a statement shows as the parts of one entry', () => {
  it('are those that a notification shows as entries with references of their own', async () => {
    const [one, two] = (await sent(2)) as [Sent, Sent];
    const alone = [debit(one, { reference: 'E1' }), debit(two, { reference: 'E2' })];
    await take(notification(shown(alone, { id: 'n' })));
    await take(inOneEntry([debit(one), debit(two)], '2500.00', 'B1'));
    expect(await doubts()).toEqual(['null', 'null']);
    expect(await contradictions()).toEqual([]);
    for (const { payout } of [one, two]) expect(await stateOf(payout)).toBe('disbursed');
  });

  it('are debited again by the parts of another entry', async () => {
    const [one, two] = (await sent(2)) as [Sent, Sent];
    await take(inOneEntry([debit(one), debit(two)], '2500.00', 'B1'));
    await take(inOneEntry([debit(one), debit(two)], '2500.00', 'B1').replace('>B1<', '>again<'));
    expect(await doubts()).toEqual(['null', 'null']);
    await take(inOneEntry([debit(one), debit(two)], '2500.00', 'B2'));
    expect(await doubts()).toEqual(['null', 'null', 'second_debit', 'second_debit']);
    expect(await contradictions()).toMatchObject([
      { kind: 'second_payment' },
      { kind: 'second_payment' },
    ]);
  });
});

describe('batches that a statement shows as the parts of one entry', () => {
  const withTotals = (content: string) =>
    content.replaceAll(
      '</NbOfTxs></Btch>',
      '</NbOfTxs><TtlAmt Ccy="USD">1250.00</TtlAmt><CdtDbtInd>DBIT</CdtDbtInd></Btch>',
    );

  it('are those that a notification shows as entries with references of their own', async () => {
    const [one] = (await sent(1)) as [Sent];
    const [two] = (await sent(1)) as [Sent];
    const alone = [ofBatch(one, { reference: 'E1' }), ofBatch(two, { reference: 'E2' })];
    await take(notification(shown(alone, { id: 'n' })));
    await take(withTotals(inOneEntry([ofBatch(one), ofBatch(two)], '2500.00', 'B1')));
    expect(await doubts()).toEqual(['null', 'null']);
    expect(await contradictions()).toEqual([]);
    for (const { payout } of [one, two]) expect(await stateOf(payout)).toBe('disbursed');
  });
});

describe('a reversing debit', () => {
  it('is no debit which a credit gives back, whichever comes first', async () => {
    const [one, two] = (await sent(2)) as [Sent, Sent];
    const reversing = (it: Sent) => debit(it, { reversal: true });
    const credit = (it: Sent) => debit(it, { direction: 'credit', returned: 'AC04' });
    await take(statement(shown([reversing(one), credit(two)], { id: 'first' })));
    await take(statement(shown([credit(one), reversing(two)], { id: 'second' })));
    expect(await doubts()).toEqual(['no_debit', 'no_debit', 'reversed', 'reversed']);
    for (const { payout } of [one, two]) expect(await stateOf(payout)).toBe('approved');
  });

  it('does not make two debits of one', async () => {
    const [one] = (await sent(1)) as [Sent];
    await take(statement(shown([debit(one), debit(one, { reversal: true })], { id: 'first' })));
    await take(
      statement(shown([debit(one, { direction: 'credit', returned: 'AC04' })], { id: 'second' })),
    );
    expect(await stateOf(one.payout)).toBe('returned');
  });
});

describe('an entry', () => {
  it('is another movement than one that reverses it, of the same day and without references', async () => {
    const [one] = (await sent(1)) as [Sent];
    const credit = debit(one, { direction: 'credit', returned: 'AC04' });
    await take(statement(shown([debit(one), credit], { id: 'first' })));
    expect(await stateOf(one.payout)).toBe('returned');
    await take(statement(shown([debit(one, { reversal: true })], { id: 'second' })));
    expect(await doubts()).toEqual(['null', 'null', 'reversed']);
    expect(await contradictions()).toMatchObject([{ kind: 'outcome', payout_id: one.payout }]);
  });

  it('has its remainder as a line also after one whose payments have no amounts', async () => {
    const all = await sent(3);
    const [one, two, three] = all as [Sent, Sent, Sent];
    const noAmounts = inOneEntry([debit(one), debit(two)], '2500.00', 'A').replaceAll(
      '<Amt Ccy="USD">1250.00</Amt>',
      '',
    );
    const remaining = inOneEntry([debit(three)], '1300.00', 'B');
    const entry = /<Ntry>[\s\S]*<\/Ntry>/.exec(remaining)?.[0] ?? '';
    await take(noAmounts.replace('</Ntry>', `</Ntry>${entry}`));
    expect(await doubts()).toEqual(['no_amount', 'no_amount', 'null', 'remainder']);
    expect(await stateOf(three.payout)).toBe('disbursed');
  });
});

describe('a batch that is debited twice as a whole', () => {
  it.each(['one file', 'two files'])(
    'gives back none of its payments by a credit, which may take back the double: %s',
    async (where) => {
      const all = await sent(2);
      const [one] = all as [Sent, Sent];
      const whole = (reference: string) =>
        ofBatch(one, { amount: '2500.00', batch: { message: one.message, count: 2 }, reference });
      const back = all.map((it) => debit(it, { direction: 'credit', reversal: true }));
      if (where === 'one file') {
        await take(statement(shown([whole('A'), whole('B'), ...back], { id: 'all' })));
      } else {
        await take(statement(shown([whole('A')], { id: 'first' })));
        await take(statement(shown([whole('B')], { id: 'second' })));
        await take(statement(shown(back, { id: 'back' })));
      }
      expect(await doubts()).toEqual(['null', 'second_debit', 'several_debits', 'several_debits']);
      for (const { payout } of all) expect(await stateOf(payout)).toBe('disbursed');
    },
  );
});
