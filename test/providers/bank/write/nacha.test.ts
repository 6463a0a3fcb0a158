import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fileHeader,
  batchHeader,
  entryDetail,
  paymentAddenda,
  writeRecord,
} from '../../../../src/providers/bank/nacha/records.ts';
import {
  checkAchCredit,
  checkAchFile,
  writeAchFile,
} from '../../../../src/providers/bank/nacha/write-file.ts';
import { traceNumber } from '../../../../src/providers/bank/nacha/write-entry.ts';
import type {
  AchBatch,
  AchCredit,
  AchFile,
} from '../../../../src/providers/bank/nacha/write-types.ts';
import { FileRefused } from '../../../../src/providers/bank/write-problems.ts';
import { readNachaFile } from '../../../../simulator/bank/nacha-format.ts';
import { rails } from '../config.ts';
import { textOf } from './credit-transfers.ts';

import { anyText } from './texts.ts';

const samples = join(rails, 'nacha');

describe.skipIf(!existsSync(samples))(`the reader of these tests (${samples})`, () => {
  const sample = (name: string) => readFileSync(join(samples, name), 'utf8');

  it('reads files that others made', () => {
    expect(readNachaFile(sample('ppd-credit.ach')).batches).toEqual([
      {
        serviceClass: '220',
        company: 'Name on Account',
        companyId: '231380104',
        entryClass: 'PPD',
        description: 'REG.SALARY',
        effectiveDate: '190816',
        bank: '12104288',
        number: 1,
        entries: [
          {
            code: '22',
            routingNumber: '231380104',
            account: '987654321',
            cents: 100_000_000,
            identification: '',
            name: 'Credit Account 1',
            trace: '121042880000002',
            addenda: [],
          },
        ],
      },
    ]);
    expect(readNachaFile(sample('ppd-mixedDebitCredit.ach')).batches[0]?.entries).toHaveLength(3);
    for (const name of ['ccd-debit.ach', 'cor-example.ach', 'return-WEB.ach']) {
      expect(readNachaFile(sample(name)).batches.length).toBeGreaterThan(0);
    }
  });

  it('notices a wrong digit anywhere in a control record', () => {
    const text = sample('ppd-mixedDebitCredit.ach');
    for (const from of [text.indexOf('\n8') + 2, text.indexOf('\n9000001') + 2]) {
      for (let place = from; place < from + 43; place += 1) {
        const other = text[place] === '7' ? '6' : '7';
        const broken = text.slice(0, place) + other + text.slice(place + 1);
        expect(() => readNachaFile(broken)).toThrow();
      }
    }
  });
});

const routingNumbers = ['031300012', '121042882', '021000021', '231380104'];

let lastSequence = 0;

const credit = (other: Partial<AchCredit> = {}): AchCredit => {
  lastSequence += 1;
  return {
    payoutId: `pay_${lastSequence}`,
    sequence: lastSequence,
    amountMinor: 12_345n,
    payee: 'person',
    name: 'Ana Lima',
    account: { routingNumber: '121042882', number: '123456789', type: 'checking' },
    ...other,
  };
};

const batch = (payments: readonly AchCredit[], other: Partial<AchBatch> = {}): AchBatch => ({
  number: 1,
  entryClass: 'PPD',
  company: { name: 'Acme Inc', id: '1123456789' },
  originatingBank: '031300012',
  description: 'PAYMENT',
  effectiveDate: '2026-11-24',
  payments: () => payments,
  ...other,
});

const file = (batches: readonly AchBatch[], other: Partial<AchFile> = {}): AchFile => ({
  destination: { routingNumber: '031300012', name: 'Federal Reserve Bank' },
  origin: { id: '1123456789', name: 'Acme Inc' },
  created: { date: '2026-11-23', time: '16:05' },
  modifier: 'A',
  batches,
  ...other,
});

const written = (batches: readonly AchBatch[]) => textOf(writeAchFile(file(batches)));

describe('a written file', () => {
  it('says what was given, persons and companies apart, with addenda and a balance', async () => {
    const person = credit({ name: 'Zoë Groß', reference: 'Salary März' });
    const savings = { routingNumber: '021000021', number: 'A-1', type: 'savings' } as const;
    const saver = credit({ account: savings, identification: 'EMP-7' });
    const company = credit({ payee: 'business', name: 'Smith & Sons' });
    const offset = {
      account: { routingNumber: '031300012', number: '99', type: 'checking' },
      name: 'Acme Inc',
      sequence: (lastSequence += 1),
    } as const;
    const text = await written([
      batch([person, saver]),
      batch([company], { number: 2, entryClass: 'CCD', offset }),
    ]);
    const read = readNachaFile(text);
    expect(read).toMatchObject({
      destination: '031300012',
      origin: '1123456789',
      created: '2611231605',
      modifier: 'A',
    });
    const same = { cents: 12_345, identification: '', addenda: [] };
    expect(read.batches).toMatchObject([
      {
        serviceClass: '220',
        company: 'Acme Inc',
        companyId: '1123456789',
        entryClass: 'PPD',
        description: 'PAYMENT',
        effectiveDate: '261124',
        bank: '03130001',
        number: 1,
        entries: [
          {
            ...same,
            code: '22',
            routingNumber: '121042882',
            account: '123456789',
            name: 'Zoe Gross',
            trace: traceNumber('031300012', person.sequence),
            addenda: [{ type: '05', text: 'Salary Marz' }],
          },
          { ...same, code: '32', account: 'A-1', identification: 'EMP-7' },
        ],
      },
      {
        serviceClass: '200',
        entryClass: 'CCD',
        number: 2,
        entries: [
          { ...same, code: '22', name: 'Smith & Sons' },
          { ...same, code: '27', account: '99', name: 'Acme Inc' },
        ],
      },
    ]);
  });

  it('is what the format says for any payees, amounts and numbers of them', async () => {
    const payment = fc.record({
      amountMinor: fc.bigInt({ min: 1n, max: 99_999_999n }),
      name: anyText,
      reference: fc.option(anyText, { nil: undefined }),
      account: fc.record({
        routingNumber: fc.constantFrom(...routingNumbers),
        number: fc.stringMatching(/^[0-9A-Z]{4,17}$/),
        type: fc.constantFrom('checking' as const, 'savings' as const),
      }),
    });
    const balanced = fc.boolean();
    await fc.assert(
      fc.asyncProperty(fc.array(payment, { maxLength: 40 }), balanced, async (all, isBalanced) => {
        const good = all
          .map((one) => credit(one))
          .filter((one) => checkAchCredit(one, batch([])).problems.length === 0);
        if (good.length === 0) return;
        const offset = {
          account: { routingNumber: '031300012', number: '99', type: 'savings' },
          name: 'Acme',
          sequence: (lastSequence += 1),
        } as const;
        const text = await written([batch(good, isBalanced ? { offset } : {})]);
        const entries = readNachaFile(text).batches[0]?.entries ?? [];
        expect(entries).toHaveLength(good.length + (isBalanced ? 1 : 0));
        expect(text).toMatch(/^[ -~\n]+$/);
        for (const [index, one] of good.entries()) {
          const entry = entries[index];
          expect(entry?.cents).toBe(Number(one.amountMinor));
          expect(entry?.account).toBe(one.account.number);
          expect(entry?.name).toMatch(/[A-Za-z0-9]/);
        }
        if (isBalanced) {
          const total = good.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
          expect(entries.at(-1)).toMatchObject({ code: '37', cents: Number(total) });
        }
      }),
    );
  });

  it('keeps the last ten digits of a hash that has more', async () => {
    const payments = Array.from({ length: 1_000 }, () => credit());
    const text = await written([batch(payments)]);
    readNachaFile(text);
    expect(12_104_288 * 1_000).toBeGreaterThan(10 ** 10);
    expect(text).toContain('2104288000');
  });

  it.each([1, 5, 6, 7, 15, 16, 17])('fills its last block: %i payments', async (count) => {
    readNachaFile(await written([batch(Array.from({ length: count }, () => credit()))]));
  });

  it('has the same bytes each time, and the ends of lines that the bank wants', async () => {
    const description = file([batch([credit(), credit({ reference: 'x' })])]);
    const text = await textOf(writeAchFile(description));
    expect(await textOf(writeAchFile(description))).toBe(text);
    const withReturns = await textOf(writeAchFile(description, '\r\n'));
    expect(withReturns).toBe(text.replaceAll('\n', '\r\n'));
  });

  it('is written as it is read, over 5,000 payments', async () => {
    const count = 5_000;
    let read = 0;
    async function* payments() {
      for (let index = 1; index <= count; index += 1) {
        read += 1;
        yield credit({ payoutId: `pay_${index}`, sequence: index });
      }
    }
    let [entries, ahead] = [0, 0];
    for await (const line of writeAchFile(file([batch([], { payments })]))) {
      if (!line.startsWith('6')) continue;
      entries += 1;
      ahead = Math.max(ahead, read - count - entries);
    }
    expect([read, entries, ahead]).toEqual([2 * count, count, 0]);
  });

  it('is not finished when the second reading gives others', async () => {
    const payment = credit();
    let calls = 0;
    const payments = () => ((calls += 1) === 1 ? [payment] : [{ ...payment, amountMinor: 1n }]);
    await expect(written([batch([], { payments })])).rejects.toThrow(/changed between/);
  });
});

async function faults(description: AchFile): Promise<string[]> {
  const { problems } = await checkAchFile(description);
  return problems.map(({ of, field, code }) => `${of}: ${field} ${code}`);
}

describe('a file is refused', () => {
  it.each<[string, Partial<AchCredit>]>([
    ['payee wrong_class', { payee: 'business' }],
    ['name missing', { name: '' }],
    ['name unwritable', { name: '\u{12000}' }],
    ['amountMinor amount_out_of_range', { amountMinor: 0n }],
    ['amountMinor amount_out_of_range', { amountMinor: 10_000_000_000n }],
    ['sequence malformed', { sequence: 0 }],
    ['sequence malformed', { sequence: 10_000_000 }],
    ['identification too_long', { identification: '1'.repeat(16) }],
    [
      'account.routingNumber account_unfit',
      { account: { routingNumber: '121042883', number: '1', type: 'checking' } },
    ],
    [
      'account.number account_unfit',
      { account: { routingNumber: '121042882', number: '1'.repeat(18), type: 'checking' } },
    ],
    [
      'account.number account_unfit',
      { account: { routingNumber: '121042882', number: '', type: 'checking' } },
    ],
  ])('for a payment: %s', async (expected, change) => {
    const payment = credit({ payoutId: 'p', ...change });
    expect(await faults(file([batch([payment])]))).toEqual([`p: ${expected}`]);
  });

  it.each<[string, Partial<AchBatch>]>([
    ['payments empty', { payments: () => [] }],
    ['number malformed', { number: 0 }],
    ['company.id malformed', { company: { name: 'A', id: '1' } }],
    ['company.name missing', { company: { name: '', id: '1123456789' } }],
    ['description missing', { description: '' }],
    ['originatingBank malformed', { originatingBank: '03130001' }],
    ['effectiveDate not_a_bank_day', { effectiveDate: '2026-11-26' }],
    ['effectiveDate malformed', { effectiveDate: '2026-11-31' }],
  ])('for a batch: %s', async (expected, change) => {
    const number = change.number ?? 1;
    expect(await faults(file([batch([credit()], change)]))).toEqual([
      `batch ${number}: ${expected}`,
    ]);
  });

  it.each<[string, Partial<AchFile>]>([
    ['batches empty', { batches: [] }],
    ['destination.routingNumber malformed', { destination: { routingNumber: '1', name: 'B' } }],
    ['origin.id malformed', { origin: { id: '12345678901', name: 'B' } }],
    ['created.date malformed', { created: { date: '2026-02-30', time: '10:00' } }],
    ['created.time malformed', { created: { date: '2026-02-28', time: '24:00' } }],
    ['modifier malformed', { modifier: 'a' }],
    ['referenceCode too_long', { referenceCode: '123456789' }],
  ])('for its head: %s', async (expected, change) => {
    expect(await faults(file([batch([credit()])], change))).toEqual([`file: ${expected}`]);
  });

  it('for what does not ascend, and for a payout that stands twice', async () => {
    const one = credit({ payoutId: 'one' });
    const two = credit({ payoutId: 'two' });
    expect(await faults(file([batch([two, one])]))).toEqual(['one: sequence out_of_order']);
    const again = credit({ payoutId: 'one' });
    expect(await faults(file([batch([one]), batch([again])]))).toEqual([
      'batch 1: number out_of_order',
      'one: payoutId duplicate',
    ]);
    const account = { routingNumber: '031300012', number: '9', type: 'checking' } as const;
    const offset = { account, name: 'Acme', sequence: one.sequence };
    expect(await faults(file([batch([one], { offset })]))).toEqual([
      'batch 1: sequence out_of_order',
    ]);
  });

  it('for totals that have no room', async () => {
    const payments = Array.from({ length: 101 }, () => credit({ amountMinor: 9_999_999_999n }));
    expect(await faults(file([batch(payments)]))).toEqual([
      'batch 1: payments total_out_of_range',
      'file: batches total_out_of_range',
    ]);
    const account = { routingNumber: '031300012', number: '9', type: 'checking' } as const;
    const offset = { account, name: 'Acme', sequence: (lastSequence += 1) };
    expect(await faults(file([batch(payments.slice(0, 2), { offset })]))).toEqual([
      'batch 1: offset total_out_of_range',
    ]);
  });

  it('as a whole, before its first line', async () => {
    const pieces = writeAchFile(file([batch([credit({ name: '' }), credit({ amountMinor: 0n })])]));
    const refusal = await pieces.next().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(FileRefused);
    expect((refusal as FileRefused).problems).toHaveLength(2);
  });
});

describe('a record', () => {
  it.each([fileHeader, batchHeader, entryDetail, paymentAddenda])('has 94 characters', (layout) => {
    const values = Object.fromEntries(
      layout.fields.flatMap((field) => ('name' in field ? [[field.name, 1]] : [])),
    );
    expect(writeRecord(layout, values as never)).toHaveLength(94);
  });

  it('cuts nothing', () => {
    const values = { paymentInformation: 'x'.repeat(81), addendaSequence: 1, entrySequence: 1 };
    expect(() => writeRecord(paymentAddenda, values)).toThrow(RangeError);
  });
});
