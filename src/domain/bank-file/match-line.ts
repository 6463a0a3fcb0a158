import type { BankLine } from '../../../generated/prisma/client.ts';
import { failureOf } from '../../providers/bank/iso20022/read-reason-codes.ts';
import type { Contradiction } from '../contradiction/contradiction.ts';
import { timeOfDay, type BankWords } from './events.ts';
import type { LineDoubt, LineMatch } from './names.ts';
import type { SentToBank } from './payments.ts';

/** A payment with which a line is matched. */
export interface NewMatch {
  readonly payment: SentToBank;
  readonly kind: 'debit' | 'return';
  readonly bookedOn: string;
}

/** What a line is. */
export interface LineJudgement {
  readonly match: Exclude<LineMatch, 'open' | 'explained'>;
  readonly doubt: LineDoubt | null;
  /** The payment that it names without being matched with it. */
  readonly named: SentToBank | null;
  readonly matches: readonly NewMatch[];
  readonly said: readonly { readonly payment: SentToBank; readonly said: BankWords }[];
  /** What calls an operator beside the line itself. */
  readonly contradictions: readonly {
    readonly payment: SentToBank;
    readonly contradiction: Contradiction;
  }[];
}

/** What becomes of a line. */
export interface LineDecision extends LineJudgement {
  /** Payments of which it says that money moved, beside those with which it is matched. */
  readonly moved: readonly SentToBank[];
}

const plain = {
  doubt: null,
  named: null,
  matches: [],
  said: [],
  contradictions: [],
} as const;

function doubtful(
  doubt: LineDoubt,
  named: SentToBank | null = null,
  more: Partial<LineJudgement> = {},
): LineJudgement {
  return { ...plain, match: 'unmatched', doubt, named, ...more };
}

/** What the bank says that the payment was: the ordered amount where the account has another currency. */
function claimOf(
  { amountMinor, currency, orderedMinor, orderedCurrency }: BankLine,
  payment: SentToBank,
): { readonly minor: bigint; readonly currency: string } | null {
  if (orderedMinor !== null && orderedCurrency === payment.currency) {
    return { minor: orderedMinor, currency: orderedCurrency };
  }
  return amountMinor === null ? null : { minor: amountMinor, currency };
}

/** What happened to the payment, by the line. The key of the line makes the event the same in every file. */
function saidBy(
  line: BankLine,
  payment: SentToBank,
  kind: 'debit' | 'return',
  bookedOn: string,
): BankWords {
  const claim = claimOf(line, payment);
  return {
    eventId: `${kind} ${line.naturalKey} ${payment.attemptId}`,
    type: kind === 'debit' ? 'disbursed' : 'returned',
    occurredAt: timeOfDay(bookedOn, payment),
    ...(claim !== null && { amountMinor: claim.minor, currency: claim.currency }),
    railRef: kind === 'debit' ? line.bankReference : null,
    failure: kind === 'debit' ? null : failureBy(line),
  };
}

/** Why a payment came back, in the words of the table of codes alone. */
function failureBy({ returnCode: code }: BankLine) {
  const reasons = code === null ? [] : [{ code, proprietary: null, texts: [] }];
  const failure = failureOf(reasons);
  return failure === 'duplicate' ? null : failure;
}

/** A line that debits payments again, which other lines debit already. Each payment calls an operator. */
function again(line: BankLine, payments: readonly SentToBank[]): LineJudgement {
  const contradictions = payments.map((payment) => ({
    payment,
    contradiction: {
      kind: 'second_payment',
      said: `debit ${line.id}`,
      expected: `debit ${payment.debitLine ?? ''} alone`,
    } as const,
  }));
  return doubtful('second_debit', payments[0] ?? null, { contradictions });
}

/** Whether a line is the first of those that are equal in its statement: its place ends the key (stage-store.ts). */
const isFirst = (naturalKey: string): boolean => naturalKey.endsWith('.1');

/** A debit that takes back the return of payments, so that they are paid after all. Each calls an operator. */
function takesBack(line: BankLine, payments: readonly SentToBank[]): LineJudgement {
  const contradictions = payments.map((payment) => ({
    payment,
    contradiction: {
      kind: 'outcome',
      said: `reversed ${line.id}`,
      expected: 'a return that stands',
    } as const,
  }));
  return doubtful('reversed', payments[0] ?? null, { contradictions });
}

/**
 * Why a credit does not say that a payment came back. It gives back a debit, so one must have been told: a credit alone
 * may be anybody's money with our reference. Of several debits, as of a payment that was booked twice, it gives back one,
 * and only a person knows which. A payment that is known to be returned needs no other word.
 */
function unclearReturn({ state, debitsTold }: SentToBank): LineDoubt | null {
  if (state === 'returned' || debitsTold === 1) return null;
  return debitsTold === 0 ? 'no_debit' : 'several_debits';
}

/**
 * A line that names, or is said to show, one payment.
 *
 * @param byHand whether a person says so, who knows what a credit gives back
 */
export function ofPayment(line: BankLine, payment: SentToBank, byHand = false): LineJudgement {
  const kind = line.direction === 'debit' ? 'debit' : 'return';
  const { bookedOn } = line;
  if (line.reversal && kind === 'debit') return takesBack(line, [payment]);
  if (bookedOn === null) return doubtful('no_day', payment);
  const claim = claimOf(line, payment);
  const said = [{ payment, said: saidBy(line, payment, kind, bookedOn) }];
  if (claim?.minor !== payment.amountMinor || claim.currency !== payment.currency) {
    // The event is a contradiction, which calls an operator and moves nothing.
    return doubtful('amount_differs', payment, { said });
  }
  if (kind === 'return') {
    if (payment.returnLine !== null) return doubtful('second_return', payment);
    const unclear = byHand ? null : unclearReturn(payment);
    if (unclear !== null) return doubtful(unclear, payment);
    return { ...plain, match: 'return', matches: [{ payment, kind, bookedOn }], said };
  }
  if (payment.debitLine !== null) {
    // A bank that booked a batch as one tells of each payment of that day, once.
    const ofThatBatch =
      payment.debitOfBatch && payment.debitDay === bookedOn && isFirst(line.naturalKey);
    return ofThatBatch ? { ...plain, match: 'payout' } : again(line, [payment]);
  }
  return { ...plain, match: 'payout', matches: [{ payment, kind, bookedOn }], said };
}

/** What a line says of several payments: the amount of one of them stands nowhere in it. */
function saidOfOne(
  line: BankLine,
  payment: SentToBank,
  kind: 'debit' | 'return',
  bookedOn: string,
): BankWords {
  const { amountMinor: _whole, currency: _of, ...said } = saidBy(line, payment, kind, bookedOn);
  return said;
}

/** Whether payments add up to a line, in number too where the line tells that. */
function addUpTo(
  { amountMinor, currency, batchCount }: BankLine,
  payments: readonly SentToBank[],
): boolean {
  const total = payments.reduce((sum, payment) => sum + payment.amountMinor, 0n);
  return (
    total === amountMinor &&
    payments.every((payment) => payment.currency === currency) &&
    (batchCount === null || batchCount === payments.length)
  );
}

/**
 * A line that a person says to show a batch as a whole: its debit, or its return, of which the payments that came
 * back before are not part.
 */
export function ofWholeBatch(line: BankLine, payments: readonly SentToBank[]): LineJudgement {
  const { bookedOn } = line;
  if (line.direction === 'debit') return ofBatch(line, payments);
  if (bookedOn === null) return doubtful('no_day');
  const kept = payments.filter(
    ({ state, returnLine }) => state !== 'failed' && returnLine === null,
  );
  if (!addUpTo(line, kept)) return doubtful('batch_differs');
  return {
    ...plain,
    match: 'return',
    matches: kept.map((payment) => ({ payment, kind: 'return', bookedOn })),
    said: kept.map((payment) => ({ payment, said: saidOfOne(line, payment, 'return', bookedOn) })),
  };
}

const hasEnded = ({ state }: SentToBank): boolean => state === 'failed' || state === 'returned';

/** A debit of a batch that does not add up: money may have moved for those of its payments that failed. */
function differs(line: BankLine, payments: readonly SentToBank[]): LineJudgement {
  const failed = payments.filter(({ state }) => state === 'failed');
  const contradictions = failed.map((payment) => ({
    payment,
    contradiction: { kind: 'outcome', said: `debit ${line.id}`, expected: 'failed' } as const,
  }));
  return doubtful('batch_differs', null, { contradictions });
}

/**
 * A batch that the bank debited as one line. Payments that it refused are not part of it. Those whose debit another
 * line of that day shows are, since a notification may have told of each. A debit of another day is not this one.
 *
 * @param shown whether another line of that day shows the batch as a whole
 */
function ofBatch(line: BankLine, payments: readonly SentToBank[], shown = false): LineJudgement {
  const { bookedOn } = line;
  if (line.reversal) return takesBack(line, payments.filter(hasEnded));
  if (bookedOn === null) return doubtful('no_day');
  const booked = payments.filter(({ state }) => state !== 'failed');
  if (!addUpTo(line, booked)) return differs(line, payments);
  const open = booked.filter(({ debitLine }) => debitLine === null);
  const before = booked.filter(
    ({ debitDay, debitOfBatch }) =>
      debitDay !== null && (shown || debitOfBatch || debitDay !== bookedOn),
  );
  if (before.length > 0) return again(line, before);
  return {
    ...plain,
    match: 'payout',
    matches: open.map((payment) => ({ payment, kind: 'debit', bookedOn })),
    said: open.map((payment) => ({ payment, said: saidOfOne(line, payment, 'debit', bookedOn) })),
  };
}

/** Codes of credits that give something back. */
const givesBack = /\b(RRTN|RETN|RPCR|REVERSAL|RETURN)\b/i;

/** Whether a bank gave a payment back because it had it twice. */
const isDuplicate = ({ returnCode: code }: BankLine): boolean =>
  code !== null && failureOf([{ code, proprietary: null, texts: [] }]) === 'duplicate';

function judge(
  line: BankLine,
  found: readonly SentToBank[],
  batch: readonly SentToBank[],
  shown: boolean,
): LineJudgement {
  const [payment, ...others] = found;
  if (line.doubt === 'remainder') return doubtful('remainder');
  if (line.amountMinor === null) return doubtful('no_amount', payment);
  if (isDuplicate(line)) return doubtful('duplicate', payment);
  if (line.isFee) return { ...plain, match: 'fee' };
  if (others.length > 0) return doubtful('several_attempts');
  if (payment !== undefined) return ofPayment(line, payment);
  if (line.direction === 'debit')
    return batch.length > 0 ? ofBatch(line, batch, shown) : doubtful('not_ours');
  if (batch.length > 0) return doubtful('batch_returned');
  const back = line.reversal || line.returnCode !== null || givesBack.test(line.bankCode ?? '');
  return back ? doubtful('not_ours') : { ...plain, match: 'funding' };
}

/**
 * The payments of which a line says that money moved: all that it names, by themselves or by their batch, whatever
 * else it is. A fee says it of none. A batch that adds up leaves out the payments that were refused. Of a batch that
 * differs, a status report may still tell which payments the bank left out, so it says nothing until a person has
 * explained it.
 */
function movedBy(
  line: Pick<BankLine, 'isFee'>,
  found: readonly SentToBank[],
  batch: readonly SentToBank[],
  { match, doubt }: Pick<LineJudgement, 'match' | 'doubt'>,
): readonly SentToBank[] {
  if (line.isFee) return [];
  if (doubt === 'batch_differs') return found;
  const addsUp = match === 'payout' || doubt === 'second_debit';
  return [...found, ...(addsUp ? batch.filter(({ state }) => state !== 'failed') : batch)];
}

/**
 * Decides what a line is: the debit of a payment or of a batch, a payment that came back, a fee, money that came
 * in; or none of them, with the reason. It reads nothing.
 *
 * @param found the payments that its references name
 * @param batch the payments of the batch that it names
 * @param shown whether another line of that day shows that batch as a whole
 */
export function decide(
  line: BankLine,
  found: readonly SentToBank[],
  batch: readonly SentToBank[],
  shown: boolean,
): LineDecision {
  const judged = judge(line, found, batch, shown);
  return { ...judged, moved: movedBy(line, found, batch, judged) };
}

/**
 * The decision, apart from money of another currency than the account's: it cannot be on the account as it stands, so
 * it is no fee and no funding of that currency's books until a person has said what it is.
 */
export function ofAccount(
  decision: LineDecision,
  line: Pick<BankLine, 'currency'>,
  accountCurrency: string,
): LineDecision {
  const booked = decision.match === 'fee' || decision.match === 'funding';
  return booked && line.currency !== accountCurrency
    ? { ...doubtful('other_currency'), moved: decision.moved }
    : decision;
}
