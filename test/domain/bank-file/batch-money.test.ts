import { describe, expect, it } from 'vitest';
import { inTransaction } from '../../../src/db/pool.ts';
import { explainByHand } from '../../../src/domain/bank-file/by-hand.ts';
import {
  notification,
  statement,
  statusReport,
  type Movement,
} from '../../support/bank-answers.ts';
import { useBankInbox, type Sent } from '../../support/bank-inbox.ts';
import { back, debit, shown } from '../../support/bank-movements.ts';

/** What a bank tells of batches without a match, and of movements that only their number makes alike. */
const world = useBankInbox();
const { sent, take, stateOf, lines, contradictions } = world;

const isReplaceable = async (payoutId: string): Promise<boolean> => {
  const [row] = await world.sql<{ replaceable: boolean }>(
    `SELECT p.state IN ('failed', 'returned') AND NOT ops.is_contradicted(p.tenant_id, p.id) AS replaceable
     FROM payout p WHERE p.id = $1`,
    [payoutId],
  );
  return row?.replaceable === true;
};
const doubts = async () => (await lines()).map(({ doubt }) => String(doubt)).toSorted();

describe('a movement of a batch that is not matched', () => {
  const ofBatch = ({ message }: Sent, count: number, more: Partial<Movement> = {}): Movement => ({
    direction: 'debit',
    amount: count === 2 ? '2500.00' : '1250.00',
    batch: { message, count },
    ...more,
  });
  const refusal = (one: Sent) =>
    statusReport({
      message: one.message,
      group: 'PART',
      payments: [{ ...one, status: 'RJCT', reason: 'AC04' }],
    });
  const ofTwoBatches = (one: Sent) =>
    statement(shown([ofBatch(one, 1, { amount: '9000.00' })])).replace(
      /<NtryDtls>[\s\S]*<\/NtryDtls>/,
      `<NtryDtls><Btch><PmtInfId>${one.message}</PmtInfId></Btch></NtryDtls>
       <NtryDtls><Btch><PmtInfId>ANOTHER</PmtInfId></Btch></NtryDtls>`,
    );
  const withoutDay = (one: Sent) =>
    statement(shown([ofBatch(one, 1)])).replace(/<BookgDt>[\s\S]*?<\/BookgDt>/, '');
  const reversing = (one: Sent) => statement(shown([ofBatch(one, 1, { reversal: true })]));
  const contradicted = async ({ payout }: Sent) => {
    expect(await isReplaceable(payout)).toBe(false);
    expect(await contradictions()).toContainEqual(
      expect.objectContaining({ kind: 'outcome', payout_id: payout }),
    );
  };

  it.each([
    ['no_amount', 'first', ofTwoBatches],
    ['no_amount', 'after the refusal', ofTwoBatches],
    ['no_day', 'first', withoutDay],
    ['no_day', 'after the refusal', withoutDay],
    ['reversed', 'first', reversing],
    ['reversed', 'after the refusal', reversing],
  ] as const)('forbids the replacement of its payments: %s, %s', async (doubt, order, content) => {
    const [one] = (await sent(1)) as [Sent];
    const files = [content(one), refusal(one)];
    for (const file of order === 'first' ? files : files.toReversed()) await take(file);
    expect(await doubts()).toContain(doubt);
    await contradicted(one);
  });

  it.each(['first', 'after the refusal'])(
    'forbids that of a payment which the details of the entry leave out: %s',
    async (order) => {
      const [one, other] = (await sent(2)) as [Sent, Sent];
      const whole = statement(
        shown([debit(one, { amount: '2500.00', batch: { message: one.message, count: 2 } })]),
      ).replace(/(<\/Refs>\s*<Amt Ccy="USD">)2500\.00/, '$11250.00');
      const files = [whole, refusal(other)];
      for (const file of order === 'first' ? files : files.toReversed()) await take(file);
      expect(await doubts()).toEqual(['null', 'remainder']);
      expect(await stateOf(one.payout)).toBe('disbursed');
      await contradicted(other);
    },
  );

  it('forbids that of a payment whose batch was debited again, in part', async () => {
    const [one, other] = (await sent(2)) as [Sent, Sent];
    await take(statement(shown([debit(one)], { id: 'one' })));
    await take(statement(shown([ofBatch(one, 2, { day: '2026-12-01' })], { id: 'whole' })));
    await take(refusal(other));
    expect(await doubts()).toEqual(['null', 'second_debit']);
    await contradicted(other);
  });

  it('forbids that of a payment of a line that differed from its batch and was explained', async () => {
    const [one, other] = (await sent(3)) as [Sent, Sent, Sent];
    await take(statement(shown([ofBatch(one, 2)])));
    expect(await doubts()).toEqual(['batch_differs']);
    const line = (await lines())[0]?.id ?? '';
    const [action] = await world.sql<{ id: string }>(
      `INSERT INTO ops.action_log (action, subject_id, reason, detail, affected)
       VALUES ('explain_bank_line', $1, 'x', '{}', 1) RETURNING id`,
      [line],
    );
    const byHand = { explanation: 'the bank left one out', actionId: action?.id ?? '' };
    const refused = await inTransaction(world.harness.services.pool, (client) =>
      explainByHand(client, world.call.scope, line, byHand),
    );
    expect(refused).toBeNull();
    await take(refusal(other));
    await contradicted(other);
  });

  it('tells nothing of a payment by a fee that names it', async () => {
    const [one] = (await sent(1)) as [Sent];
    await take(statement(shown([debit(one, { amount: '1.50', code: 'MDOP CHRG' })])));
    await take(refusal(one));
    expect(await stateOf(one.payout)).toBe('failed');
    expect(await contradictions()).toEqual([]);
    expect(await isReplaceable(one.payout)).toBe(true);
  });

  it('takes back the returns of its payments: they are paid after all', async () => {
    const [one] = (await sent(1)) as [Sent];
    await take(statement(shown([ofBatch(one, 1), back(one)])));
    expect(await isReplaceable(one.payout)).toBe(true);
    await take(
      statement(shown([ofBatch(one, 1, { reversal: true, day: '2026-12-03' })], { id: 'back' })),
    );
    await contradicted(one);
  });
});

describe('a batch that is booked as one', () => {
  const whole = ({ message }: Sent, more: Partial<Movement> = {}): Movement => ({
    direction: 'debit',
    amount: '1250.00',
    batch: { message, count: 1 },
    ...more,
  });

  it('is not debited by as much of another currency', async () => {
    const [one] = (await sent(1)) as [Sent];
    const content = statement(shown([whole(one)]));
    await take(content.replace('<Amt Ccy="USD">1250.00', '<Amt Ccy="EUR">1250.00'));
    expect(await doubts()).toEqual(['batch_differs']);
    expect(await stateOf(one.payout)).toBe('approved');
  });

  it('is not debited by as much for another number of payments', async () => {
    const [one] = (await sent(1)) as [Sent];
    const batch = { message: one.message, count: 2 };
    await take(statement(shown([whole(one, { batch })])));
    expect(await doubts()).toEqual(['batch_differs']);
    expect(await stateOf(one.payout)).toBe('approved');
  });

  it('is told of payment by payment too, also where it has one payment', async () => {
    const [one] = (await sent(1)) as [Sent];
    await take(statement(shown([whole(one)])));
    await take(notification(shown([debit(one)], { id: 'n' })));
    expect(await lines()).toMatchObject([{ match: 'payout' }, { match: 'payout' }]);
    expect(await contradictions()).toEqual([]);
  });
});

describe('movements of two days whose entries have the same number', () => {
  const next = '2026-12-01';
  const booked = () =>
    world.sql(`SELECT kind, amount_minor FROM ledger_entry WHERE source LIKE 'bank line %'`);
  const onBothDays = async (movement: Movement) => {
    await take(statement(shown([{ ...movement, number: '1' }], { id: 'first' })));
    await take(statement(shown([{ ...movement, number: '1', day: next }], { id: 'second' })));
  };

  it('are two fees, or two credits', async () => {
    await onBothDays({ direction: 'debit', amount: '5.00', code: 'MDOP CHRG' });
    await onBothDays({ direction: 'credit', amount: '77.00' });
    expect(await booked()).toEqual([
      { kind: 'fee', amount_minor: '500' },
      { kind: 'fee', amount_minor: '500' },
      { kind: 'funding', amount_minor: '7700' },
      { kind: 'funding', amount_minor: '7700' },
    ]);
  });

  it.each([
    ['number', { number: '1' }],
    ['reference', { reference: 'B1' }],
  ] as const)('are the debits of two batches, also of one %s', async (_what, named) => {
    const [one] = (await sent(1)) as [Sent];
    const [two] = (await sent(1)) as [Sent];
    const whole = ({ message }: Sent, more: Partial<Movement>): Movement => ({
      direction: 'debit',
      amount: '1250.00',
      batch: { message, count: 1 },
      ...named,
      ...more,
    });
    await take(statement(shown([whole(one, {})], { id: 'first' })));
    await take(statement(shown([whole(two, { day: next })], { id: 'second' })));
    for (const { payout } of [one, two]) expect(await stateOf(payout)).toBe('disbursed');
    await take(statement(shown([whole(one, {}), whole(two, { day: next })], { id: 'again' })));
    expect(await lines()).toMatchObject([{ match: 'payout' }, { match: 'payout' }]);
  });

  it('is one movement where a notification and the statement tell of it', async () => {
    const fee = { direction: 'debit', amount: '5.00', code: 'MDOP CHRG' } as const;
    await take(notification(shown([{ ...fee, number: '1' }], { id: 'n' })));
    await take(statement(shown([{ ...fee, number: '7' }], { id: 's' })));
    expect(await booked()).toHaveLength(1);
  });
});
