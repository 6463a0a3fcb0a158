import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  checkCreditTransfer,
  checkCreditTransfers,
  writeCreditTransfers,
} from '../../../../src/providers/bank/iso20022/write-credit-transfers.ts';
import { purposeCodes } from '../../../../src/providers/bank/iso20022/write-schemes.ts';
import type {
  CreditTransfer,
  CreditTransferFile,
  CreditTransferGroup,
  Scheme,
} from '../../../../src/providers/bank/iso20022/write-types.ts';
import { FileRefused, fileProblems } from '../../../../src/providers/bank/write-problems.ts';
import { purposesOfPayment } from '../../../../src/reference/purposes.ts';
import { goodFile, goodGroup, goodPayment, textOf } from './credit-transfers.ts';

/** What is wrong with a payment, as `field code`. */
function faults(
  change: Partial<CreditTransfer>,
  scheme: Scheme = 'sepa_credit_transfer',
): string[] {
  const currency = scheme.startsWith('sepa') ? 'EUR' : 'USD';
  const { problems } = checkCreditTransfer({ ...goodPayment(), ...change }, { scheme, currency });
  return problems.map(({ field, code }) => `${field} ${code}`);
}

const uetr = '3f1f0bd2-7d1b-4c3a-9f0e-6c1a2b3c4d5e';
const address = { lines: ['1 Main St'], town: 'Springfield', country: 'US' };
const creditor = { name: 'Ana Lima', address };

describe('a payment is refused', () => {
  it.each<[string, Partial<CreditTransfer>]>([
    ['creditor.name missing', { creditor: { name: ' ', address } }],
    ['creditor.name unwritable', { creditor: { name: '\u{12000}', address } }],
    [
      'creditor.address.town town_missing',
      { creditor: { ...creditor, address: { country: 'PT' } } },
    ],
    [
      'creditor.address.town unwritable',
      { creditor: { ...creditor, address: { ...address, town: '?' } } },
    ],
    [
      'creditor.address.country country_missing',
      { creditor: { ...creditor, address: { town: 'Lisboa' } } },
    ],
    [
      'creditor.address.country malformed',
      { creditor: { ...creditor, address: { ...address, country: 'UK' } } },
    ],
    [
      'creditor.address.postalCode too_long',
      { creditor: { ...creditor, address: { ...address, postalCode: '1'.repeat(17) } } },
    ],
    [
      'creditor.address.lines too_long',
      { creditor: { ...creditor, address: { ...address, lines: ['1', '2', '3'] } } },
    ],
    ['creditor.account missing', { account: {} }],
    ['creditor.account account_unfit', { account: { iban: 'DE88370400440532013000' } }],
    ['creditor.account account_unfit', { account: { iban: 'DE89 3704 0044 0532 0130 00' } }],
    ['creditor.account account_unfit', { account: { iban: 'SA0380000000608010167519' } }],
    ['creditor.account account_unfit', { account: { number: '12345678' } }],
    ['creditor.bank.bic malformed', { bank: { bic: 'DEUTDE' } }],
    ['amountMinor amount_out_of_range', { amountMinor: 0n }],
    ['amountMinor amount_out_of_range', { amountMinor: -1n }],
    ['amountMinor amount_out_of_range', { amountMinor: 100_000_000_000n }],
    ['payoutId malformed', { payoutId: 'p'.repeat(36) }],
    ['payoutId malformed', { payoutId: '/p' }],
    ['attemptId malformed', { attemptId: 'a//b' }],
    ['uetr malformed', { uetr: uetr.toUpperCase() }],
  ])('by SEPA: %s', (fault, change) => {
    expect(faults(change)).toEqual([fault]);
  });

  const wire = {
    uetr,
    creditor,
    account: { number: '123456789' },
    bank: { abaNumber: '021000021' },
  };
  const abroad = { ...wire, bank: { bic: 'CHASUS33' } };
  const british = { uetr, account: { number: '12345678' }, bank: { sortCode: '123456' } };

  it.each<[Scheme, string[], Partial<CreditTransfer>]>([
    ['us_wire', [], wire],
    ['us_wire', ['uetr missing'], { ...wire, uetr: undefined }],
    ['us_wire', ['creditor.bank bank_missing'], { ...wire, bank: { bic: 'CHASUS33' } }],
    [
      'us_wire',
      ['creditor.bank.abaNumber malformed'],
      { ...wire, bank: { abaNumber: '021000022' } },
    ],
    ['us_wire', ['creditor.address address_missing'], { ...wire, creditor: { name: 'Ana' } }],
    [
      'us_wire',
      ['creditor.account account_unfit'],
      { ...wire, account: { iban: 'DE89370400440532013000' } },
    ],
    ['cross_border', [], abroad],
    ['cross_border', ['creditor.bank bank_missing'], wire],
    ['cross_border', ['creditor.account account_unfit'], { ...abroad, account: { number: 'a b' } }],
    ['uk_domestic', [], british],
    ['uk_domestic', ['creditor.bank bank_missing'], { ...british, bank: undefined }],
    ['uk_domestic', [], { uetr, account: { iban: 'GB29NWBK60161331926819' } }],
    [
      'uk_domestic',
      ['creditor.account account_unfit'],
      { ...british, account: { number: '1234567' } },
    ],
    [
      'uk_domestic',
      ['creditor.bank.sortCode malformed'],
      { ...british, bank: { sortCode: '12-34-56' } },
    ],
    ['uk_domestic', ['amountMinor amount_out_of_range'], { ...british, amountMinor: 100_000_001n }],
  ])('by %s: %j', (scheme, expected, change) => {
    expect(faults(change, scheme)).toEqual(expected);
  });

  const german = { iban: 'DE89370400440532013000' };
  const swiss = { iban: 'CH9300762011623852957' };
  it.each<[string, CreditTransfer['account'], CreditTransfer['account'], boolean]>([
    ['within the EEA', german, { iban: 'FR1420041010050500013M02606' }, false],
    ['to Liechtenstein, of the EEA', german, { iban: 'LI21088100002324013AA' }, false],
    ['to Switzerland', german, swiss, true],
    ['to the United Kingdom', german, { iban: 'GB29NWBK60161331926819' }, true],
    ['to San Marino', german, { iban: 'SM86U0322509800000000270100' }, true],
    ['to the Vatican', german, { iban: 'VA59001123000012345678' }, true],
    ['to Andorra', german, { iban: 'AD1200012030200359100100' }, true],
    ['to Monaco', german, { iban: 'MC5811222000010123456789030' }, true],
    ['within Switzerland', swiss, { iban: 'CH5604835012345678009' }, false],
    ['from Switzerland into the EEA', swiss, german, true],
    ['from an account without an IBAN abroad', { number: '1' }, swiss, true],
  ])('by SEPA %s without a BIC where one is asked for', (_way, from, account, asks) => {
    const check = (bank: CreditTransfer['bank'], bicOutsideEea?: boolean) =>
      (['sepa_credit_transfer', 'sepa_instant'] as const).flatMap((scheme) => {
        const group = { scheme, currency: 'EUR', account: from, options: { bicOutsideEea } };
        const { problems } = checkCreditTransfer({ ...goodPayment(), account, bank }, group);
        return problems.map(({ field, code }) => `${field} ${code}`);
      });
    const missing = 'creditor.bank bank_missing';
    expect(check(undefined)).toEqual(asks ? [missing, missing] : []);
    expect(check({ sortCode: '601613' })).toEqual(asks ? [missing, missing] : []);
    expect(check({ bic: 'UBSWCHZH80A' })).toEqual([]);
    expect(check(undefined, false)).toEqual([]);
  });

  it('with a sentence that names no person', () => {
    const { problems } = checkCreditTransfer(
      { ...goodPayment(), payoutId: 'pay_1', creditor: { name: 'Zoë', address: {} } },
      { scheme: 'sepa_credit_transfer', currency: 'EUR' },
    );
    expect(problems).toEqual([
      {
        of: 'pay_1',
        field: 'creditor.address.town',
        code: 'town_missing',
        message: fileProblems.town_missing,
      },
      {
        of: 'pay_1',
        field: 'creditor.address.country',
        code: 'country_missing',
        message: fileProblems.country_missing,
      },
    ]);
  });
});

async function fileFaults(file: CreditTransferFile): Promise<string[]> {
  const { problems } = await checkCreditTransfers(file);
  return problems.map(({ of, field, code }) => `${of}: ${field} ${code}`);
}

const groupFaults = (change: Partial<CreditTransferGroup>) =>
  fileFaults(goodFile([goodGroup([goodPayment()], { id: 'g', ...change })]));

describe('a file is refused', () => {
  it.each<[string[], Partial<CreditTransferGroup>]>([
    [[], {}],
    [['g: executionDate not_a_bank_day'], { executionDate: '2026-11-22' }],
    [['g: executionDate not_a_bank_day'], { executionDate: '2026-12-25' }],
    [[], { executionDate: '2026-12-25', scheme: 'sepa_instant' }],
    [['g: executionDate malformed'], { executionDate: '2026-11-31' }],
    [['g: currency currency_unfit'], { currency: 'USD' }],
    [['g: currency currency_unfit'], { currency: 'XYZ' }],
    [['g: payments empty'], { payments: () => [] }],
    [['g: debtor.address address_missing'], { debtor: { name: 'Acme' } }],
    [['g: debtor.account missing'], { account: {} }],
    [['g: debtor.account account_unfit'], { account: { iban: 'DE00' } }],
    [['g: options.serviceLevel malformed'], { options: { serviceLevel: 'sepa!' } }],
  ])('for its group: %j', async (expected, change) => {
    expect(await groupFaults(change)).toEqual(expected);
  });

  it('for its head', async () => {
    const good = [goodGroup([goodPayment()])];
    expect(await fileFaults(goodFile([]))).toEqual(['file: groups empty']);
    expect(await fileFaults(goodFile(good, { messageId: 'm'.repeat(36) }))).toEqual([
      'file: messageId malformed',
    ]);
    expect(await fileFaults(goodFile(good, { createdAt: new Date('x') }))).toEqual([
      'file: createdAt malformed',
    ]);
  });

  it('for a reference that stands twice, and for groups that are one', async () => {
    const payment = { ...goodPayment(), payoutId: 'pay_1' };
    const again = { ...goodPayment(), payoutId: 'pay_1' };
    const twice = goodFile([goodGroup([payment], { id: 'a' }), goodGroup([again], { id: 'b' })]);
    expect(await fileFaults(twice)).toEqual(['pay_1: payoutId duplicate', 'b: id group_repeated']);
    const later = { id: 'a', executionDate: '2026-11-24' };
    const sameId = goodFile([
      goodGroup([goodPayment()], { id: 'a' }),
      goodGroup([goodPayment()], later),
    ]);
    expect(await fileFaults(sameId)).toEqual(['a: id duplicate']);
  });

  it('as a whole, before its first byte, with every problem', async () => {
    const payments = [
      goodPayment(),
      { ...goodPayment(), amountMinor: 0n },
      { ...goodPayment(), account: {} },
    ];
    const pieces = writeCreditTransfers(goodFile([goodGroup(payments)]));
    const refusal = await pieces.next().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(FileRefused);
    expect((refusal as FileRefused).problems.map(({ of, code }) => [of, code])).toEqual([
      [payments[1]?.payoutId, 'amount_out_of_range'],
      [payments[2]?.payoutId, 'missing'],
    ]);
  });
});

describe('a file', () => {
  it('has the same bytes each time', async () => {
    const file = goodFile([goodGroup([goodPayment(), goodPayment()])]);
    const [one, other] = [
      await textOf(writeCreditTransfers(file)),
      await textOf(writeCreditTransfers(file)),
    ];
    const hash = (text: string) => createHash('sha256').update(text).digest('hex');
    expect(hash(one)).toBe(hash(other));
    expect(one).toContain('<CreDtTm>2026-11-23T08:15:30Z</CreDtTm>');
  });

  it('is written as it is read, no payment ahead, over 5,000 of them', async () => {
    let read = 0;
    const count = 5_000;
    async function* payments() {
      for (let index = 0; index < count; index += 1) {
        read += 1;
        yield { ...goodPayment(), payoutId: `pay_${index}`, attemptId: `dat_${index}` };
      }
    }
    let [written, ahead, longest] = [0, 0, 0];
    for await (const piece of writeCreditTransfers(goodFile([goodGroup([], { payments })]))) {
      if (!piece.startsWith('<CdtTrfTxInf>')) continue;
      written += 1;
      ahead = Math.max(ahead, read - count - written);
      longest = Math.max(longest, piece.length);
    }
    expect([read, written, ahead]).toEqual([2 * count, count, 0]);
    expect(longest).toBeLessThan(2_000);
  });

  it.each<[string, (payment: CreditTransfer) => CreditTransfer[]]>([
    ['one more', (payment) => [payment, goodPayment()]],
    ['one less', () => []],
    ['another amount', (payment) => [{ ...payment, amountMinor: 1n }]],
    ['a bad one', (payment) => [{ ...payment, creditor: { name: '?' } }]],
  ])('is not finished when the second reading gives %s', async (_, change) => {
    const payment = goodPayment();
    let calls = 0;
    const payments = () => {
      calls += 1;
      return calls === 1 ? [payment] : change(payment);
    };
    const file = goodFile([goodGroup([], { payments })]);
    await expect(textOf(writeCreditTransfers(file))).rejects.toThrow(/changed between/);
  });

  it('lets a long line of an address go on in the second one, and cuts what is left', async () => {
    const linesOf = async (lines: string[]) => {
      const creditor = { name: 'Ana', address: { lines, town: 'Lisboa', country: 'PT' } };
      const group = goodGroup([{ ...goodPayment(), creditor }]);
      const xml = await textOf(writeCreditTransfers(goodFile([group])));
      return [...xml.matchAll(/<AdrLine>([^<]*)/g)].map(([, line]) => line);
    };
    const words = 'abcde '.repeat(30).trim();
    expect(await linesOf([words])).toEqual([words.slice(0, 65), words.slice(66, 136)]);
    expect(await linesOf([words, 'b'])).toEqual([words.slice(0, 70), 'b']);
    expect(await linesOf(['x'.repeat(90), ' '])).toEqual(['x'.repeat(70)]);
    expect(await linesOf(['', 'a'.repeat(70)])).toEqual(['a'.repeat(70)]);
  });

  it('tells which texts it writes otherwise than given', async () => {
    const payment = { ...goodPayment(), creditor: { name: `Zoë ${'x'.repeat(80)}` } };
    const { changes, problems } = await checkCreditTransfers(goodFile([goodGroup([payment])]));
    expect(problems).toEqual([]);
    expect(changes.map(({ field, kind }) => [field, kind])).toEqual([
      ['creditor.name', 'transliterated'],
      ['creditor.name', 'shortened'],
    ]);
  });
});

it('has a code of four letters for every purpose', () => {
  expect(Object.keys(purposeCodes).toSorted()).toEqual([...purposesOfPayment].toSorted());
  expect(Object.values(purposeCodes).every((code) => /^[A-Z]{4}$/.test(code))).toBe(true);
});
