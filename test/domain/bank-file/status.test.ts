import { describe, expect, it } from 'vitest';
import { civilDate, dayNumber } from '../../../src/values/bank-days/civil-date.ts';
import { achFile, statement, statusReport } from '../../support/bank-answers.ts';
import { useBankInbox, type Sent } from '../../support/bank-inbox.ts';

const world = useBankInbox();
const { sent, take, stateOf, contradictions, lines } = world;

const states = (all: readonly Sent[]) => Promise.all(all.map(({ payout }) => stateOf(payout)));
const debits = (all: readonly Sent[], day = '2026-11-24') =>
  statement({
    account: '000123456789',
    currency: 'USD',
    day,
    movements: all.map(({ payout, attempt }) => ({
      direction: 'debit' as const,
      amount: '1250.00',
      payout,
      attempt,
    })),
  });

it('notes that the bank has a file, and moves no payout for it', async () => {
  const all = await sent(2);
  await take(statusReport({ message: all[0]?.message ?? '', group: 'ACSC' }));
  expect(await states(all)).toEqual(['approved', 'approved']);
  const attempts = await world.sql('SELECT status, acknowledged_at FROM disbursement_attempt');
  expect(attempts).toEqual([
    { status: 'submitted', acknowledged_at: expect.any(Date) as Date },
    { status: 'submitted', acknowledged_at: expect.any(Date) as Date },
  ]);
});

it('fails every payment of a file that is refused as a whole', async () => {
  const all = await sent(2);
  await take(statusReport({ message: all[0]?.message ?? '', group: 'RJCT', reason: 'FF01' }));
  expect(await states(all)).toEqual(['failed', 'failed']);
  const [payout] = await world.sql('SELECT failure_code FROM payout LIMIT 1');
  expect(payout).toEqual({ failure_code: 'provider_rejected' });
});

it('takes a partial acceptance payment by payment', async () => {
  const all = await sent(3);
  const [good, bad, silent] = all as [Sent, Sent, Sent];
  const payments = [
    { ...good, status: 'ACSP' },
    { ...bad, status: 'RJCT', reason: 'AC04' },
  ];
  await take(statusReport({ message: good.message, group: 'PART', payments }));
  expect(await states(all)).toEqual(['approved', 'failed', 'approved']);
  const [row] = await world.sql('SELECT failure_code FROM payout WHERE id = $1', [bad.payout]);
  expect(row).toEqual({ failure_code: 'account_closed' });
  await take(debits([good, silent]));
  expect(await states(all)).toEqual(['disbursed', 'failed', 'disbursed']);
  expect(await contradictions()).toEqual([]);
});

it.each(['the refusal first', 'the debit first'])(
  'moves nothing for a refusal that a statement contradicts: %s',
  async (order) => {
    const [one] = (await sent(1)) as [Sent];
    const refusal = statusReport({ message: one.message, group: 'RJCT', reason: 'AM04' });
    const files =
      order === 'the refusal first' ? [refusal, debits([one])] : [debits([one]), refusal];
    for (const file of files) await take(file);
    expect(await stateOf(one.payout)).toBe(order === 'the refusal first' ? 'failed' : 'disbursed');
    expect(await contradictions()).toMatchObject([{ kind: 'outcome', payout_id: one.payout }]);
    const [attempt] = await world.attempts(one.payout);
    expect(attempt).toMatchObject({ needs_operator: true });
    // Nothing settles what a person has to look at.
    await world.settle(new Date('2026-12-20T12:00:00Z'));
    await world.applyEvents();
    expect(await stateOf(one.payout)).not.toBe('settled');
  },
);

it.each(['RJCT', 'CANC'])(
  'calls an operator for a payment that is executed in a file which is %s as a whole',
  async (group) => {
    const [one] = (await sent(1)) as [Sent];
    const payments = [{ ...one, status: 'ACSC' }];
    await take(statusReport({ message: one.message, group, payments }));
    expect(await stateOf(one.payout)).toBe('approved');
    expect(await contradictions()).toMatchObject([{ kind: 'outcome', payout_id: one.payout }]);
  },
);

it('settles what was contradicted once a person has found that it is as recorded', async () => {
  const [one] = (await sent(1)) as [Sent];
  await take(debits([one]));
  await take(statusReport({ message: one.message, group: 'RJCT', reason: 'AM04' }));
  const late = new Date('2026-12-20T12:00:00Z');
  await world.settle(late);
  await world.applyEvents();
  expect(await stateOf(one.payout)).toBe('disbursed');
  await world.sql(
    `SELECT ops.examine_contradiction(id, 'as_recorded', 'the bank has paid', 'case 17')
     FROM provider_contradiction`,
  );
  await world.settle(late);
  await world.applyEvents();
  expect(await stateOf(one.payout)).toBe('settled');
});

it('never fails a payment that the bank says it has already', async () => {
  const all = await sent(2);
  await take(statusReport({ message: all[0]?.message ?? '', group: 'RJCT', reason: 'DU01' }));
  expect(await states(all)).toEqual(['approved', 'approved']);
  expect(await contradictions()).toMatchObject([
    { kind: 'outcome', said: 'duplicate RJCT DU01' },
    { kind: 'outcome', said: 'duplicate RJCT DU01' },
  ]);
});

it('ends in the same state whatever comes first: statement or partial refusal of a batch that is booked as one', async () => {
  const all = await sent(3);
  const [one, two, bad] = all as [Sent, Sent, Sent];
  const whole = statement({
    account: '000123456789',
    currency: 'USD',
    day: '2026-11-24',
    movements: [
      { direction: 'debit', amount: '2500.00', batch: { message: one.message, count: 2 } },
    ],
  });
  const refusal = statusReport({
    message: one.message,
    group: 'PART',
    payments: [{ ...bad, status: 'RJCT', reason: 'AC01' }],
  });
  await take(whole);
  expect(await lines()).toMatchObject([{ match: 'unmatched', doubt: 'batch_differs' }]);
  await take(refusal);
  expect(await states([one, two, bad])).toEqual(['disbursed', 'disbursed', 'failed']);
  expect(await lines()).toMatchObject([{ match: 'payout', doubt: null }]);
  expect(await contradictions()).toEqual([]);
});

it.each(['ABCD', 'RCVD'])(
  'calls an operator for the status %s alone if nobody knows it',
  async (status) => {
    const [one] = (await sent(1)) as [Sent];
    await take(
      statusReport({ message: one.message, group: 'PART', payments: [{ ...one, status }] }),
    );
    expect(await stateOf(one.payout)).toBe('approved');
    expect((await contradictions()).map(({ said }) => said)).toEqual(
      status === 'ABCD' ? ['unknown ABCD'] : [],
    );
  },
);

it('fails a payout that the bank has, and its file is rejected', async () => {
  const [one] = (await sent(1)) as [Sent];
  await world.send(one.batch);
  expect(await world.batches()).toMatchObject([{ status: 'sent' }]);
  await take(statusReport({ message: one.message, group: 'RJCT', reason: 'FF01' }));
  expect(await world.batches()).toMatchObject([{ status: 'rejected' }]);
});

it('rejects no file of which the bank calls something executed', async () => {
  const [one] = (await sent(1)) as [Sent];
  await world.send(one.batch);
  const payments = [{ ...one, status: 'RJCT', reason: 'AC04' }];
  await take(statusReport({ message: one.message, group: 'ACSC', payments }));
  expect(await world.batches()).toMatchObject([{ status: 'sent' }]);
});

it('tells of a return no sooner than of the day on which it was paid', async () => {
  const [one] = (await sent(1)) as [Sent];
  const before = civilDate(dayNumber(one.executionDate) - 1);
  const file = [{ trace: one.trace ?? '', code: 'R03', cents: 125_000 }];
  await take(achFile(file, before.replaceAll('-', '').slice(2)));
  await take(debits([one], one.executionDate));
  expect(await stateOf(one.payout)).toBe('returned');
  expect(await contradictions()).toEqual([]);
});

it('touches no payment of another connection', async () => {
  const [one] = (await sent(1)) as [Sent];
  const other = await world.connect();
  await take(statusReport({ message: one.message, group: 'RJCT' }), other);
  await take(debits([one]), other);
  expect(await stateOf(one.payout)).toBe('approved');
  expect(await lines()).toMatchObject([{ match: 'unmatched', doubt: 'not_ours' }]);
});

it('returns what comes back through the ACH, and leaves a duplicate to a person', async () => {
  const [back, twice] = (await sent(2)) as [Sent, Sent];
  const file = achFile([
    { trace: back.trace ?? '', code: 'R03', cents: 125_000 },
    { trace: twice.trace ?? '', code: 'R24', cents: 125_000 },
    { trace: '021000029999999', code: 'R03', cents: 1 },
  ]);
  await take(file);
  expect(await states([back, twice])).toEqual(['returned', 'approved']);
  const [row] = await world.sql('SELECT failure_code FROM payout WHERE id = $1', [back.payout]);
  expect(row).toEqual({ failure_code: 'invalid_account' });
  expect(await contradictions()).toMatchObject([{ payout_id: twice.payout, said: 'return R24' }]);
});

describe('a file of which nobody knew whether the bank has it', () => {
  const unknown = async (batch: string) => {
    await world.sql(
      `UPDATE bank_batch SET status = 'unknown', needs_operator = true, problem = 'who knows', stagings = 1
       WHERE id = $1`,
      [batch],
    );
  };
  const known = { status: 'sent', needs_operator: false, problem: null };

  it.each([
    [
      'names one of its payments',
      ({ payout, attempt }: Sent) => [{ payout, attempt, status: 'PDNG' }],
    ],
    ['names none', () => []],
  ])('is sent when a report answers that %s', async (_what, payments) => {
    const [one] = (await sent(2)) as [Sent];
    await unknown(one.batch);
    await take(statusReport({ message: one.message, group: 'PART', payments: payments(one) }));
    expect(await world.batches()).toMatchObject([known]);
    expect(await stateOf(one.payout)).toBe('approved');
  });

  it.each([
    ['a worker has begun to send it', 'stagings = 1', 'sent'],
    ['a person has downloaded it', `downloaded_by = '{ada}'`, 'sent'],
    ['nobody has begun to bring it', 'stagings = 0', 'closed'],
  ])('is known by its answer where %s', async (_what, begun, status) => {
    const [one] = (await sent(1)) as [Sent];
    await world.sql(`UPDATE bank_batch SET status = 'closed', ${begun} WHERE id = $1`, [one.batch]);
    await take(statusReport({ message: one.message, group: 'ACSP' }));
    expect(await world.batches()).toMatchObject([{ status }]);
  });

  it('is sent when a statement shows the debit of one of its payments', async () => {
    const [one, other] = (await sent(2)) as [Sent, Sent];
    await unknown(one.batch);
    await take(debits([one]));
    expect(await world.batches()).toMatchObject([known]);
    expect(await states([one, other])).toEqual(['disbursed', 'approved']);
  });

  it('is sent when a payment of it comes back through the ACH', async () => {
    const [one] = (await sent(1)) as [Sent];
    await unknown(one.batch);
    await take(achFile([{ trace: one.trace ?? '', code: 'R03', cents: 125_000 }]));
    expect(await world.batches()).toMatchObject([known]);
  });

  it('stays with the operator when the statement shows another', async () => {
    const [one] = (await sent(1)) as [Sent];
    await unknown(one.batch);
    const [other] = (await sent(1)) as [Sent];
    await take(debits([other]));
    expect(await world.batches()).toContainEqual(
      expect.objectContaining({ id: one.batch, status: 'unknown', needs_operator: true }),
    );
  });
});
