import { BankFileProblem, quoted } from '../problem.ts';
import type { NachaLine } from './read-lines.ts';

/*
 * The fields of the records, by their first and last position as the format counts them, from 1.
 * https://achdevguide.nacha.org/ach-file-details
 */

type Span = readonly [first: number, last: number];

export function textIn({ text }: NachaLine, [first, last]: Span): string {
  return text.slice(first - 1, last).trim();
}

export function badRecord({ line }: NachaLine, message: string): BankFileProblem {
  return new BankFileProblem('bad_record', { line, path: null }, message);
}

/** A field of digits, with the zeros before it. */
export function digitsIn(record: NachaLine, name: string, span: Span): string {
  const text = record.text.slice(span[0] - 1, span[1]);
  if (/^\d+$/.test(text)) return text;
  throw badRecord(record, `${name} holds ${quoted(text)} instead of digits.`);
}

function numberIn(record: NachaLine, name: string, span: Span): number {
  return Number(digitsIn(record, name, span));
}

function amountIn(record: NachaLine, name: string, span: Span): bigint {
  return BigInt(digitsIn(record, name, span));
}

export interface FileHeader {
  readonly createdAt: string | null;
  readonly reference: string | null;
}

/** Record 1. */
export function fileHeader(record: NachaLine): FileHeader {
  if (textIn(record, [35, 40]) !== '094101') {
    throw badRecord(record, 'the header is not that of records of 94 in blocks of ten.');
  }
  const date = textIn(record, [24, 29]);
  const time = textIn(record, [30, 33]);
  const day = /^\d{6}$/.test(date)
    ? `20${date.slice(0, 2)}-${date.slice(2, 4)}-${date.slice(4)}`
    : null;
  const clock = /^\d{4}$/.test(time) ? `T${time.slice(0, 2)}:${time.slice(2)}` : '';
  const reference = textIn(record, [87, 94]);
  return {
    createdAt: day === null ? null : `${day}${clock}`,
    reference: reference === '' ? null : reference,
  };
}

export interface BatchHeader {
  readonly serviceClass: string;
  readonly companyName: string;
  readonly companyId: string;
  readonly entryClass: string;
  readonly entryDescription: string;
  readonly number: number;
}

/** Record 5. */
export function batchHeader(record: NachaLine): BatchHeader {
  return {
    serviceClass: digitsIn(record, 'the service class', [2, 4]),
    companyName: textIn(record, [5, 20]),
    companyId: textIn(record, [41, 50]),
    entryClass: textIn(record, [51, 53]),
    entryDescription: textIn(record, [54, 63]),
    number: numberIn(record, 'the batch number', [88, 94]),
  };
}

export interface ReadEntry {
  readonly transactionCode: string;
  readonly direction: 'credit' | 'debit';
  readonly routingNumber: string;
  readonly accountNumber: string;
  readonly amountMinor: bigint;
  readonly identification: string;
  readonly name: string;
  readonly traceNumber: string;
  readonly hasAddenda: boolean;
}

/** Where the name stands and the account, by the class: most have one layout, two have their own. */
function namesIn(
  record: NachaLine,
  entryClass: string,
): Pick<ReadEntry, 'accountNumber' | 'identification' | 'name'> {
  if (entryClass === 'IAT') {
    return { accountNumber: textIn(record, [40, 74]), identification: '', name: '' };
  }
  const head = {
    accountNumber: textIn(record, [13, 29]),
    identification: textIn(record, [40, 54]),
  };
  // CTX counts its addenda before the name.
  return { ...head, name: textIn(record, entryClass === 'CTX' ? [59, 74] : [55, 76]) };
}

/** Record 6. The second digit of the transaction code tells the direction: below five a credit. */
export function entry(record: NachaLine, entryClass: string): ReadEntry {
  const transactionCode = digitsIn(record, 'the transaction code', [2, 3]);
  return {
    transactionCode,
    direction: transactionCode.charAt(1) < '5' ? 'credit' : 'debit',
    routingNumber: digitsIn(record, 'the routing number', [4, 12]),
    ...namesIn(record, entryClass),
    amountMinor: amountIn(record, 'the amount', [30, 39]),
    traceNumber: digitsIn(record, 'the trace number', [80, 94]),
    hasAddenda: digitsIn(record, 'the addenda indicator', [79, 79]) === '1',
  };
}

/** What a control record says of the entries before it. */
export interface Totals {
  readonly entries: number;
  readonly hash: bigint;
  readonly debitMinor: bigint;
  readonly creditMinor: bigint;
}

export interface BatchControl extends Totals {
  readonly serviceClass: string;
  readonly number: number;
}

/** Record 8. */
export function batchControl(record: NachaLine): BatchControl {
  return {
    serviceClass: digitsIn(record, 'the service class', [2, 4]),
    entries: numberIn(record, 'the count of entries', [5, 10]),
    hash: amountIn(record, 'the entry hash', [11, 20]),
    debitMinor: amountIn(record, 'the total of debits', [21, 32]),
    creditMinor: amountIn(record, 'the total of credits', [33, 44]),
    number: numberIn(record, 'the batch number', [88, 94]),
  };
}

export interface FileControl extends Totals {
  readonly batches: number;
  readonly blocks: number;
}

/** Record 9. */
export function fileControl(record: NachaLine): FileControl {
  return {
    batches: numberIn(record, 'the count of batches', [2, 7]),
    blocks: numberIn(record, 'the count of blocks', [8, 13]),
    entries: numberIn(record, 'the count of entries', [14, 21]),
    hash: amountIn(record, 'the entry hash', [22, 31]),
    debitMinor: amountIn(record, 'the total of debits', [32, 43]),
    creditMinor: amountIn(record, 'the total of credits', [44, 55]),
  };
}
