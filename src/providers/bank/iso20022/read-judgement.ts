import type { ProviderFailure } from '../../port.ts';
import type { PaymentReferences, StatusReport } from '../report.ts';
import { failureOf } from './read-reason-codes.ts';
import { verdictOf, type BankVerdict } from './read-status-codes.ts';

/** A payment as it was sent. */
export interface SentPayment {
  readonly messageId: string;
  readonly paymentInformationId: string;
  readonly endToEndId: string;
  readonly instructionId: string;
  readonly uetr: string | null;
}

/** What the reports of one file say of one payment. */
export interface Judgement {
  /** `duplicate`: refused because the bank has the payment already, which is no failure. */
  readonly verdict: BankVerdict | 'duplicate';
  /** The report that decides. */
  readonly report: StatusReport;
  readonly failure: ProviderFailure | null;
  /** Why the verdict is `unknown`, for people. */
  readonly doubt: string | null;
}

/** Whether two references that may be missing can be those of one payment. */
const agrees = (said: string | null, sent: string): boolean => said === null || said === sent;

/** What banks write where a payment had no reference. */
const placeholder = 'NOTPROVIDED';

function isOf(references: PaymentReferences, payment: SentPayment): boolean {
  const { uetr, endToEndId, instructionId, paymentInformationId } = references;
  if (!agrees(paymentInformationId, payment.paymentInformationId)) return false;
  if (uetr !== null && payment.uetr !== null) return uetr === payment.uetr.toLowerCase();
  if (endToEndId !== null && endToEndId !== placeholder) return endToEndId === payment.endToEndId;
  return instructionId !== null && instructionId === payment.instructionId;
}

function judgementOf(report: StatusReport, status: string): Judgement {
  const verdict = verdictOf(status);
  if (verdict === 'unknown') {
    return { verdict, report, failure: null, doubt: `The status ${status} is not known.` };
  }
  if (verdict !== 'rejected') return { verdict, report, failure: null, doubt: null };
  const failure = failureOf(report.reasons);
  if (failure === 'duplicate') return { verdict: failure, report, failure: null, doubt: null };
  return { verdict, report, failure, doubt: null };
}

/** The one judgement of reports of the same level; in doubt where they contradict each other. */
function together(reports: readonly StatusReport[]): Judgement | null {
  let found: Judgement | null = null;
  for (const report of reports) {
    if (report.status === null) continue;
    const judgement = judgementOf(report, report.status);
    if (found !== null && found.verdict !== judgement.verdict) {
      const doubt = 'The file has two statuses for it that contradict each other.';
      return { verdict: 'unknown', report, failure: null, doubt };
    }
    found ??= judgement;
  }
  return found;
}

/** The words under which a transaction's report is found; `isOf` decides. */
function keysOf(references: Omit<PaymentReferences, 'paymentInformationId'>): readonly string[] {
  const { uetr, endToEndId, instructionId } = references;
  const keys = [
    uetr === null ? null : `uetr ${uetr.toLowerCase()}`,
    endToEndId === null ? null : `end ${endToEndId}`,
    instructionId === null ? null : `instruction ${instructionId}`,
  ];
  return keys.filter((key) => key !== null);
}

function byKey<T>(
  all: readonly T[],
  referencesOf: (one: T) => Omit<PaymentReferences, 'paymentInformationId'>,
): ReadonlyMap<string, readonly T[]> {
  const found = new Map<string, T[]>();
  for (const one of all) {
    for (const key of keysOf(referencesOf(one))) {
      const list = found.get(key);
      if (list === undefined) found.set(key, [one]);
      else list.push(one);
    }
  }
  return found;
}

const answers = (report: StatusReport, payment: SentPayment): boolean =>
  agrees(report.originalMessageId, payment.messageId) && isOf(report.references, payment);

/** The reports of single payments that are of none of these. */
export function unknownAmong(
  reports: readonly StatusReport[],
  payments: readonly SentPayment[],
): StatusReport[] {
  const sent = byKey(payments, (payment) => payment);
  return reports.filter((report) => {
    if (report.level !== 'transaction') return false;
    const candidates = keysOf(report.references).flatMap((key) => sent.get(key) ?? []);
    return !candidates.some((payment) => answers(report, payment));
  });
}

/** The payments that the references of a report name where they are those of several: no payment has all of them. */
function namedTogether(
  { originalMessageId, references }: StatusReport,
  sent: ReadonlyMap<string, readonly SentPayment[]>,
): ReadonlySet<SentPayment> {
  const named = keysOf(references)
    .map((key) =>
      (sent.get(key) ?? []).filter(({ messageId }) => agrees(originalMessageId, messageId)),
    )
    .filter((payments) => payments.length > 0);
  const isOfOne = named[0]?.some((payment) => named.every((found) => found.includes(payment)));
  return new Set(isOfOne === true ? [] : named.flat());
}

/** A level above the transactions: its reports, and whether the file lists transactions under it. */
interface Level {
  readonly reports: readonly StatusReport[];
  readonly lists: boolean;
}

/** What a level above the transactions says of a payment that is listed under it or not. */
function above({ reports, lists }: Level, listed: boolean): Judgement | null {
  const judgement = together(reports);
  if (judgement === null || judgement.verdict === 'partial') return null;
  const refuses = judgement.verdict === 'rejected' || judgement.verdict === 'duplicate';
  if (listed || !refuses || !lists) return judgement;
  const doubt = 'The bank refuses all and lists payments, but not this one.';
  return { verdict: 'unknown', report: judgement.report, failure: null, doubt };
}

/**
 * Judges payments by the status reports of one file: the status of the most special level that has one counts. A
 * refusal of a batch or of the whole file holds for each of its payments where the file lists none, and for those
 * that it lists without a status. A payment that is left out of such a list is in doubt, since banks also list
 * only what is wrong. So are all payments of which one report has references: nobody knows which one it means.
 *
 * @param reports all status reports of one file
 * @param payments those that were sent in the messages that the file answers
 * @returns what the file says of a payment; null where it says nothing
 */
export function judgeBy(
  reports: readonly StatusReport[],
  payments: readonly SentPayment[],
): (payment: SentPayment) => Judgement | null {
  const transactions = reports.filter(({ level }) => level === 'transaction');
  const found = byKey(transactions, ({ references }) => references);
  const batches = reports.filter(({ level }) => level === 'payment_information');
  const groups = reports.filter(({ level }) => level === 'group');
  const listing = new Set(transactions.map(({ references }) => references.paymentInformationId));
  const sent = byKey(payments, (payment) => payment);
  const mixed = new Map<SentPayment, StatusReport>();
  for (const report of transactions) {
    for (const payment of namedTogether(report, sent)) mixed.set(payment, report);
  }
  return (payment) => {
    const unclear = mixed.get(payment);
    if (unclear !== undefined) {
      const doubt = 'A status has the references of several payments.';
      return { verdict: 'unknown', report: unclear, failure: null, doubt };
    }
    const { messageId, paymentInformationId } = payment;
    const ofMessage = (report: StatusReport): boolean =>
      agrees(report.originalMessageId, messageId);
    const candidates = new Set(keysOf(payment).flatMap((key) => found.get(key) ?? []));
    const own = [...candidates].filter((report) => answers(report, payment));
    const batch = {
      reports: batches.filter(
        (report) =>
          ofMessage(report) && report.references.paymentInformationId === paymentInformationId,
      ),
      lists: listing.has(paymentInformationId),
    };
    const group = {
      reports: groups.filter((report) => report.originalMessageId === messageId),
      lists: transactions.length > 0,
    };
    return together(own) ?? above(batch, own.length > 0) ?? above(group, own.length > 0);
  };
}

/**
 * Finds what one file says of payments at any level, whatever else it says: a batch that is called executed as a whole was
 * executed with each of its payments. So this is known of a payment also where a more special status denies it.
 *
 * @param reports all status reports of one file
 * @param verdicts what is looked for
 * @returns the report that says it of a payment; null where none does
 */
export function saidAnywhere(
  reports: readonly StatusReport[],
  verdicts: readonly BankVerdict[],
): (payment: SentPayment) => StatusReport | null {
  const says = reports.filter(
    ({ status }) => status !== null && verdicts.includes(verdictOf(status)),
  );
  const transactions = says.filter(({ level }) => level === 'transaction');
  const found = byKey(transactions, ({ references }) => references);
  const above = says.filter(({ level }) => level !== 'transaction');
  return (payment) => {
    const own = keysOf(payment)
      .flatMap((key) => found.get(key) ?? [])
      .find((report) => answers(report, payment));
    const whole = above.find(({ level, originalMessageId, references }) =>
      level === 'group'
        ? originalMessageId === payment.messageId
        : agrees(originalMessageId, payment.messageId) &&
          references.paymentInformationId === payment.paymentInformationId,
    );
    return own ?? whole ?? null;
  };
}
