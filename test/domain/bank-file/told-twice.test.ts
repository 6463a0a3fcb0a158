import { describe, expect, it } from 'vitest';
import { inTransaction } from '../../../src/db/pool.ts';
import { readStoredFile } from '../../../src/domain/bank-file/read.ts';
import { matchByHand } from '../../../src/domain/bank-file/by-hand.ts';
import {
  achFile,
  notification,
  statement,
  statusReport,
  type Movement,
} from '../../support/bank-answers.ts';
import { useBankInbox, type Sent } from '../../support/bank-inbox.ts';
import { back, debit, shown } from '../../support/bank-movements.ts';
import { behind, within } from '../../support/behind.ts';

/** What a bank tells twice in another way, and what it tells once that looks like something else. */
const world = useBankInbox();
const { sent, take, stateOf, lines, contradictions } = world;

const reversal = (one: Sent, more: Partial<Movement> = {}): Movement =>
  debit(one, { direction: 'credit', reversal: true, ...more });

const isReplaceable = async (payoutId: string): Promise<boolean> => {
  const [row] = await world.sql<{ replaceable: boolean }>(
    `SELECT p.state IN ('failed', 'returned') AND NOT ops.is_contradicted(p.tenant_id, p.id) AS replaceable
     FROM payout p WHERE p.id = $1`,
    [payoutId],
  );
  return row?.replaceable === true;
};
const doubts = async () => (await lines()).map(({ doubt }) => String(doubt)).toSorted();
const openFiles = () => world.sql('SELECT id FROM bank_file WHERE applied_at IS NULL');

describe('a debit that is booked twice on one day, and whose double is taken back', () => {
  const files = (one: Sent) => ({
    first: statement(shown([debit(one, { reference: 'B1' })], { id: 'first' })),
    double: statement(shown([debit(one, { reference: 'B2' })], { id: 'double' })),
    reversal: statement(shown([reversal(one, { reference: 'B3' })], { id: 'reversal' })),
  });
  const orders = [
    ['first', 'double', 'reversal'],
    ['first', 'reversal', 'double'],
    ['double', 'first', 'reversal'],
    ['double', 'reversal', 'first'],
    ['reversal', 'first', 'double'],
    ['reversal', 'double', 'first'],
  ] as const;

  it.each(orders)('is not replaceable in the end: %s, %s, %s', async (...order) => {
    const [one] = (await sent(1)) as [Sent];
    for (const name of order) await take(files(one)[name]);
    expect(await lines()).toHaveLength(3);
    expect(await contradictions()).toMatchObject([{ kind: 'second_payment' }]);
    expect(await isReplaceable(one.payout)).toBe(false);
    // With both debits told, the reversal waits for a person.
    if (order[2] === 'reversal') {
      expect(await stateOf(one.payout)).toBe('disbursed');
      expect(await doubts()).toEqual(['null', 'second_debit', 'several_debits']);
    }
    // Told again in one file, nothing is news.
    const again = [
      debit(one, { reference: 'B1' }),
      debit(one, { reference: 'B2' }),
      reversal(one, { reference: 'B3' }),
    ];
    await take(statement(shown(again, { id: 'again' })));
    expect(await lines()).toHaveLength(3);
    expect(await openFiles()).toEqual([]);
  });

  it.each([1, 2, 3])(
    'waits for a person where one statement has the reversal at place %i',
    async (place) => {
      const [one] = (await sent(1)) as [Sent];
      const movements = [debit(one, { reference: 'B1' }), debit(one, { reference: 'B2' })];
      movements.splice(place - 1, 0, reversal(one, { reference: 'B3' }));
      await take(statement(shown(movements)));
      expect(await stateOf(one.payout)).toBe('disbursed');
      expect(await doubts()).toEqual(['null', 'second_debit', 'several_debits']);
      expect(await isReplaceable(one.payout)).toBe(false);
    },
  );

  it('waits for a person where more lines stand between than one transaction decides about', async () => {
    const [one] = (await sent(1)) as [Sent];
    const others = Array.from({ length: 500 }, (_, at): Movement => ({
      direction: 'debit',
      amount: '1.00',
      code: 'MDOP CHRG',
      reference: `F${at}`,
    }));
    const begin = [debit(one, { reference: 'B1' }), reversal(one, { reference: 'B3' })];
    await take(statement(shown([...begin, ...others, debit(one, { reference: 'B2' })])));
    expect(await stateOf(one.payout)).toBe('disbursed');
    expect(await isReplaceable(one.payout)).toBe(false);
  });

  it('is returned where the reversal takes back the one debit that was told', async () => {
    const [one] = (await sent(1)) as [Sent];
    await take(files(one).first);
    await take(files(one).reversal);
    expect(await stateOf(one.payout)).toBe('returned');
    expect(await isReplaceable(one.payout)).toBe(true);
  });
});

describe('one movement', () => {
  type Telling = readonly [string, Partial<Movement>, Partial<Movement>];
  const tellings: Telling[] = [
    ['the notification lacks the reference of the entry', {}, { reference: 'B1' }],
    ['the statement lacks the reference', { reference: 'B1' }, {}],
    ['both have the same reference', { reference: 'B1' }, { reference: 'B1' }],
    [
      'the notification has the reference of the payment, the statement that of the entry',
      { ofPayment: 'P1' },
      { reference: 'B1' },
    ],
    [
      'the statement adds the reference of the payment',
      { reference: 'B1' },
      { reference: 'B1', ofPayment: 'P1' },
    ],
  ];

  it.each(tellings)('is told by a notification and a statement: %s', async (_how, note, full) => {
    const [one] = (await sent(1)) as [Sent];
    await take(notification(shown([debit(one, note)], { id: 'n' })));
    await take(statement(shown([debit(one, full)], { id: 's' })));
    await take(statement(shown([debit(one, full)], { id: 's again' })));
    await take(notification(shown([debit(one, note)], { id: 'n again' })));
    expect(await lines()).toMatchObject([{ match: 'payout' }]);
    expect(await contradictions()).toEqual([]);
  });

  it('is kept apart from one that has another reference of the payment', async () => {
    const [one] = (await sent(1)) as [Sent];
    await take(statement(shown([debit(one, { reference: 'B1', ofPayment: 'P1' })], { id: '1' })));
    await take(statement(shown([debit(one, { reference: 'B1', ofPayment: 'P2' })], { id: '2' })));
    expect(await doubts()).toEqual(['null', 'second_debit']);
    expect(await contradictions()).toMatchObject([{ kind: 'second_payment' }]);
  });

  it('takes the first of two that a notification tells without their references', async () => {
    const [one] = (await sent(1)) as [Sent];
    await take(notification(shown([debit(one)], { id: 'n' })));
    const both = [debit(one, { reference: 'B1' }), debit(one, { reference: 'B2' })];
    await take(statement(shown(both, { id: 's' })));
    await take(notification(shown([debit(one), debit(one)], { id: 'n again' })));
    expect(await doubts()).toEqual(['null', 'second_debit']);
    // A third one is news, whether or not it has a reference.
    await take(statement(shown([debit(one, { reference: 'B3' })], { id: 'third' })));
    await take(
      notification(
        shown(
          [1, 2, 3, 4].map(() => debit(one)),
          { id: 'four' },
        ),
      ),
    );
    expect(await doubts()).toEqual(['null', 'second_debit', 'second_debit', 'second_debit']);
  });

  it('is one where a notification and the statement are read at the same moment', async () => {
    const [one] = (await sent(1)) as [Sent];
    const note = await world.store(notification(shown([debit(one)], { id: 'n' })));
    const full = await world.store(
      statement(shown([debit(one, { reference: 'B1' })], { id: 's' })),
    );
    await behind(
      world.harness.services.pool,
      (client) => readStoredFile(within(world.call, client), note.fileId),
      () => readStoredFile(world.call, full.fileId),
    );
    for (const { fileId } of [note, full]) await world.apply(fileId);
    expect(await lines()).toMatchObject([{ match: 'payout' }]);
    expect(await contradictions()).toEqual([]);
  });
});

describe('a credit with our reference', () => {
  it('returns nothing by itself, and a person may say that it does', async () => {
    const [one] = (await sent(1)) as [Sent];
    await take(statement(shown([back(one)])));
    expect(await stateOf(one.payout)).toBe('approved');
    expect(await world.sql('SELECT doubt, matchable FROM ops.bank_unmatched_lines')).toEqual([
      { doubt: 'no_debit', matchable: true },
    ]);
    const line = (await lines())[0]?.id ?? '';
    const [action] = await world.sql<{ id: string }>(
      `INSERT INTO ops.action_log (action, subject_id, reason, detail, affected)
       VALUES ('match_bank_line', $1, 'x', '{}', 1) RETURNING id`,
      [line],
    );
    const byHand = { explanation: 'the bank says so', actionId: action?.id ?? '' };
    const refusal = await inTransaction(world.harness.services.pool, (client) =>
      matchByHand(client, world.call.scope, line, one.payout, byHand),
    );
    expect(refusal).toBeNull();
    await world.applyEvents();
    expect(await stateOf(one.payout)).toBe('returned');
  });

  it('returns the payment when its debit is told later, also in one file', async () => {
    const [one, two] = (await sent(2)) as [Sent, Sent];
    await take(notification(shown([back(one)], { id: 'n' })));
    await take(statement(shown([back(two), debit(two), debit(one)], { id: 's' })));
    for (const { payout } of [one, two]) expect(await stateOf(payout)).toBe('returned');
    expect(await doubts()).toEqual(['null', 'null', 'null', 'null']);
  });

  it('comes a second time: it waits by name, and the rest of its file counts', async () => {
    const [one, two] = (await sent(2)) as [Sent, Sent];
    await take(statement(shown([debit(one), back(one)])));
    await take(statement(shown([back(one, { day: '2026-12-03' }), debit(two)], { id: 'again' })));
    expect(await stateOf(one.payout)).toBe('returned');
    expect(await stateOf(two.payout)).toBe('disbursed');
    expect(await doubts()).toEqual(['null', 'null', 'null', 'second_return']);
    // The return of the ACH says what is known.
    await take(achFile([{ trace: one.trace ?? '', code: 'R03', cents: 125_000 }]));
    expect(await contradictions()).toEqual([]);
    expect(await openFiles()).toEqual([]);
  });

  it('is taken back: the payment is paid after all, so nobody replaces it', async () => {
    const [one] = (await sent(1)) as [Sent];
    await take(statement(shown([debit(one, { reference: 'B1' }), back(one, { reference: 'B2' })])));
    expect(await isReplaceable(one.payout)).toBe(true);
    const taken = debit(one, { reversal: true, reference: 'B3', day: '2026-12-03' });
    await take(statement(shown([taken], { id: 'taken back' })));
    expect(await isReplaceable(one.payout)).toBe(false);
    expect(await doubts()).toEqual(['null', 'null', 'reversed']);
  });
});

describe('a movement that names a payment without telling all of it', () => {
  const withoutAmounts = (content: string) =>
    content.replaceAll(
      /<Amt Ccy="USD">1250\.00<\/Amt>(?=<CdtDbtInd>DBIT<\/CdtDbtInd><\/TxDtls>)/g,
      '',
    );
  const twoPayments = (one: Sent, two: Sent) => {
    const content = shown([debit(one), debit(two)]);
    const [first = '', second = ''] = statement(content).match(/<TxDtls>[\s\S]*?<\/TxDtls>/g) ?? [];
    return withoutAmounts(
      statement(shown([debit(one, { amount: '2500.00' })])).replace(
        /<TxDtls>[\s\S]*<\/TxDtls>/,
        first + second,
      ),
    );
  };
  const withoutDay = (one: Sent) =>
    statement(shown([debit(one)])).replace(/<BookgDt>[\s\S]*?<\/BookgDt>/, '');
  const refusal = (one: Sent) =>
    statusReport({ message: one.message, group: 'RJCT', reason: 'AC04' });

  it.each([
    ['no_amount', 'first', twoPayments],
    ['no_amount', 'after the refusal', twoPayments],
    ['no_day', 'first', withoutDay],
    ['no_day', 'after the refusal', withoutDay],
  ] as const)('forbids the replacement all the same: %s, %s', async (doubt, order, content) => {
    const [one, two] = (await sent(2)) as [Sent, Sent];
    const files = [content(one, two), refusal(one)];
    for (const file of order === 'first' ? files : files.toReversed()) await take(file);
    expect(await doubts()).toContain(doubt);
    expect(await isReplaceable(one.payout)).toBe(false);
    expect(await contradictions()).toContainEqual(
      expect.objectContaining({ kind: 'outcome', payout_id: one.payout }),
    );
  });

  it.each(['first', 'after the refusal'])(
    'forbids it for a batch that is debited with a payment which was refused: %s',
    async (order) => {
      const all = await sent(2);
      const [one] = all as [Sent];
      const batch = { message: one.message, count: 2 };
      const whole = statement(shown([{ direction: 'debit', amount: '2500.00', batch }]));
      const files = [
        whole,
        statusReport({
          message: one.message,
          group: 'PART',
          payments: [{ ...one, status: 'RJCT', reason: 'AC04' }],
        }),
      ];
      for (const file of order === 'first' ? files : files.toReversed()) await take(file);
      expect(await isReplaceable(one.payout)).toBe(false);
      expect(await contradictions()).toMatchObject([{ kind: 'outcome', payout_id: one.payout }]);
    },
  );
});

it('leaves a line to a person that cannot be applied, and applies the rest of its file', async () => {
  const [one, bad, two] = (await sent(3)) as [Sent, Sent, Sent];
  await world.sql(
    `ALTER TABLE bank_match ADD CONSTRAINT poisoned CHECK (attempt_id <> '${bad.attempt}')`,
  );
  try {
    const file = await take(statement(shown([debit(one), debit(bad), debit(two)])));
    const states = await Promise.all([one, bad, two].map(({ payout }) => stateOf(payout)));
    expect(states).toEqual(['disbursed', 'approved', 'disbursed']);
    expect(await doubts()).toEqual(['not_applied', 'null', 'null']);
    expect(await world.fileRow(file)).toMatchObject({ applied_at: expect.any(Date) as Date });
  } finally {
    await world.sql('ALTER TABLE bank_match DROP CONSTRAINT poisoned');
  }
});

it('keeps a file by name that cannot be stored, and reads it once that is mended', async () => {
  const [one] = (await sent(1)) as [Sent];
  await world.sql(
    `ALTER TABLE bank_line ADD CONSTRAINT poisoned CHECK (bank_reference IS DISTINCT FROM 'B1')`,
  );
  let file = '';
  try {
    file = await take(statement(shown([debit(one, { reference: 'B1' })])));
  } finally {
    await world.sql('ALTER TABLE bank_line DROP CONSTRAINT poisoned');
  }
  expect(await world.fileRow(file)).toMatchObject({ status: 'unreadable', problem: 'not_stored' });
  expect(await lines()).toEqual([]);
  await world.sql('SELECT ops.reopen_bank_file($1, $2)', [world.call.scope.tenantId, file]);
  await readStoredFile(world.call, file);
  await world.apply(file);
  expect(await stateOf(one.payout)).toBe('disbursed');
});
