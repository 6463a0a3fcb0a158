import { isAbaNumber } from '../../../values/aba.ts';
import type { Check } from '../write-problems.ts';
import { fitCode, fitName, fitText } from '../text/fit.ts';
import { printableAscii } from '../text/transliterate.ts';
import { entryDetail, paymentAddenda, transactionCodes, writeRecord } from './records.ts';
import type { Totals } from './write-totals.ts';
import type { AchAccount, AchBatch, AchCredit, AchOffset } from './write-types.ts';

/** The lines of an entry, and what they add to the control records. */
export interface WrittenEntry {
  readonly lines: readonly string[];
  readonly totals: Totals;
}

const room = (longest: number) => ({ permitted: printableAscii, longest });

const largestAmount = 9_999_999_999n;
const largestSequence = 9_999_999;

function checkAccount({ routingNumber, number }: AchAccount, field: string, check: Check): void {
  if (!isAbaNumber(routingNumber)) check.refuse(`${field}.routingNumber`, 'account_unfit');
  if (!/^[A-Za-z0-9-]{1,17}$/.test(number)) check.refuse(`${field}.number`, 'account_unfit');
}

interface EntryParts {
  readonly account: AchAccount;
  readonly code: number;
  readonly amountMinor: bigint;
  readonly sequence: number;
  readonly identification: string;
  readonly name: string;
  readonly reference: string;
}

/** An entry record and its addenda, once all of it is known to fit. */
function entryLines(parts: EntryParts, { originatingBank }: AchBatch): string[] {
  const { account, code, amountMinor, sequence, identification, name, reference } = parts;
  const entry = writeRecord(entryDetail, {
    transactionCode: code,
    receivingBank: account.routingNumber.slice(0, 8),
    checkDigit: account.routingNumber.slice(8),
    accountNumber: account.number,
    amount: amountMinor,
    identification,
    name,
    discretionaryData: '',
    addendaIndicator: reference === '' ? 0 : 1,
    traceNumber: traceNumber(originatingBank, sequence),
  });
  if (reference === '') return [entry];
  const addenda = { paymentInformation: reference, addendaSequence: 1, entrySequence: sequence };
  return [entry, writeRecord(paymentAddenda, addenda)];
}

/**
 * The fifteen digits that name an entry for good: eight of our bank's routing number and seven of the
 * caller's sequence. A return or a notification of change repeats them.
 */
export function traceNumber(originatingBank: string, sequence: number): string {
  return `${originatingBank.slice(0, 8)}${String(sequence).padStart(7, '0')}`;
}

function hashOf({ routingNumber }: AchAccount): bigint {
  return BigInt(routingNumber.slice(0, 8));
}

/** Writes the entry, unless a problem was found: a wrong value may not even fit its field. */
function written(
  parts: EntryParts,
  batch: AchBatch,
  refused: boolean,
  debit: boolean,
): WrittenEntry {
  const { amountMinor, account, reference } = parts;
  const hash = /^[0-9]{9}$/.test(account.routingNumber) ? hashOf(account) : 0n;
  return {
    lines: refused ? [] : entryLines(parts, batch),
    totals: {
      count: reference === '' ? 1 : 2,
      hash,
      debitMinor: debit ? amountMinor : 0n,
      creditMinor: debit ? 0n : amountMinor,
    },
  };
}

function checkSequence(sequence: number, after: number, check: Check): void {
  if (!Number.isInteger(sequence) || sequence < 1 || sequence > largestSequence) {
    check.refuse('sequence', 'malformed', `It is from 1 to ${largestSequence}.`);
  } else if (sequence <= after) check.refuse('sequence', 'out_of_order');
}

/**
 * A credit and, with a reference, its addenda.
 * @param after the sequence of the entry before it
 */
export function creditEntry(
  payment: AchCredit,
  batch: AchBatch,
  after: number,
  check: Check,
): WrittenEntry {
  const { account, amountMinor, sequence } = payment;
  if ((payment.payee === 'person') !== (batch.entryClass === 'PPD')) {
    check.refuse('payee', 'wrong_class');
  }
  if (amountMinor < 1n || amountMinor > largestAmount) {
    check.refuse('amountMinor', 'amount_out_of_range');
  }
  checkSequence(sequence, after, check);
  checkAccount(account, 'account', check);
  const parts: EntryParts = {
    account,
    code: transactionCodes.credit[account.type],
    amountMinor,
    sequence,
    identification: fitCode(payment.identification, 'identification', room(15), check),
    name: fitName(payment.name, 'name', room(22), check),
    reference: fitText(payment.reference, 'reference', room(80), check),
  };
  return written(parts, batch, check.isRefused(), false);
}

/** The debit of our own account over the whole batch. */
export function offsetEntry(
  offset: AchOffset,
  batch: AchBatch,
  { amountMinor, after }: { readonly amountMinor: bigint; readonly after: number },
  check: Check,
): WrittenEntry {
  const { account, sequence } = offset;
  if (amountMinor > largestAmount) check.refuse('offset', 'total_out_of_range');
  checkSequence(sequence, after, check);
  checkAccount(account, 'offset.account', check);
  const parts: EntryParts = {
    account,
    code: transactionCodes.debit[account.type],
    amountMinor,
    sequence,
    identification: '',
    name: fitName(offset.name, 'offset.name', room(22), check),
    reference: '',
  };
  return written(parts, batch, check.isRefused(), true);
}
