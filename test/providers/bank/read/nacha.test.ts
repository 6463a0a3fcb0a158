import { describe, expect, it } from 'vitest';
import { changeCodes } from '../../../../src/providers/bank/nacha/read-changes.ts';
import { readNacha } from '../../../../src/providers/bank/nacha/read-file.ts';
import { returnCodes } from '../../../../src/providers/bank/nacha/read-return-codes.ts';
import { chunksOf, ofKind, readText, refusal } from './support.ts';

const filler = '9'.repeat(94);
const digits = (value: number | bigint, length: number): string =>
  String(value).padStart(length, '0');

const fileHead =
  '101 121000248 0210000212611220600A094101BANK NAME              MY COMPANY             REF00001';
const batchHead = (entryClass: string): string =>
  `5200MY COMPANY                          1234567890${entryClass}PAYOUT    261120261123   1121000240000001`;
const entryLine = (code: string, amount: number, trace = 1): string =>
  `6${code}121000248${'12345678'.padEnd(17)}${digits(amount, 10)}${'po_1'.padEnd(15)}${'Ada Lovelace'.padEnd(22)}  112100024${digits(trace, 7)}`;
const returned = (code: string, more = ''): string =>
  `799${code}121000240000007      12100024${more.padEnd(44)}121000240000001`;
const change = (code: string, corrected: string, after = ''): string =>
  `798${code}121000240000007      12100024${corrected.padEnd(29)}${after.padEnd(15)}121000240000001`;

interface Totals {
  entries: number;
  hash: bigint;
  debit: number;
  credit: number;
}

/** A file of one batch with its controls, by a count of its own. */
function file(lines: readonly string[], wrong: Partial<Totals> = {}, entryClass = 'PPD'): string {
  const totals: Totals = { entries: 0, hash: 0n, debit: 0, credit: 0 };
  for (const line of lines) {
    totals.entries += 1;
    if (!line.startsWith('6')) continue;
    totals.hash += BigInt(line.slice(3, 11));
    const amount = Number(line.slice(29, 39));
    if (Number(line.charAt(2)) < 5) totals.credit += amount;
    else totals.debit += amount;
  }
  const { entries, hash, debit, credit } = { ...totals, ...wrong };
  const tail = `${digits(hash, 10)}${digits(debit, 12)}${digits(credit, 12)}`;
  const records = lines.length + 4;
  const blocks = Math.ceil(records / 10);
  const control = `8200${digits(entries, 6)}${tail}1234567890${' '.repeat(25)}121000240000001`;
  const end = `9000001${digits(blocks, 6)}${digits(totals.entries, 8)}${digits(totals.hash, 10)}${digits(totals.debit, 12)}${digits(totals.credit, 12)}${' '.repeat(39)}`;
  const all = [fileHead, batchHead(entryClass), ...lines, control, end];
  while (all.length % 10 !== 0) all.push(filler);
  expect(all.every((line) => line.length === 94)).toBe(true);
  return `${all.join('\n')}\n`;
}

const oneReturn = [entryLine('21', 12_345), returned('R03')];

describe('returns', () => {
  it.each([
    ['LF', (text: string) => text],
    ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
    ['no end of the last line', (text: string) => text.trimEnd()],
    ['no ends of lines at all', (text: string) => text.replaceAll('\n', '')],
    ['lines without their last spaces', (text: string) => text.replaceAll(/ +\n/g, '\n')],
    ['no filling of the last block', (text: string) => text.replaceAll(`${filler}\n`, '')],
  ])('are read with %s', async (_, ends) => {
    const text = ends(file(oneReturn));
    for (const length of [1, 95, 65_536]) {
      expect(ofKind(await readText(text, length), 'ach_return')).toMatchObject([
        {
          code: 'R03',
          direction: 'credit',
          amount: { minor: 12_345n, currency: 'USD' },
          identification: 'po_1',
          originalTraceNumber: '121000240000007',
          originalReceivingBank: '12100024',
          text: null,
        },
      ]);
    }
  });

  it('tell the day of a death', async () => {
    const line = returned('R15').slice(0, 21) + '261101' + returned('R15').slice(27);
    const reports = await readText(file([entryLine('21', 100), line]));
    expect(ofKind(reports, 'ach_return')).toMatchObject([
      { code: 'R15', dateOfDeath: '2026-11-01' },
    ]);
  });

  it('know every code of the public list', () => {
    const numbers = Object.keys(returnCodes).map((code) => Number(code.slice(1)));
    const range = (first: number, last: number): number[] =>
      Array.from({ length: last - first + 1 }, (_, at) => first + at);
    expect(numbers).toEqual([
      ...range(1, 47),
      ...range(50, 53),
      61,
      62,
      ...range(67, 70),
      ...range(71, 77),
      ...range(80, 85),
    ]);
    const meanings = Object.fromEntries(
      [
        'R02',
        'R03',
        'R04',
        'R06',
        'R13',
        'R14',
        'R15',
        'R16',
        'R17',
        'R20',
        'R23',
        'R24',
        'R31',
      ].map((code) => [code, returnCodes[code]?.means]),
    );
    expect(meanings).toEqual({
      R02: 'account_closed',
      R03: 'invalid_account',
      R04: 'invalid_account',
      R06: 'other',
      R13: 'invalid_account',
      R14: 'other',
      R15: 'other',
      R16: 'compliance_rejected',
      R17: 'invalid_account',
      R20: 'invalid_account',
      R23: 'provider_rejected',
      R24: 'duplicate',
      R31: 'other',
    });
  });
});

describe('notifications of change', () => {
  const none = {
    accountNumber: null,
    routingNumber: null,
    transactionCode: null,
    name: null,
    identification: null,
  };
  it.each([
    ['C01', '1918171614', { accountNumber: '1918171614' }],
    ['C02', '121000248', { routingNumber: '121000248' }],
    ['C03', '121000248   1918171614', { routingNumber: '121000248', accountNumber: '1918171614' }],
    ['C04', 'Ada King', { name: 'Ada King' }],
    ['C05', '32', { transactionCode: '32' }],
    ['C06', '1918171614          32', { accountNumber: '1918171614', transactionCode: '32' }],
    [
      'C07',
      '1210002481918171614       32',
      { routingNumber: '121000248', accountNumber: '1918171614', transactionCode: '32' },
    ],
    ['C09', 'po_2', { identification: 'po_2' }],
    ['C13', '', null],
  ])('%s', async (code, corrected, correction) => {
    const reports = await readText(file([entryLine('21', 0), change(code, corrected)], {}, 'COR'));
    expect(ofKind(reports, 'ach_change')).toMatchObject([
      { code, refused: false, corrected, correction: correction && { ...none, ...correction } },
    ]);
  });

  it('are read when they are refused, with the code that they had', async () => {
    const reports = await readText(
      file([entryLine('21', 0), change('C65', '1918171614', 'C01')], {}, 'COR'),
    );
    expect(ofKind(reports, 'ach_change')).toMatchObject([
      { code: 'C65', refused: true, correction: { accountNumber: '1918171614' } },
    ]);
  });

  it('know the codes C01 to C14', () => {
    const known = Object.keys(changeCodes).filter((code) => code < 'C15');
    expect(known).toHaveLength(14);
  });
});

describe('entries', () => {
  it('that nothing returns are told, with addenda of their own passed over', async () => {
    const addenda = `705${'INVOICE 1'.padEnd(80)}00010000001`;
    const reports = await readText(file([entryLine('22', 5), addenda, entryLine('32', 6, 2)]));
    expect(ofKind(reports, 'ach_entry').map(({ transactionCode }) => transactionCode)).toEqual([
      '22',
      '32',
    ]);
    expect(reports).toHaveLength(3);
  });
});

describe('files that are wrong', () => {
  const good = file(oneReturn);
  const lineOf = (at: number): string => good.split('\n')[at] ?? '';
  const without = (at: number): string => good.replace(`${lineOf(at)}\n`, '');

  it.each([
    ['a count of the batch', file(oneReturn, { entries: 3 })],
    ['the hash of the batch', file(oneReturn, { hash: 1n })],
    ['the debits of the batch', file(oneReturn, { debit: 1 })],
    ['the credits of the batch', file(oneReturn, { credit: 12_346 })],
    ['an amount', good.replace('0000012345', '0000012346')],
    ['the batches of the file', good.replace('9000001000001', '9000002000001')],
    ['the blocks of the file', good.replace('9000001000001', '9000001000002')],
    ['the credits of the file', good.replace(/(?<=\n9.{42})\d{12}/, '000000000001')],
    ['the number of the batch', good.replace(/(\n8.*)0000001\n/, '$10000002\n')],
    ['the service class', good.replace('\n8200', '\n8220')],
    ['a missing entry', without(2).replace(`${lineOf(3)}\n`, '')],
  ])('%s', async (_, text) => {
    expect(await refusal(text)).toBe('control_mismatch');
  });

  it.each([
    ['no header', without(0).replace(/^5/, '1'), 'bad_record'],
    ['two headers', good.replace('\n5', `\n${fileHead}\n5`), 'bad_record'],
    ['records of another length', good.replace('094101', '080101'), 'bad_record'],
    ['a batch in a batch', good.replace('\n6', `\n${batchHead('PPD')}\n6`), 'bad_record'],
    ['an entry without a batch', without(1), 'bad_record'],
    ['addenda before an entry', without(2), 'bad_record'],
    [
      'addenda of an entry that has none',
      good.replace('1121000240000001\n799', '0121000240000001\n799'),
      'bad_record',
    ],
    ['a record of another kind', good.replace('\n6', '\n4'), 'bad_record'],
    ['a long line', good.replace('\n6', 'x\n6'), 'bad_record'],
    ['letters in an amount', good.replace('0000012345', '00000123O5'), 'bad_record'],
    ['other characters', good.replace('Ada', 'Ad\u00e0'), 'bad_record'],
    ['a return without a code', good.replace('799R03', '799XXX'), 'bad_record'],
    ['accounting advices', file(oneReturn, {}, 'ADV'), 'bad_record'],
    ['an end within the batch', `${good.split('\n').slice(0, 4).join('\n')}\n`, 'cut_off'],
    ['no control of the file', `${good.split('\n').slice(0, 5).join('\n')}\n`, 'cut_off'],
    ['more after the end', `${good}${batchHead('PPD')}\n`, 'cut_off'],
  ])('%s', async (_, text, code) => {
    expect(await refusal(text)).toBe(code);
  });

  it('larger than the limit', async () => {
    const read = async (): Promise<void> => {
      for await (const _ of readNacha(chunksOf(Buffer.from(good), 100), { bytes: 300 }));
    };
    await expect(read()).rejects.toMatchObject({ code: 'file_too_large' });
  });
});
