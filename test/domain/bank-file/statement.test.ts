import { describe, expect, it } from 'vitest';
import { inTransaction } from '../../../src/db/pool.ts';
import { lockBooks } from '../../../src/domain/ledger/store.ts';
import { achFile, notification, statement, type Movement } from '../../support/bank-answers.ts';
import { useBankInbox, type Sent } from '../../support/bank-inbox.ts';
import { back, day, debit, shown } from '../../support/bank-movements.ts';
import { imbalances, sumsOf } from '../../support/books.ts';
import { sessionsWait } from '../../support/sessions-wait.ts';

const world = useBankInbox();
const { sent, take, stateOf, lines, contradictions } = world;

const states = (all: readonly Sent[]) => Promise.all(all.map(({ payout }) => stateOf(payout)));

it('disburses what a statement debits, once, however often and in which files it is told', async () => {
  const [one, two] = (await sent(2)) as [Sent, Sent];
  await take(notification(shown([debit(one)])));
  expect(await states([one, two])).toEqual(['disbursed', 'approved']);
  await take(statement(shown([debit(one), debit(two)])));
  await take(statement(shown([debit(one), debit(two)], { id: 'again' })));
  expect(await states([one, two])).toEqual(['disbursed', 'disbursed']);
  expect(await lines()).toMatchObject([{ match: 'payout' }, { match: 'payout' }]);
  expect(await contradictions()).toEqual([]);
  expect(await world.sql(`SELECT kind, settles FROM bank_match`)).toEqual([
    { kind: 'debit', settles: true },
    { kind: 'debit', settles: true },
  ]);
});

it('returns what comes back, in either order and after it was settled', async () => {
  const [early, late] = (await sent(2)) as [Sent, Sent];
  await take(notification(shown([back(early)])));
  expect(await stateOf(early.payout)).toBe('approved');
  expect(await lines()).toMatchObject([{ match: 'unmatched', doubt: 'no_debit' }]);
  await take(statement(shown([debit(early), debit(late)])));
  expect(await states([early, late])).toEqual(['returned', 'disbursed']);
  // Five bank days of the Federal Reserve after Monday, 30 November.
  await world.settle(new Date('2026-12-07T23:00:00Z'));
  await world.applyEvents();
  expect(await stateOf(late.payout)).toBe('disbursed');
  await world.settle(new Date('2026-12-08T12:00:00Z'));
  await world.applyEvents();
  expect(await states([early, late])).toEqual(['returned', 'settled']);
  await take(statement(shown([back(late, { day: '2026-12-29' })], { day: '2026-12-29' })));
  expect(await states([early, late])).toEqual(['returned', 'returned']);
  expect(await contradictions()).toEqual([]);
  const [row] = await world.sql('SELECT failure_code FROM payout WHERE id = $1', [late.payout]);
  expect(row).toEqual({ failure_code: 'account_closed' });
});

it('finds a payment by its trace number alone', async () => {
  const [one] = (await sent(1)) as [Sent];
  await take(statement(shown([{ direction: 'debit', amount: '1250.00', trace: one.trace ?? '' }])));
  expect(await stateOf(one.payout)).toBe('disbursed');
});

it('leaves pending movements and those of other accounts alone', async () => {
  const [one] = (await sent(1)) as [Sent];
  await take(statement(shown([debit(one, { pending: true })])));
  await take(statement(shown([debit(one)], { account: '999', id: 'other' })));
  await take(statement(shown([debit(one)], { currency: 'EUR', id: 'euro' })));
  expect(await lines()).toEqual([]);
  expect(await stateOf(one.payout)).toBe('approved');
});

it('moves nothing for another amount, and calls an operator', async () => {
  const [one] = (await sent(1)) as [Sent];
  await take(statement(shown([debit(one, { amount: '1249.99' })])));
  expect(await stateOf(one.payout)).toBe('approved');
  expect(await lines()).toMatchObject([
    { match: 'unmatched', doubt: 'amount_differs', named_attempt: one.attempt },
  ]);
  expect(await contradictions()).toMatchObject([{ kind: 'amount', said: '124999' }]);
});

it('calls an operator for a second debit, in one statement and on another day', async () => {
  const [one, two] = (await sent(2)) as [Sent, Sent];
  await take(statement(shown([debit(one), debit(one), debit(two)])));
  await take(statement(shown([debit(two, { day: '2026-12-01' })], { id: 'next' })));
  const doubts = (await lines()).map(({ doubt }) => String(doubt)).toSorted();
  expect(doubts).toEqual(['null', 'null', 'second_debit', 'second_debit']);
  expect(await contradictions()).toMatchObject([
    { kind: 'second_payment', payout_id: one.payout },
    { kind: 'second_payment', payout_id: two.payout },
  ]);
});

it('matches a batch that is booked as one, and the single payments that follow', async () => {
  const all = await sent(3);
  const message = all[0]?.message ?? '';
  const whole = { direction: 'debit', amount: '3750.00', batch: { message, count: 3 } } as const;
  await take(statement(shown([whole])));
  expect(await states(all)).toEqual(['disbursed', 'disbursed', 'disbursed']);
  await take(notification(shown(all.map((one) => debit(one)))));
  expect((await lines()).map(({ match }) => match)).toEqual([
    'payout',
    'payout',
    'payout',
    'payout',
  ]);
  expect(await contradictions()).toEqual([]);
});

it.each(['one statement', 'two statements'])(
  'calls an operator for a second line of a batch whose payments were told of one by one, in %s',
  async (where) => {
    const all = await sent(2);
    const batch = { message: all[0]?.message ?? '', count: 2 };
    const whole = (reference: string): Movement => ({
      direction: 'debit',
      amount: '2500.00',
      reference,
      batch,
    });
    await take(notification(shown(all.map((one) => debit(one)))));
    if (where === 'one statement') await take(statement(shown([whole('A'), whole('B')])));
    else {
      await take(statement(shown([whole('A')])));
      expect(await contradictions()).toEqual([]);
      await take(statement(shown([whole('B')], { id: 'again' })));
    }
    const doubts = (await lines()).map(({ doubt }) => String(doubt)).toSorted();
    expect(doubts).toEqual(['null', 'null', 'null', 'second_debit']);
    const called = (await contradictions()).map(({ payout_id: id }) => id).toSorted();
    expect(called).toEqual(all.map(({ payout }) => payout).toSorted());
  },
);

it('leaves to a person what matches nothing, and counts a credit as money that came in', async () => {
  await take(
    statement(
      shown([
        { direction: 'debit', amount: '10.00', reference: 'A' },
        { direction: 'debit', amount: '1.50', reference: 'B', code: 'MDOP CHRG' },
        { direction: 'credit', amount: '5000.00', reference: 'C', code: 'RCDT ESCT' },
        { direction: 'credit', amount: '7.00', reference: 'D', code: 'ICDT RRTN' },
      ]),
    ),
  );
  expect(await lines()).toMatchObject([
    { match: 'unmatched', doubt: 'not_ours', amount_minor: '1000' },
    { match: 'fee', amount_minor: '150' },
    { match: 'funding', amount_minor: '500000' },
    { match: 'unmatched', doubt: 'not_ours', amount_minor: '700' },
  ]);
  const booked = await world.sql(
    `SELECT kind, amount_minor FROM ledger_entry WHERE source LIKE 'bank line %' ORDER BY kind`,
  );
  expect(booked).toEqual([
    { kind: 'fee', amount_minor: '150' },
    { kind: 'funding', amount_minor: '500000' },
  ]);
});

it.each(['ICDT RRTN', 'ICDT RETN', 'RCDT RPCR', 'MCOP Reversal', 'MCOP return'])(
  'counts no credit with the code %s as money that came in',
  async (code) => {
    await take(statement(shown([{ direction: 'credit', amount: '7.00', code }])));
    expect(await lines()).toMatchObject([{ match: 'unmatched', doubt: 'not_ours' }]);
    expect(await sumsOf(world.harness.database.pool, world.call.scope.tenantId)).toMatchObject({
      funds: 0,
    });
  },
);

it.each<[string, Partial<Movement>]>([
  ['a reason of its return', { trace: '999999999999999', returned: 'AC04' }],
  ['the mark of a reversal', { reversal: true }],
])('counts no credit with %s as money that came in', async (_what, more) => {
  await take(statement(shown([{ direction: 'credit', amount: '7.00', ...more }])));
  expect(await lines()).toMatchObject([{ match: 'unmatched', doubt: 'not_ours' }]);
});

it('disburses by the right debit that comes after one of another amount', async () => {
  const [one] = (await sent(1)) as [Sent];
  await take(statement(shown([debit(one, { amount: '1249.99', reference: 'W' })])));
  await take(statement(shown([debit(one, { reference: 'R' })], { id: 'right' })));
  expect(await stateOf(one.payout)).toBe('disbursed');
  expect(await contradictions()).toMatchObject([{ kind: 'amount' }]);
});

it('leaves a payment to a person that comes back because the bank had it twice', async () => {
  const [one] = (await sent(1)) as [Sent];
  await take(statement(shown([debit(one), back(one, { returned: 'AM05' })])));
  expect(await stateOf(one.payout)).toBe('disbursed');
  expect(await lines()).toMatchObject([
    { match: 'payout', doubt: null },
    { match: 'unmatched', doubt: 'duplicate' },
  ]);
});

it('finds the amount of a payment beside what its bank paid in another currency', async () => {
  const [one] = (await sent(1)) as [Sent];
  const instructed = '<AmtDtls><InstdAmt><Amt Ccy="EUR">1100.00</Amt></InstdAmt></AmtDtls>';
  await take(statement(shown([debit(one)])).replace('</TxDtls>', `${instructed}</TxDtls>`));
  expect(await stateOf(one.payout)).toBe('disbursed');
});

it('takes the value day of a movement without a booking day', async () => {
  const [one] = (await sent(1)) as [Sent];
  await take(statement(shown([debit(one)])).replaceAll('BookgDt>', 'ValDt>'));
  expect(await world.sql('SELECT booked_on FROM bank_match')).toEqual([{ booked_on: day }]);
});

it('finds that a credit was the return which the ACH tells later', async () => {
  const [one] = (await sent(1)) as [Sent];
  await take(statement(shown([back(one)])));
  expect(await lines()).toMatchObject([{ match: 'unmatched', doubt: 'no_debit' }]);
  await take(achFile([{ trace: one.trace ?? '', code: 'R03', cents: 125_000 }]));
  expect(await stateOf(one.payout)).toBe('returned');
  expect(await lines()).toMatchObject([{ match: 'return', doubt: null }]);
});

it('reports the closing balance once, and no older one after a newer', async () => {
  const [one] = (await sent(1)) as [Sent];
  const balance = async () =>
    (await world.sql<{ available_balance_minor: string }>('SELECT * FROM funding_account'))[0]
      ?.available_balance_minor;
  await take(statement(shown([debit(one)], { opening: '10000.00', closing: '8750.00' })));
  expect(await balance()).toBe('875000');
  await take(statement(shown([], { id: 'old', day: '2026-11-27', closing: '10000.00' })));
  expect(await balance()).toBe('875000');
  await take(statement(shown([], { id: 'new', day: '2026-12-01', closing: '9000.00' })));
  expect(await balance()).toBe('900000');
  const books = await world.sql('SELECT * FROM ops.ledger_imbalances');
  expect(books).toEqual([]);
});

describe('the available balance', () => {
  const balance = async () =>
    (
      await world.sql<{ available_balance_minor: string }>(
        'SELECT available_balance_minor FROM funding_account',
      )
    )[0]?.available_balance_minor;
  const funds = async () =>
    (await sumsOf(world.harness.database.pool, world.call.scope.tenantId)).funds;
  const later = '2026-12-01';
  const fee = { direction: 'debit', amount: '1.50', reference: 'F', code: 'MDOP CHRG' } as const;
  const credit = {
    direction: 'credit',
    amount: '500.00',
    reference: 'C',
    code: 'RCDT ESCT',
  } as const;

  it('keeps what came in and what the bank took on the day after a statement that comes late', async () => {
    await take(notification(shown([fee, credit], { id: 'n', day: later })));
    expect(await funds()).toBe(49_850);
    await take(statement(shown([], { closing: '10000.00' })));
    expect([await balance(), await funds()]).toEqual(['1049850', 1_049_850]);
    await take(
      statement(
        shown([fee, credit], { id: 'l', day: later, opening: '10000.00', closing: '10498.50' }),
      ),
    );
    expect([await balance(), await funds()]).toEqual(['1049850', 1_049_850]);
  });

  it('counts a payout once that is disbursed just when a closing balance is booked', async () => {
    const [one] = (await sent(1)) as [Sent];
    const { pool } = world.harness.services;
    const held = Promise.withResolvers<void>();
    const hold = Promise.withResolvers<void>();
    const holding = inTransaction(pool, async (client) => {
      await lockBooks(client, world.call.scope);
      held.resolve();
      await hold.promise;
    });
    await held.promise;
    const taken = take(statement(shown([], { closing: '10000.00' })));
    await sessionsWait(pool, 1);
    await take(notification(shown([debit(one, { day: later })], { id: 'n', day: later })));
    expect(await stateOf(one.payout)).toBe('disbursed');
    hold.resolve();
    await Promise.all([holding, taken]);
    expect([await balance(), await funds()]).toEqual(['875000', 875_000]);
  });

  it('is that of the statement which came last where a day has two', async () => {
    const [one] = (await sent(1)) as [Sent];
    await take(statement(shown([fee], { id: 'noon', closing: '9998.50' })));
    await take(statement(shown([fee, debit(one)], { id: 'night', closing: '8748.50' })));
    await take(statement(shown([fee, debit(one)], { id: 'night again', closing: '8748.50' })));
    expect([await balance(), await funds()]).toEqual(['874850', 874_850]);
    expect(await stateOf(one.payout)).toBe('disbursed');
  });
});

it('has nothing to pay from where the account is overdrawn, and books what it owes', async () => {
  await take(statement(shown([], { opening: '50.00', closing: '-100.00' })));
  const { key } = world.tenant;
  const { body } = await world.harness.rest('GET', '/v1/funding/account', { key });
  expect(body.funding_account).toMatchObject({ available_balance_minor: 0, posted_minor: -10_000 });
  await take(statement(shown([], { id: 'next', day: '2026-12-01', closing: '20.00' })));
  const next = await world.harness.rest('GET', '/v1/funding/account', { key });
  expect(next.body.funding_account).toMatchObject({
    available_balance_minor: 2_000,
    posted_minor: 2_000,
  });
});

describe('a debit that is off by a cent and comes back as it was ordered', () => {
  const wrong = (one: Sent, more: Partial<Movement> = {}) =>
    debit(one, { amount: '1250.01', ...more });
  const right = (one: Sent) => back(one, { reference: 'R' });
  const first = (movements: readonly Movement[], closing: string) =>
    statement(shown(movements, { opening: '10000.00', closing }));
  const second = (movements: readonly Movement[], opening: string) =>
    statement(shown(movements, { id: 'later', day: '2026-12-02', opening, closing: '9999.99' }));

  it.each<[string, (one: Sent) => string[], string]>([
    [
      'a statement for each day',
      (one) => [first([wrong(one)], '8749.99'), second([right(one)], '8749.99')],
      '999999',
    ],
    [
      'the return before the statement of the debit',
      (one) => [
        notification(shown([wrong(one)], { id: 'n1' })),
        notification(shown([right(one)], { id: 'n2' })),
        first([wrong(one)], '8749.99'),
      ],
      '999999',
    ],
    [
      'both before the statement of the day before',
      (one) => [
        notification(shown([wrong(one, { day: '2026-12-02' }), right(one)], { id: 'n1' })),
        first([], '10000.00'),
      ],
      '999999',
    ],
  ])('is returned, and the books hold what the bank does: %s', async (_order, files, held) => {
    const [one] = (await sent(1)) as [Sent];
    for (const file of files(one)) await take(file);
    expect(await stateOf(one.payout)).toBe('returned');
    const [account] = await world.sql(
      'SELECT available_balance_minor AS held FROM funding_account',
    );
    expect(account).toEqual({ held });
    expect(await sumsOf(world.harness.database.pool, world.call.scope.tenantId)).toMatchObject({
      held: 0,
      in_transit: 0,
      paid: 0,
    });
    expect(await imbalances(world.harness.database.pool, world.call.scope.tenantId)).toEqual([]);
    // The cent stays with a person, and so does the replacement of the payout.
    const named = (await contradictions()).map(({ kind }) => kind);
    expect(named).toEqual(['amount']);
  });

  it('counts its return also where a person has explained the debit', async () => {
    const [one] = (await sent(1)) as [Sent];
    await take(notification(shown([wrong(one)], { id: 'n1' })));
    const [line] = await lines();
    await world.sql(`SELECT ops.explain_bank_line($1, 'a cent too much', 'asked')`, [line?.id]);
    await take(notification(shown([right(one)], { id: 'n2' })));
    await take(first([wrong(one)], '8749.99'));
    expect(await stateOf(one.payout)).toBe('returned');
    const [account] = await world.sql(
      'SELECT available_balance_minor AS held FROM funding_account',
    );
    expect(account).toEqual({ held: '999999' });
  });

  it('returns nothing before the debit is told, and the books hold what the bank does', async () => {
    const [one] = (await sent(1)) as [Sent];
    await take(notification(shown([right(one)], { id: 'n1' })));
    await take(first([], '10000.00'));
    expect(await stateOf(one.payout)).toBe('approved');
    const [account] = await world.sql(
      'SELECT available_balance_minor AS held FROM funding_account',
    );
    expect(account).toEqual({ held: '1000000' });
    expect(await imbalances(world.harness.database.pool, world.call.scope.tenantId)).toEqual([]);
  });
});
