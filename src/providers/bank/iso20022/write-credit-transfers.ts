import { isCurrency } from '../../../reference/currencies.ts';
import { FileRefused, checkOf, passed, type Findings } from '../write-problems.ts';
import { checkGroupsApart, fileHead, groupHead, type GroupTotals } from './write-group.ts';
import { paymentXml, type GroupFacts } from './write-payment.ts';
import type { CreditTransfer, CreditTransferFile, CreditTransferGroup } from './write-types.ts';

/*
 * pain.001.001.09, CustomerCreditTransferInitiation (ISO 20022). docs/bank-batches.md tells what is
 * written where, and from what.
 */

/** What a check found, and the totals that the head of the file needs. */
export interface CheckedFile extends Findings {
  /** One for each group, in their order. */
  readonly totals: readonly GroupTotals[];
}

/**
 * What is wrong with one payment, before it is in any file: so that what a bank will ask for can be
 * asked for when there is still time.
 * @param group its currency is one of ISO 4217; otherwise RangeError
 */
export function checkCreditTransfer(payment: CreditTransfer, group: GroupFacts): Findings {
  const findings: Findings = { problems: [], changes: [] };
  paymentXml(payment, group, checkOf(payment.payoutId, findings));
  return findings;
}

async function checkPayments(
  group: CreditTransferGroup,
  seen: Set<string>,
  findings: Findings,
): Promise<GroupTotals> {
  let count = 0;
  let totalMinor = 0n;
  for await (const payment of group.payments()) {
    const check = checkOf(payment.payoutId, findings);
    // Without a currency no amount can be written, and the group is refused for it.
    if (isCurrency(group.currency)) paymentXml(payment, group, check);
    const { payoutId, attemptId, uetr } = payment;
    for (const [field, reference] of Object.entries({ payoutId, attemptId, uetr })) {
      if (reference === undefined) continue;
      if (seen.has(reference)) check.refuse(field, 'duplicate');
      seen.add(reference);
    }
    count += 1;
    totalMinor += payment.amountMinor;
  }
  return { count, totalMinor };
}

/**
 * Reads every payment once and finds all that is wrong. What is held in memory beside the findings are
 * the references, to find one that stands twice: some 30 MB for 100,000 payments.
 */
export async function checkCreditTransfers(file: CreditTransferFile): Promise<CheckedFile> {
  const findings: Findings = { problems: [], changes: [] };
  const totals: GroupTotals[] = [];
  const seen = new Set<string>();
  for (const group of file.groups) {
    const total = await checkPayments(group, seen, findings);
    groupHead(group, total, checkOf(group.id, findings));
    totals.push(total);
  }
  checkGroupsApart(file.groups, findings);
  fileHead(file, totals, checkOf('file', findings));
  return { ...findings, totals };
}

async function* groupXml(group: CreditTransferGroup, totals: GroupTotals): AsyncGenerator<string> {
  yield `<PmtInf>${groupHead(group, totals, passed)}\n`;
  let count = 0;
  let totalMinor = 0n;
  for await (const payment of group.payments()) {
    yield `${paymentXml(payment, group, passed)}\n`;
    count += 1;
    totalMinor += payment.amountMinor;
  }
  if (count !== totals.count || totalMinor !== totals.totalMinor) {
    throw new Error('the payments changed between the check and the writing: other totals');
  }
  yield '</PmtInf>\n';
}

/**
 * Writes a file, piece by piece: as much of it is in memory as one payment needs. The same input gives
 * the same bytes. The text is ASCII, which is UTF-8 too.
 *
 * The whole file is checked before its first piece: FileRefused has every problem of every payment.
 * An error after that means that the payments were others when they were read again; what was written
 * until then is no file and must not leave.
 */
export async function* writeCreditTransfers(file: CreditTransferFile): AsyncGenerator<string> {
  const { problems, totals } = await checkCreditTransfers(file);
  if (problems.length > 0) throw new FileRefused(problems);
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09">\n<CstmrCdtTrfInitn>\n';
  yield `${fileHead(file, totals, passed)}\n`;
  for (const [index, group] of file.groups.entries()) {
    const total = totals[index];
    if (total !== undefined) yield* groupXml(group, total);
  }
  yield '</CstmrCdtTrfInitn>\n</Document>\n';
}
