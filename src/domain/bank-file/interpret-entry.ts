import { createHash } from 'node:crypto';
import type {
  BankTransactionCode,
  Charge,
  BookedEntryReport,
  EntryDetail,
  EntryReport,
  Reason,
} from '../../providers/bank/report.ts';
import type { Money } from '../../providers/bank/decimal.ts';
import { failureOf } from '../../providers/bank/iso20022/read-reason-codes.ts';
import { newId } from '../../values/ids.ts';
import type { LineDoubt } from './names.ts';
import type { BankNames, StagedLine } from './staged.ts';

type Direction = 'credit' | 'debit';

const opposite = (direction: Direction): Direction => (direction === 'debit' ? 'credit' : 'debit');

/** Sub-families of the bank transaction codes of ISO 20022 that stand for what a bank takes for itself. */
const feeCodes = new Set(['CHRG', 'FEES', 'COMM', 'COMT', 'COME', 'COMI']);

/** What banks write where there is no reference. */
const noReference = new Set(['NOTPROVIDED', 'NONREF', 'NOTAVAILABLE', '']);

const given = (reference: string | null): string | null =>
  reference === null || noReference.has(reference.trim().toUpperCase()) ? null : reference.trim();

const codeText = (code: BankTransactionCode | null): string | null => {
  if (code === null) return null;
  const parts = [code.domain, code.family, code.subFamily, code.proprietary];
  return parts.filter((part) => part !== null && part !== '').join(' ') || null;
};

/** The charges that are part of an amount in `currency`, in minor units. */
function includedIn(charges: readonly Charge[], currency: string): bigint {
  return charges
    .filter(({ included, amount }) => included === true && amount.currency === currency)
    .reduce(
      (sum, { amount, direction }) => sum + (direction === 'credit' ? -1n : 1n) * amount.minor,
      0n,
    );
}

/** The fifteen digits by which an entry of the ACH is known; banks write them into different references. */
function traceOf({ references }: EntryDetail): string | null {
  const { clearingReference, transactionId, endToEndId, servicerReference } = references;
  const all = [clearingReference, transactionId, endToEndId, servicerReference];
  return all.map(given).find((text) => text !== null && /^[0-9]{15}$/.test(text)) ?? null;
}

/** The code of a return as it stands, and whether its words say that the bank had the payment twice. */
function returnOf(reason: Reason | null): { code: string | null; doubt: LineDoubt | null } {
  if (reason === null) return { code: null, doubt: null };
  const code = (reason.code ?? reason.proprietary ?? 'NARR').slice(0, 35);
  return { code, doubt: failureOf([reason]) === 'duplicate' ? 'duplicate' : null };
}

/** A 64-bit integer holds every amount of a bank, but not every sum of them. */
export const fitsColumn = (minor: bigint): boolean => BigInt.asIntN(64, minor) === minor;

type EntryFacts = Omit<
  StagedLine,
  'kind' | 'id' | 'fingerprint' | 'likeness' | 'statement' | 'accountCurrency'
>;

/** A line before it is known of which account it is. */
type EntryLine = Omit<StagedLine, 'accountCurrency'>;

const hashed = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/**
 * What makes a line the same in another file, apart from how often it stands there and from what the bank's own references
 * deny (same-movement.ts). A reference of the payment and the day say it where there is one. Of other lines the bank's
 * own reference and the batch do, or else all that is known, which is their likeness to lines without a reference. Many
 * banks count the entries of each statement anew, so the number of an entry (`NtryRef`) tells nothing.
 */
function keysOf(facts: EntryFacts): Pick<StagedLine, 'fingerprint' | 'likeness'> {
  const { direction, reversal, currency, amountMinor, isFee, bookedOn } = facts;
  const same = [direction, reversal, currency, amountMinor, isFee];
  const payment = facts.endToEndId ?? facts.instructionId ?? facts.traceNumber;
  if (payment !== null) {
    const key = hashed('payment', ...same, payment, bookedOn);
    return { fingerprint: key, likeness: key };
  }
  const { bankCode, batchIds, batchCount, doubt, names } = facts;
  const likeness = hashed('other', ...same, bookedOn, bankCode, batchIds, batchCount);
  const reference = names.payment ?? names.entry ?? names.batch;
  if (reference === undefined) return { fingerprint: likeness, likeness };
  const known = [reference, doubt === 'remainder', ...batchIds];
  return { fingerprint: hashed('reference', ...same, ...known), likeness };
}

const noNames = { entry: null, batch: null, payment: null, transaction: null, clearing: null };

/** A line that is a part of an entry, which has the reference. */
function partOf(facts: EntryFacts): EntryFacts {
  const { entry, ...names } = facts.names;
  return { ...facts, names: entry === undefined ? names : { ...names, batch: entry } };
}

/** Names without those that a bank leaves out. */
function namesOf(given: Readonly<Record<keyof BankNames, string | null>>): BankNames {
  return Object.fromEntries(Object.entries(given).filter(([, name]) => name !== null));
}

/**
 * Turns the booked entries of a statement into lines: one for each payment that the bank shows by itself, for each
 * charge within an amount, and for each batch or entry that it shows as a whole. What the payments of an entry do
 * not explain is a line too, so that the lines of an entry always add up to it.
 */
export class EntryLines {
  #explained = 0n;
  #complete = true;
  #details = 0;

  /** The lines of the next part of an entry. */
  next(entry: EntryReport, statement: number): EntryLine[] {
    if (entry.status !== 'booked') return [];
    if (entry.part === 1) {
      this.#explained = 0n;
      this.#complete = true;
      this.#details = 0;
    }
    const alone = entry.part === 1 && entry.last && entry.details.length === 1;
    const facts = entry.details.flatMap((detail) => this.#ofDetail(entry, detail, alone));
    if (entry.last) facts.push(...this.#rest(entry));
    return facts.map(bounded).map((one) => ({
      kind: 'line',
      statement,
      id: newId('bankLine'),
      ...keysOf(one),
      ...one,
    }));
  }

  #ofDetail(entry: BookedEntryReport, detail: EntryDetail, alone: boolean): EntryFacts[] {
    this.#details += 1;
    const { currency } = entry.amount;
    const direction = detail.direction ?? entry.direction;
    const gross = this.#grossOf(entry, detail, alone);
    const charges = alone ? [...detail.charges, ...entry.charges] : detail.charges;
    const fee = gross === null ? 0n : includedIn(charges, currency);
    // A charge within a debit comes on top of the payment; within a credit it was taken off.
    const net = gross === null ? null : direction === 'debit' ? gross - fee : gross + fee;
    if (gross === null) this.#complete = false;
    else this.#explained += direction === entry.direction ? gross : -gross;
    const { instructed, references } = detail;
    const foreign = instructed !== null && instructed.currency !== currency ? instructed : null;
    const { code, doubt } = returnOf(detail.returned);
    const whole = factsOf(entry, { direction, minor: net });
    const line: EntryFacts = {
      ...whole,
      orderedMinor: foreign === null ? null : String(foreign.minor),
      orderedCurrency: foreign?.currency ?? null,
      bankReference: given(references.servicerReference) ?? whole.bankReference,
      names: namesOf({
        entry: alone ? given(entry.servicerReference) : null,
        batch: alone ? null : given(entry.servicerReference),
        payment: given(references.servicerReference),
        transaction: given(references.transactionId),
        clearing: given(references.clearingReference),
      }),
      bankCode: codeText(detail.bankCode ?? entry.bankCode),
      isFee: isFee(detail.bankCode ?? entry.bankCode, direction),
      endToEndId: given(references.endToEndId),
      instructionId: given(references.instructionId),
      traceNumber: traceOf(detail),
      returnCode: code,
      doubt: net === null || net < 0n ? 'no_amount' : doubt,
      amountMinor: net === null || net < 0n ? null : String(net),
    };
    return fee <= 0n ? [line] : [line, feeLine(line, fee)];
  }

  #grossOf(
    { amount: { currency, minor } }: BookedEntryReport,
    detail: EntryDetail,
    alone: boolean,
  ) {
    if (detail.amount?.currency === currency) return detail.amount.minor;
    if (alone) return minor;
    return detail.instructed?.currency === currency ? detail.instructed.minor : null;
  }

  /** What the details of an entry leave: the whole of it where it has none. */
  #rest(entry: BookedEntryReport): EntryFacts[] {
    const { direction, amount } = entry;
    const hidden = entry.batches.filter(({ details }) => details === 0);
    if (this.#details === 0 && hidden.length <= 1) {
      const [batch] = hidden;
      return [{ ...factsOf(entry, { direction, minor: amount.minor }), ...batchOf(batch) }];
    }
    const lines = hidden.map((batch): EntryFacts => {
      const { total } = batch;
      const minor = total?.currency === amount.currency ? total.minor : null;
      const way = batch.direction ?? direction;
      if (minor === null) this.#complete = false;
      else this.#explained += way === direction ? minor : -minor;
      const facts = factsOf(entry, { direction: way, minor });
      return { ...partOf(facts), ...batchOf(batch), doubt: minor === null ? 'no_amount' : null };
    });
    const left = amount.minor - this.#explained;
    if (!this.#complete || left === 0n) return lines;
    const rest = factsOf(entry, {
      direction: left > 0n ? direction : opposite(direction),
      minor: left > 0n ? left : -left,
    });
    const charged = includedIn(entry.charges, amount.currency);
    const explained = charged > 0n && charged === left && rest.direction === 'debit';
    if (explained) return [...lines, { ...partOf(rest), isFee: true }];
    // It may be money of any payment of the batches of the entry.
    const batchIds = [...new Set(entry.batches.flatMap((batch) => batchOf(batch).batchIds))];
    return [...lines, { ...partOf(rest), isFee: false, batchIds, doubt: 'remainder' }];
  }
}

function isFee(code: BankTransactionCode | null, direction: Direction): boolean {
  return direction === 'debit' && code?.subFamily != null && feeCodes.has(code.subFamily);
}

/** A sum that no payment has is no amount. */
const bounded = (facts: EntryFacts): EntryFacts =>
  facts.amountMinor === null || fitsColumn(BigInt(facts.amountMinor))
    ? facts
    : { ...facts, amountMinor: null, doubt: 'no_amount' };

/** The charge that was part of a payment's amount, as a line of its own. */
function feeLine(payment: EntryFacts, fee: bigint): EntryFacts {
  return {
    ...payment,
    direction: 'debit',
    amountMinor: String(fee),
    orderedMinor: null,
    orderedCurrency: null,
    isFee: true,
    returnCode: null,
    doubt: null,
  };
}

const batchOf = (batch: EntryReport['batches'][number] | undefined) => ({
  batchIds: [batch?.messageId, batch?.paymentInformationId].flatMap(
    (id) => given(id ?? null) ?? [],
  ),
  batchCount: batch?.transactions ?? null,
});

/** What a line has from its entry. */
function factsOf(
  entry: BookedEntryReport,
  { direction, minor }: { readonly direction: Direction; readonly minor: Money['minor'] | null },
): EntryFacts {
  return {
    direction,
    amountMinor: minor === null ? null : String(minor),
    currency: entry.amount.currency,
    orderedMinor: null,
    orderedCurrency: null,
    reversal: entry.reversal,
    isFee: isFee(entry.bankCode, direction),
    bookedOn: entry.bookingDay ?? entry.valueDay,
    bankReference: given(entry.servicerReference) ?? given(entry.reference),
    names: namesOf({ ...noNames, entry: given(entry.servicerReference) }),
    bankCode: codeText(entry.bankCode),
    endToEndId: null,
    instructionId: null,
    traceNumber: null,
    batchIds: [],
    batchCount: null,
    returnCode: null,
    doubt: null,
  };
}
