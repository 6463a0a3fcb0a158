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

/**
 * What a file's reports say of one payment: the status of the most special level that has one. A refusal of a
 * batch or of the whole file holds for each of its payments where the file lists none, and for those that it
 * lists without a status. A payment that is left out of such a list is in doubt, since banks also list only what
 * is wrong.
 *
 * @param reports all status reports of one file
 * @returns null where the file says nothing of the payment
 */
export function judge(reports: readonly StatusReport[], payment: SentPayment): Judgement | null {
  const concerned = reports.filter(
    ({ originalMessageId, references }) =>
      agrees(originalMessageId, payment.messageId) &&
      agrees(references.paymentInformationId, payment.paymentInformationId),
  );
  const own = concerned.filter(
    ({ level, references }) => level === 'transaction' && isOf(references, payment),
  );
  const special = together(own);
  if (special !== null) return special;
  for (const level of ['payment_information', 'group'] as const) {
    // Without the id of the message a group is not known to be the payment's.
    const named = concerned.filter(
      (report) =>
        report.level === level && (level !== 'group' || report.originalMessageId !== null),
    );
    const judgement = together(named);
    if (judgement === null || judgement.verdict === 'partial') continue;
    const scope = level === 'group' ? reports : concerned;
    const lists = scope.some((report) => report.level === 'transaction');
    const refuses = judgement.verdict === 'rejected' || judgement.verdict === 'duplicate';
    if (own.length > 0 || !refuses || !lists) return judgement;
    const doubt = 'The bank refuses all and lists payments, but not this one.';
    return { verdict: 'unknown', report: judgement.report, failure: null, doubt };
  }
  return null;
}
