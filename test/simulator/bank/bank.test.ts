import { describe, expect, it } from 'vitest';
import type { BankReport } from '../../../src/providers/bank/report.ts';
import { bankReference } from '../../../src/providers/bank/text/reference.ts';
import { eventually } from '../../providers/support.ts';
import {
  abroad,
  achFile,
  creditTo,
  customer,
  payTo,
  startBank,
  traceOf,
  transfers,
} from './support.ts';

type Bank = Awaited<ReturnType<typeof startBank>>;

const only = <Kind extends BankReport['kind']>(reports: readonly BankReport[], kind: Kind) =>
  reports.filter((report): report is Extract<BankReport, { kind: Kind }> => report.kind === kind);

/** Waits for the statement, which is the last thing that the bank says of a file. */
async function untilStated(bank: Bank, statements = 1): Promise<BankReport[]> {
  await eventually(async () => {
    const names = await bank.incoming();
    expect(names.filter((name) => name.startsWith('statement-'))).toHaveLength(statements);
  });
  return bank.reports();
}

const statuses = (reports: readonly BankReport[]) =>
  only(reports, 'status').map(({ level, status, references, reasons }) => [
    level,
    status,
    references.endToEndId,
    reasons[0]?.code ?? null,
  ]);

const entries = (reports: readonly BankReport[]) =>
  only(reports, 'entry').map(({ direction, amount, details }) => [
    direction,
    amount?.minor,
    details[0]?.references.endToEndId ?? details[0]?.references.clearingReference ?? null,
    details[0]?.returned?.code ?? null,
  ]);

const idOf = ({ payoutId }: { payoutId: string }) => bankReference(payoutId);

describe('an order by pain.001', () => {
  it('is reported, debited, notified and stated, and the balances add up', async () => {
    const bank = await startBank();
    const payments = [payTo(), payTo()];
    const [one, two] = payments.map(idOf);
    await bank.put('a.xml', await transfers(payments));
    const reports = await untilStated(bank);
    expect(statuses(reports)).toEqual([
      ['group', 'ACCP', null, null],
      ['payment_information', 'ACCP', null, null],
      ['transaction', 'ACCP', one, null],
      ['transaction', 'ACCP', two, null],
    ]);
    const debits = [one, two].map((id) => ['debit', 12_345n, id, null]);
    expect(entries(reports)).toEqual([...debits, ...debits]);
    const [notified, stated] = only(reports, 'statement');
    expect(notified?.balances).toEqual([]);
    expect(stated?.balances.map(({ type, minor }) => [type, minor])).toEqual([
      ['OPBD', 1_000_000_000n],
      ['CLBD', 1_000_000_000n - 24_690n],
      ['CLAV', 1_000_000_000n - 24_690n],
    ]);
    expect(only(reports, 'statement_end').map(({ unexplainedMinor }) => unexplainedMinor)).toEqual([
      null,
      0n,
    ]);
    expect(await bank.outgoing()).toEqual([]);
  });

  it('does by its ending what the ending says', async () => {
    const bank = await startBank();
    const all = ['0001', '0002', '0003', '0004', '0005'].map((ending) => payTo(ending));
    const ids = all.map(idOf);
    await bank.put('a.xml', await transfers(all));
    const reports = await untilStated(bank);
    expect(statuses(reports).filter(([level]) => level !== 'payment_information')).toEqual([
      ['group', 'PART', null, null],
      ['transaction', 'RJCT', ids[0], 'AC01'],
      ['transaction', 'ACCP', ids[1], null],
      ['transaction', 'RJCT', ids[2], 'AM04'],
      ['transaction', 'RJCT', ids[3], 'AG01'],
      ['transaction', 'PDNG', ids[4], null],
    ]);
    const debit = ['debit', 12_345n, ids[1], null];
    const back = ['credit', 12_345n, ids[1], 'AC04'];
    expect(entries(reports)).toEqual([debit, back, debit, back]);
    expect(await bank.control('POST', 'releases', {})).toEqual({ released: 1 });
    expect(entries(await untilStated(bank, 2)).at(-1)).toEqual(['debit', 12_345n, ids[4], null]);
  });

  it('comes back late, when the days of the bank have passed', async () => {
    const bank = await startBank();
    const payment = payTo('0007');
    await bank.put('a.xml', await transfers([payment]));
    await untilStated(bank);
    expect((await bank.book()).orders[0]?.status).toBe('booked');
    await bank.control('POST', 'days', { days: 10 });
    const reports = await untilStated(bank, 12);
    expect(entries(reports).at(-1)).toEqual(['credit', 12_345n, idOf(payment), 'AC04']);
  });

  it('comes back on request', async () => {
    const bank = await startBank();
    const payment = payTo();
    await bank.put('a.xml', await transfers([payment]));
    await untilStated(bank);
    const request = { order: idOf(payment), reason: 'MD07' };
    expect(await bank.control('POST', 'returns', request)).toMatchObject({ status: 'returned' });
    expect(await bank.control('POST', 'returns', request)).toMatchObject({
      error: { code: 'not_permitted' },
    });
    expect(entries(await untilStated(bank, 2)).at(-1)?.[3]).toBe('MD07');
  });
});

describe('an order by Nacha', () => {
  it('is debited, and comes back or is corrected by its ending', async () => {
    const bank = await startBank();
    const endings = ['9999', '0001', '0002', '0003', '0004', '0005', '0006'];
    const credits = endings.map((ending) => creditTo(ending));
    const traces = credits.map(traceOf);
    await bank.put('a.ach', await achFile(credits));
    await eventually(async () => {
      const { orders } = await bank.book();
      expect(orders.map(({ status }) => status)).toEqual([
        'booked',
        ...Array<string>(4).fill('returned'),
        'held',
        'booked',
      ]);
    });
    const reports = await untilStated(bank);
    expect(statuses(reports)).toEqual([]);
    expect(
      only(reports, 'ach_return').map(({ code, originalTraceNumber, amount }) => [
        code,
        originalTraceNumber,
        amount.minor,
      ]),
    ).toEqual(['R03', 'R02', 'R06', 'R16'].map((code, at) => [code, traces[at + 1], 12_345n]));
    expect(
      only(reports, 'ach_change').map(({ code, originalTraceNumber, correction }) => [
        code,
        originalTraceNumber,
        correction?.accountNumber,
      ]),
    ).toEqual([['C01', traces[6], '99887766']]);
    expect(only(reports, 'statement').at(-1)?.account.other).toBe('1123456789');
    const last = only(reports, 'statement_end').at(-1);
    expect(last).toMatchObject({ unexplainedMinor: 0n, bookedMinor: -24_690n });
  });
});

describe('a file', () => {
  it('that comes twice is a duplicate, and pays once', async () => {
    const bank = await startBank();
    const text = await transfers([payTo()], 'batch-1');
    await bank.put('a.xml', text);
    await untilStated(bank);
    await bank.put('again.xml', text);
    await bank.put('other.xml', await transfers([payTo()], 'batch-1'));
    await eventually(async () => expect(await bank.outgoing()).toEqual([]));
    await eventually(async () => {
      expect(statuses(await bank.reports()).slice(-2)).toEqual([
        ['group', 'RJCT', null, 'DUPL'],
        ['group', 'RJCT', null, 'DU01'],
      ]);
    });
    expect((await bank.book()).orders).toHaveLength(1);
  });

  it.each([
    ['that is no XML', (text: string) => text.slice(0, -20), 'FF01'],
    [
      'with a DOCTYPE',
      (text: string) => text.replace('<Document', '<!DOCTYPE x>\n<Document'),
      'FF01',
    ],
    ['of another message', (text: string) => text.replace('001.09', '001.03'), 'FF01'],
    ['with a wrong count', (text: string) => text.replaceAll('<NbOfTxs>1<', '<NbOfTxs>2<'), 'AM18'],
    [
      'with a wrong sum',
      (text: string) => text.replaceAll('<CtrlSum>123.45<', '<CtrlSum>1<'),
      'AM10',
    ],
  ])('%s is refused as a whole', async (_what, spoil, code) => {
    const bank = await startBank();
    await bank.put('a.xml', spoil(await transfers([payTo()])));
    await eventually(async () => {
      expect(statuses(await bank.reports())).toEqual([['group', 'RJCT', null, code]]);
    });
    const book = await bank.book();
    expect([book.files[0]?.verdict, book.orders]).toEqual(['refused', []]);
  });

  it.each([
    [
      'a wrong IBAN',
      /DE89370400440532013000(?=[^]*<Purp>)(?![^]*<CdtrAcct>)/,
      'DE88370400440532013000',
      'AC01',
    ],
    ['an address without a town', /<TwnNm>Lisboa<\/TwnNm>/, '', 'BE04'],
    ['a letter that no bank takes', /Ana Lima/, 'Ana Líma', 'CH21'],
  ])('with %s has that payment refused', async (_what, from, to, code) => {
    const bank = await startBank();
    await bank.put('a.xml', (await transfers([payTo()])).replace(from, to));
    await eventually(async () => {
      expect(
        statuses(await bank.reports())
          .at(-1)
          ?.slice(1),
      ).toEqual(['RJCT', expect.any(String), code]);
    });
  });

  it('that is no Nacha file is refused', async () => {
    const bank = await startBank();
    const text = await achFile([creditTo()]);
    await bank.put('a.ach', text.replace('\n8220', '\n8221'));
    await eventually(async () => {
      expect(statuses(await bank.reports())).toEqual([['group', 'RJCT', null, 'FF01']]);
    });
  });
});

describe('the control', () => {
  it('makes the bank repeat, break, reorder and copy its answers', async () => {
    const bank = await startBank();
    await bank.control('PUT', 'faults', {
      repeat_answers: 1,
      break_answers: 1,
      reorder_answers: true,
      copy_statements: true,
    });
    await bank.put('a.xml', await transfers([payTo()]));
    await eventually(async () => expect(await bank.incoming()).toHaveLength(9));
    const names = await bank.incoming();
    const broken = names.find((name) => name.startsWith('broken-')) ?? '';
    // The newest is put there first, so it is the one that broke.
    expect(broken).toMatch(/^broken-statement-/);
    expect(await bank.text(broken)).not.toContain('</Document>');
    const again = names.find((name) => name.startsWith('again-1-status-')) ?? '';
    expect(await bank.text(again)).toBe(await bank.text(again.replace('again-1-', '')));
    expect(await bank.text(broken.replace('broken-', ''))).toContain('<CpyDplctInd>DUPL<');
  });

  it('makes it contradict itself', async () => {
    const bank = await startBank();
    await bank.control('PUT', 'faults', { mistake: 'refuses_after_booking', list: 'exceptions' });
    await bank.put('a.xml', await transfers([payTo()]));
    expect(statuses(await untilStated(bank)).at(-1)?.[1]).toBe('RJCT');
    await bank.control('PUT', 'faults', { mistake: 'books_after_refusing' });
    await bank.put('b.xml', await transfers([payTo()]));
    expect(statuses(await untilStated(bank, 2)).at(-1)?.[1]).toBe('RJCT');
    expect((await bank.book()).orders.map(({ status }) => status)).toEqual(['booked', 'booked']);
  });

  it('makes it debit wrongly, and its statements add up all the same', async () => {
    const bank = await startBank();
    await bank.control('PUT', 'faults', { mistake: 'other_amount' });
    await bank.put('a.xml', await transfers([payTo()]));
    await untilStated(bank);
    await bank.control('PUT', 'faults', { mistake: 'books_twice', fee: '1.50' });
    await bank.put('b.xml', await transfers([payTo()]));
    const reports = await untilStated(bank, 2);
    const [account] = (await bank.book()).accounts;
    expect(account?.entries.map(({ what, amount }) => [what, amount])).toEqual([
      ['payment', '123.46'],
      ['payment', '123.45'],
      ['payment', '123.45'],
      ['fee', '1.50'],
    ]);
    expect(only(reports, 'statement_end').at(-1)?.unexplainedMinor).toBe(0n);
  });

  it.each([
    ['CHF', '08', '129.62', 12_345n],
    ['PLN', '02', '28.39', 12_345n],
    ['HUF', '08', '0.31', 12_345n],
    ['JPY', '02', '74.07', 12_345n],
    ['KWD', '08', '35.80', 12_345n],
  ])('pays %s from the account in euro, and says what was ordered', async (...given) => {
    const [currency, camt, cost, minor] = given;
    const bank = await startBank();
    await bank.control('PUT', 'faults', { camt });
    await bank.put('a.xml', await abroad(currency));
    const reports = await untilStated(bank);
    const [account, ...others] = (await bank.book()).accounts;
    expect(others).toEqual([]);
    expect(account?.entries.map(({ amount }) => amount)).toEqual([cost]);
    const [entry] = only(reports, 'entry');
    expect(entry?.amount?.currency).toBe('EUR');
    expect(entry?.details[0]?.instructed).toEqual({ currency, minor });
    expect(only(reports, 'statement').map(({ account: { currency: own } }) => own)).toEqual([
      'EUR',
      'EUR',
    ]);
    expect(only(reports, 'statement_end').at(-1)?.unexplainedMinor).toBe(0n);
  });

  it('books a batch as one, with its payments or their number alone', async () => {
    const bank = await startBank();
    await bank.control('PUT', 'faults', { booking: 'batch' });
    await bank.put('a.xml', await transfers([payTo(), payTo()]));
    const batch = only(await untilStated(bank), 'entry').at(-1);
    expect([batch?.amount?.minor, batch?.details.length]).toEqual([24_690n, 2]);
    await bank.control('PUT', 'faults', { booking: 'total' });
    await bank.put('b.xml', await transfers([payTo(), payTo(), payTo()]));
    const total = only(await untilStated(bank, 2), 'entry').at(-1);
    expect([total?.batches[0]?.transactions, total?.details]).toEqual([3, []]);
  });

  it('refuses files, every n-th order, and orders of a later day until it comes', async () => {
    const bank = await startBank();
    await bank.control('PUT', 'faults', { refuse_files: 1, refuse_every: 2, wait_for_date: true });
    await bank.put('a.xml', await transfers([payTo()]));
    await eventually(async () => expect((await bank.book()).files).toHaveLength(1));
    await bank.put(
      'b.xml',
      (await transfers([payTo(), payTo()])).replace(/2026-11-23(?=<\/Dt>)/, '2999-01-04'),
    );
    await eventually(async () => {
      const { orders } = await bank.book();
      expect(orders.map(({ status }) => status)).toEqual(['accepted', 'refused']);
    });
    await bank.control('PUT', 'faults', {});
    await untilStated(bank);
  });

  it('credits an account with money that nobody ordered', async () => {
    const bank = await startBank();
    const funds = { customer, account: 'DE89370400440532013000', currency: 'EUR', amount: '7.5' };
    await bank.control('POST', 'funds', funds);
    expect(entries(await untilStated(bank))).toEqual(Array(2).fill(['credit', 750n, null, null]));
  });

  it('refuses what it does not know', async () => {
    const bank = await startBank();
    expect(await bank.control('PUT', 'faults', { slow: 1 })).toMatchObject({
      error: { code: 'invalid_request' },
    });
    expect(await bank.control('POST', 'customers', { customer: '../x' })).toMatchObject({
      error: { code: 'invalid_request' },
    });
    expect(await bank.control('POST', 'returns', { order: 'x' })).toMatchObject({
      error: { code: 'not_found' },
    });
    const funds = { account: 'DE89370400440532013000', currency: 'EUR', amount: '7.5' };
    for (const customer of ['nobody', '../customers']) {
      expect(await bank.control('POST', 'funds', { customer, ...funds })).toEqual({
        error: { code: 'not_found', message: 'There is no such customer: it has no folder.' },
      });
    }
    expect((await bank.book()).accounts).toEqual([]);
  });
});

describe('a restarted bank', () => {
  it('knows its files, goes on with its orders, and pays nothing twice', async () => {
    const bank = await startBank();
    await bank.control('PUT', 'faults', { delay_answers_ms: 600_000 });
    const text = await transfers([payTo(), payTo('0002')]);
    await bank.put('a.xml', text);
    await eventually(async () => expect((await bank.book()).orders).toHaveLength(2));
    await bank.restart();
    await bank.put('a.xml', text);
    const reports = await untilStated(bank);
    expect(
      entries(reports)
        .slice(-3)
        .map(([direction]) => direction),
    ).toEqual(['debit', 'debit', 'credit']);
    const [account] = (await bank.book()).accounts;
    expect(account?.entries).toHaveLength(3);
    expect(statuses(reports).filter(([, , , code]) => code === 'DUPL')).toHaveLength(1);
  });
});
