import { createHash } from 'node:crypto';
import { unknownAmong } from '../../providers/bank/iso20022/read-judgement.ts';
import type { StatementReport, StatusReport } from '../../providers/bank/report.ts';
import type { StoredBankFile } from './file-store.ts';
import type { StrayKind } from './names.ts';
import { plainNumber, type Owner } from './own-account.ts';
import type { SentToBank } from './payments.ts';
import { saidIn } from './said.ts';
import type { StagedChange, StagedReturn } from './staged.ts';

/** An answer of a bank that names no file or no payment of its connection. */
export interface StrayAnswer {
  readonly kind: StrayKind;
  /** Equal for the same answer in another file. */
  readonly naturalKey: string;
  /** What the bank says, in its codes. */
  readonly said: string;
  /** Its line in the file. */
  readonly line: number;
  readonly originalMessageId: string | null;
  readonly originalBatchId: string | null;
  readonly endToEndId: string | null;
  readonly instructionId: string | null;
  readonly traceNumber: string | null;
  /** The digits of an integer in minor units of `currency`. */
  readonly amountMinor: string | null;
  readonly currency: string | null;
}

/** The key of an answer, from what makes it the same in another file. */
export const keyOf = (...parts: readonly (string | null)[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** No reference of a bank is longer; what is, is none of ours. */
const clipped = (text: string | null): string | null => text?.slice(0, 140) ?? null;

/** What several reports say, each once and in one order, so that the same answer has the same words. */
function saidOfAll(reports: readonly StatusReport[]): string {
  const said = new Set(reports.map((report) => saidIn(report)).filter((words) => words !== ''));
  return [...said].toSorted().join(', ').slice(0, 1_000);
}

function ofReports(
  kind: 'message' | 'batch' | 'payment',
  reports: readonly [StatusReport, ...StatusReport[]],
  { sha256 }: StoredBankFile,
): StrayAnswer {
  const [{ originalMessageId, references, place }] = reports;
  const { endToEndId, instructionId, uetr, paymentInformationId } = references;
  const said = saidOfAll(reports);
  const batch = kind === 'message' ? null : paymentInformationId;
  const names = kind === 'payment' ? [endToEndId, instructionId, uetr] : [];
  const answers = [originalMessageId, batch, ...names];
  // An answer that names nothing at all is the same in no other file.
  const only = answers.every((name) => name === null) ? `${sha256 ?? ''} ${place.line}` : null;
  return {
    kind,
    naturalKey: keyOf(kind, said, only, ...answers),
    said,
    line: place.line,
    originalMessageId: clipped(originalMessageId),
    originalBatchId: clipped(batch),
    endToEndId: kind === 'payment' ? clipped(endToEndId) : null,
    instructionId: kind === 'payment' ? clipped(instructionId ?? uetr) : null,
    traceNumber: null,
    amountMinor: null,
    currency: null,
  };
}

/**
 * What the statuses of one file say of nothing that the connection sent: one answer for a message or a batch that is
 * not known, whatever it lists, and one for each payment that a known batch does not have.
 *
 * @param payments those of the messages that the reports answer
 */
export function strayStatuses(
  reports: readonly StatusReport[],
  payments: readonly SentToBank[],
  file: StoredBankFile,
): StrayAnswer[] {
  const [first, ...others] = reports;
  if (first === undefined) return [];
  if (payments.length === 0) return [ofReports('message', [first, ...others], file)];
  const messages = new Set(payments.map(({ messageId }) => messageId));
  const batches = new Map<string, [StatusReport, ...StatusReport[]]>();
  for (const report of reports) {
    const batch = report.references.paymentInformationId;
    // A file of ours has one batch, which has the name of the message.
    if (batch === null || messages.has(batch)) continue;
    const found = batches.get(batch);
    if (found === undefined) batches.set(batch, [report]);
    else found.push(report);
  }
  const ofKnownBatches = reports.filter(
    ({ references }) => !batches.has(references.paymentInformationId ?? ''),
  );
  const sent = payments.map((one) => ({ ...one, paymentInformationId: one.messageId }));
  return [
    ...[...batches.values()].map((ofBatch) => ofReports('batch', ofBatch, file)),
    ...unknownAmong(ofKnownBatches, sent).map((report) => ofReports('payment', [report], file)),
  ];
}

const ofNoStatus = {
  originalMessageId: null,
  originalBatchId: null,
  endToEndId: null,
  instructionId: null,
};

/**
 * A statement or notification of an account that is none of the connection's; one answer for each account and currency,
 * whatever it lists.
 *
 * @param format such as `camt.053.001.08`
 */
export function strayStatement(
  { id, account, place }: StatementReport,
  owner: Exclude<Owner, { readonly kind: 'own' }>,
  format: string,
): StrayAnswer {
  const number = plainNumber(account.iban ?? account.other ?? '');
  const currency = owner.kind === 'account_currency' ? owner.currency : account.currency;
  const words = [format, `…${number.slice(-4)}`, currency, id.slice(0, 35)];
  return {
    ...ofNoStatus,
    kind: owner.kind,
    naturalKey: keyOf(owner.kind, number, currency),
    said: words.filter((word) => word !== null && word !== '').join(' '),
    line: place.line,
    traceNumber: null,
    amountMinor: null,
    currency: null,
  };
}

/** A return, or a word about one, whose trace number no payment of the connection has. */
export function strayReturn(report: StagedReturn): StrayAnswer {
  const { form, code, traceNumber, ownTraceNumber, amountMinor, line } = report;
  return {
    ...ofNoStatus,
    kind: 'return',
    naturalKey: keyOf('return', form, code, traceNumber, ownTraceNumber, amountMinor),
    said: form === 'return' ? code : `${code} ${form}`,
    line,
    traceNumber,
    amountMinor,
    currency: 'USD',
  };
}

/** A notification of change about a payment that is not known. What it corrects is left in the file. */
export function strayChange({
  code,
  traceNumber,
  ownTraceNumber,
  line,
}: Omit<StagedChange, 'correction'>): StrayAnswer {
  return {
    ...ofNoStatus,
    kind: 'change',
    naturalKey: keyOf('change', code, traceNumber, ownTraceNumber),
    said: code,
    line,
    traceNumber,
    amountMinor: null,
    currency: null,
  };
}
