import { expect, it } from 'vitest';
import { readStoredFile } from '../../../src/domain/bank-file/read.ts';
import { achFile, statement, statusReport, type Movement } from '../../support/bank-answers.ts';
import { useBankInbox, type Sent } from '../../support/bank-inbox.ts';

const world = useBankInbox();
const { sent, take, stateOf, lines, contradictions } = world;

const shown = (movements: readonly Movement[], more: object = {}) =>
  statement({
    account: '000123456789',
    currency: 'USD',
    day: '2026-11-30',
    movements,
    ...more,
  });
const debit = ({ payout, attempt }: Sent, more: Partial<Movement> = {}): Movement => ({
  direction: 'debit',
  amount: '1250.00',
  payout,
  attempt,
  ...more,
});

/** Stores and reads a file; what became of it. */
async function read(content: string | Uint8Array) {
  const { fileId } = await world.store(content);
  await readStoredFile(world.call, fileId);
  const row = await world.fileRow(fileId);
  return { status: row?.['status'], problem: row?.['problem'] };
}

const plain = shown([{ direction: 'debit', amount: '1.00', reference: 'A' }]);
const largest = '9'.repeat(16);

it.each([
  ['a DOCTYPE', plain.replace('<Document', '<!DOCTYPE Document><Document'), 'doctype'],
  ['an entity', plain.replace('<MsgId>', '<MsgId>&secret;'), 'entity'],
  ['XML that is cut off', plain.slice(0, -40), 'not_well_formed'],
  ['XML that is not well formed', plain.replace('</Ntry>', '</Entry>'), 'not_well_formed'],
  ['a character that XML has not', plain.replace('<MsgId>', '<MsgId>&#0;'), 'not_well_formed'],
  ['half a character', plain.replace('<MsgId>', '<MsgId>&#xD800;'), 'not_well_formed'],
  ['an amount of nineteen digits', plain.replace('1.00', `1${largest}.00`), 'bad_value'],
  [
    'a count that no integer has',
    plain.replace('<NtryDtls>', '<NtryDtls><Btch><NbOfTxs>999999999999999</NbOfTxs></Btch>'),
    'bad_value',
  ],
  [
    'the page of a statement that no integer has',
    plain.replace(
      '<Acct>',
      '<StmtPgntn><PgNb>99999999999</PgNb><LastPgInd>true</LastPgInd></StmtPgntn><Acct>',
    ),
    'bad_value',
  ],
  ['a day that no month has', plain.replaceAll('2026-11-30', '2026-02-30'), 'bad_value'],
  ['an empty file', '', 'empty_file'],
  ['a NACHA file that is cut off', achFile([]).slice(0, 95), 'cut_off'],
])('keeps %s as unreadable', async (_what, content, problem) => {
  expect(await read(content)).toEqual({ status: 'unreadable', problem });
  expect(await lines()).toEqual([]);
  expect(await world.sql('SELECT 1 FROM bank_report')).toEqual([]);
});

it('reads the largest amounts, also where the sum of them is no amount', async () => {
  const movement: Movement = { direction: 'debit', amount: `${largest}.00` };
  const many = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L'];
  const content = shown(
    many.map((reference) => ({ ...movement, reference })),
    { opening: `${largest}.00`, closing: `-${largest}.00` },
  );
  expect(await read(content)).toEqual({ status: 'read', problem: null });
});

it('counts nothing of a file that cannot be read in the middle', async () => {
  const all = await sent(3);
  const good = shown(all.map((one) => debit(one)));
  const at = good.lastIndexOf('<BookgDt>');
  await take(`${good.slice(0, at)}<Broken${good.slice(at)}`);
  expect(await Promise.all(all.map(({ payout }) => stateOf(payout)))).toEqual(
    Array(3).fill('approved'),
  );
  expect(await lines()).toEqual([]);
  await take(good);
  expect(await stateOf(all[2]?.payout ?? '')).toBe('disbursed');
});

it('moves nothing for a return of another company, which counts trace numbers of its own', async () => {
  const [one] = (await sent(1)) as [Sent];
  const file = achFile([{ trace: one.trace ?? '', code: 'R03', cents: 125_000 }]);
  await take(file.replaceAll('1234567890', '9876543210'));
  expect(await stateOf(one.payout)).toBe('approved');
  expect(await contradictions()).toMatchObject([
    { kind: 'outcome', said: 'return R03 of another company', payout_id: one.payout },
  ]);
});

it('moves nothing for a return of more than was paid, by a statement and by the ACH', async () => {
  const [one, two] = (await sent(2)) as [Sent, Sent];
  await take(shown([debit(one), debit(two)]));
  const back = { direction: 'credit', amount: '1250.01', returned: 'AC04' } as const;
  await take(shown([debit(one, back)], { id: 'back', day: '2026-12-01' }));
  await take(achFile([{ trace: two.trace ?? '', code: 'R03', cents: 125_001 }]));
  expect(await stateOf(one.payout)).toBe('disbursed');
  expect(await stateOf(two.payout)).toBe('disbursed');
  expect(await contradictions()).toMatchObject([
    { kind: 'amount', said: '125001', payout_id: one.payout },
    { kind: 'amount', said: '125001', payout_id: two.payout },
  ]);
  expect((await lines()).map(({ doubt }) => doubt)).toContain('amount_differs');
});

it('moves nothing for the same number in another currency', async () => {
  const [one] = (await sent(1)) as [Sent];
  const euro = shown([debit(one)]).replaceAll('Amt Ccy="USD"', 'Amt Ccy="EUR"');
  await take(euro);
  expect(await stateOf(one.payout)).toBe('approved');
  expect(await lines()).toMatchObject([{ match: 'unmatched', doubt: 'amount_differs' }]);
  expect(await contradictions()).toMatchObject([{ kind: 'currency', said: 'EUR' }]);
});

it('calls an operator for a debit that comes again on another day', async () => {
  const all = await sent(2);
  const message = all[0]?.message ?? '';
  const whole = { direction: 'debit', amount: '2500.00', batch: { message, count: 2 } } as const;
  await take(shown([whole]));
  await take(shown([debit(all[0] as Sent)], { id: 'single', day: '2026-12-02' }));
  expect((await lines()).map(({ doubt }) => String(doubt)).toSorted()).toEqual([
    'null',
    'second_debit',
  ]);
  expect(await contradictions()).toMatchObject([
    { kind: 'second_payment', payout_id: all[0]?.payout },
  ]);
});

it.each(['each payment', 'the batch'])(
  'calls an operator for a batch that is debited twice, after a first debit of %s',
  async (first) => {
    const all = await sent(2);
    const message = all[0]?.message ?? '';
    const whole = { direction: 'debit', amount: '2500.00', batch: { message, count: 2 } } as const;
    await take(shown(first === 'the batch' ? [whole] : all.map((one) => debit(one))));
    await take(shown([whole], { id: 'again', day: '2026-12-02' }));
    expect((await lines()).map(({ doubt }) => doubt)).toContain('second_debit');
    expect((await contradictions()).map(({ kind, payout_id }) => [kind, payout_id])).toEqual(
      all.map(({ payout }) => ['second_payment', payout]),
    );
  },
);

it('takes the answer of a bank about a payment of another connection for no answer', async () => {
  const [one] = (await sent(1)) as [Sent];
  const other = await world.connect();
  await take(achFile([{ trace: one.trace ?? '', code: 'R03', cents: 125_000 }]), other);
  await take(achFile([{ trace: one.trace ?? '', code: 'C01', corrected: '1918171614' }]), other);
  await take(statusReport({ message: one.message, payments: [{ ...one, status: 'RJCT' }] }), other);
  expect(await stateOf(one.payout)).toBe('approved');
  expect(await contradictions()).toEqual([]);
  expect(await world.sql('SELECT 1 FROM bank_account_proposal')).toEqual([]);
  expect(await world.sql('SELECT 1 FROM provider_event')).toEqual([]);
});

it('keeps apart what the payments of an entry add up to from what it can be', async () => {
  const detail = `<TxDtls><Amt Ccy="USD">${largest}.00</Amt><CdtDbtInd>DBIT</CdtDbtInd></TxDtls>`;
  const content = plain.replace('</NtryDtls>', `${detail.repeat(12)}</NtryDtls>`);
  expect(await read(content)).toEqual({ status: 'read', problem: null });
  expect((await lines()).filter(({ amount_minor: minor }) => minor === null)).toHaveLength(1);
});

it('calls an operator for a payment that is told twice beside its batch', async () => {
  const all = await sent(2);
  const message = all[0]?.message ?? '';
  const whole = { direction: 'debit', amount: '2500.00', batch: { message, count: 2 } } as const;
  const one = debit(all[0] as Sent);
  await take(shown([whole, one, one]));
  expect(await contradictions()).toMatchObject([
    { kind: 'second_payment', payout_id: all[0]?.payout },
  ]);
});

const balances = { opening: '0.00', closing: '500.00' };

it.each([
  ['a debit', (one: Sent) => shown([debit(one)], { day: '2099-12-31' })],
  ['a closing balance', () => shown([], { day: '2099-12-31', ...balances })],
  [
    'a return of the ACH',
    ({ trace }: Sent) => achFile([{ trace: trace ?? '', code: 'R03', cents: 125_000 }], '991231'),
  ],
])('keeps a file unreadable that dates %s in another century', async (_what, content) => {
  const [one] = (await sent(1)) as [Sent];
  expect(await read(content(one))).toEqual({ status: 'unreadable', problem: 'future_day' });
  expect(await stateOf(one.payout)).toBe('approved');
  // What the bank means comes in another file, and counts.
  await take(shown([debit(one)], balances));
  const back = { direction: 'credit', returned: 'AC04' } as const;
  await take(shown([debit(one, back)], { id: 'back', day: '2026-12-01' }));
  expect(await stateOf(one.payout)).toBe('returned');
  expect(await contradictions()).toEqual([]);
});

it('leaves another account alone, whatever days it has', async () => {
  const other = { account: '000999999999', day: '2099-12-31', ...balances };
  expect(await read(shown([], other))).toEqual({ status: 'read', problem: null });
});

it('books neither a fee nor a credit nor a balance of another currency than the account has', async () => {
  const content = shown(
    [
      { direction: 'credit', amount: '100.00', reference: 'X' },
      { direction: 'debit', amount: '3.00', reference: 'F', code: 'MDOP CHRG' },
    ],
    { opening: '0.00', closing: '97.00' },
  );
  await take(content.replaceAll('Amt Ccy="USD"', 'Amt Ccy="EUR"'));
  expect((await lines()).map(({ doubt }) => doubt)).toEqual(['other_currency', 'other_currency']);
  expect(await world.sql('SELECT matchable FROM ops.bank_unmatched_lines')).toEqual([
    { matchable: false },
    { matchable: false },
  ]);
  expect(await world.sql("SELECT 1 FROM ledger_entry WHERE currency = 'EUR'")).toEqual([]);
});

it('reports no closing balance of several that differ, and one that is there twice', async () => {
  const closing = /<Bal><Tp><CdOrPrtry><Cd>CLBD[\s\S]*?<\/Bal>/;
  const twice = (content: string, other: (one: string) => string) =>
    content.replace(closing, (one) => other(one) + one);
  const reported = () =>
    world.sql("SELECT amount_minor FROM ledger_entry WHERE source LIKE 'bank bcn%' ORDER BY id");
  const first = shown([], { ...balances, day: '2026-11-30' });
  await take(twice(first, (one) => one.replace('500.00', '9999.00')));
  expect(await reported()).toEqual([]);
  const second = shown([], { ...balances, id: 'second', day: '2026-12-01' });
  await take(twice(second, (one) => one));
  expect(await reported()).toEqual([{ amount_minor: '50000' }]);
});

it('calls an operator for a payment that is said to be executed after it was refused, and for none other', async () => {
  const [one, two] = (await sent(2)) as [Sent, Sent];
  const refused = [{ ...one, status: 'RJCT', reason: 'AC04' }];
  await take(statusReport({ message: one.message, group: 'PART', payments: refused }));
  const late = [{ ...one, status: 'ACSP' }];
  await take(statusReport({ id: 'late', message: one.message, group: 'PART', payments: late }));
  expect(await contradictions()).toEqual([]);
  // Words about all of the file are words about each payment of it.
  const file = await take(statusReport({ id: 'all', message: one.message, group: 'ACSC' }));
  await world.apply(file);
  const executed = [one, two].map((payment) => ({ ...payment, status: 'ACSC' }));
  await take(
    statusReport({ id: 'again', message: one.message, group: 'PART', payments: executed }),
  );
  expect(await contradictions()).toEqual([
    { kind: 'outcome', said: 'ACSC', payout_id: one.payout },
  ]);
  expect(await stateOf(one.payout)).toBe('failed');
  expect(await stateOf(two.payout)).toBe('approved');
});

it('calls an operator for a debit that two pages of one statement show, and not for one that is sent twice', async () => {
  const [one] = (await sent(1)) as [Sent];
  const plainly = shown([debit(one)]);
  const [stmt = ''] = /<Stmt>[\s\S]*<\/Stmt>/.exec(plainly) ?? [];
  const page = (number: number, last: boolean) =>
    stmt.replace(
      '<Acct>',
      `<StmtPgntn><PgNb>${number}</PgNb><LastPgInd>${last}</LastPgInd></StmtPgntn><Acct>`,
    );
  await take(plainly.replace(stmt, page(1, true) + page(1, true)));
  expect(await contradictions()).toEqual([]);
  await take(plainly.replace(stmt, page(1, false) + page(2, true)));
  expect(await contradictions()).toMatchObject([{ kind: 'second_payment', payout_id: one.payout }]);
  expect((await lines()).map(({ doubt }) => String(doubt)).toSorted()).toEqual([
    'null',
    'second_debit',
  ]);
});
