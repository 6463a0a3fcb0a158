import type {
  BankTransactionCode,
  Charge,
  EntryBatch,
  EntryDetail,
  EntryReport,
} from '../report.ts';
import { BankFileProblem } from '../problem.ts';
import {
  all,
  countAt,
  dayAt,
  directionAt,
  find,
  flagAt,
  informativeMoney,
  moneyAt,
  moneyOrProblem,
  need,
  needText,
  placeOf,
  problemAt,
  textAt,
  textOf,
  type XmlNode,
} from './read-node.ts';
import { reasonOf } from './read-status-report.ts';

function bankCodeOf(node: XmlNode): BankTransactionCode | null {
  const code = find(node, 'BkTxCd');
  if (code === null) return null;
  const read = {
    domain: textAt(code, 'Domn', 'Cd'),
    family: textAt(code, 'Domn', 'Fmly', 'Cd'),
    subFamily: textAt(code, 'Domn', 'Fmly', 'SubFmlyCd'),
    proprietary: textAt(code, 'Prtry', 'Cd'),
  };
  return Object.values(read).every((value) => value === null) ? null : read;
}

/** Charges: one element for each in the older versions, records within one element in the newer ones. */
function chargesOf(node: XmlNode): readonly Charge[] {
  return all(node, 'Chrgs')
    .flatMap((charges) => {
      const records = all(charges, 'Rcrd');
      return records.length > 0 || find(charges, 'Amt') === null ? records : [charges];
    })
    .flatMap((record) => {
      const amount = informativeMoney(need(record, 'Amt'));
      if (amount === null) return [];
      const included = find(record, 'ChrgInclInd') === null ? null : flagAt(record, 'ChrgInclInd');
      return [{ amount, direction: directionAt(record), included }];
    });
}

/** What was written for the payee: free lines, then the creditor references of structured ones. */
function remittanceOf(node: XmlNode): readonly string[] {
  const remittance = find(node, 'RmtInf');
  if (remittance === null) return [];
  const structured = all(remittance, 'Strd').flatMap((block) => [
    textAt(block, 'CdtrRefInf', 'Ref') ?? '',
    ...all(block, 'AddtlRmtInf').map(textOf),
  ]);
  return [...all(remittance, 'Ustrd').map(textOf), ...structured].filter((line) => line !== '');
}

function referencesOf(node: XmlNode): EntryDetail['references'] {
  const at = (name: string): string | null => textAt(node, 'Refs', name);
  return {
    messageId: at('MsgId'),
    paymentInformationId: at('PmtInfId'),
    instructionId: at('InstrId'),
    endToEndId: at('EndToEndId'),
    uetr: at('UETR')?.toLowerCase() ?? null,
    transactionId: at('TxId'),
    servicerReference: at('AcctSvcrRef'),
    clearingReference: at('ClrSysRef'),
  };
}

/** Reads `TxDtls`. */
export function detailOf(node: XmlNode): EntryDetail {
  const returned = find(node, 'RtrInf');
  return {
    references: referencesOf(node),
    amount: moneyAt(node, 'Amt') ?? moneyAt(node, 'AmtDtls', 'TxAmt', 'Amt'),
    instructed: moneyAt(node, 'AmtDtls', 'InstdAmt', 'Amt'),
    direction: directionAt(node),
    bankCode: bankCodeOf(node),
    charges: chargesOf(node),
    returned: returned === null ? null : reasonOf(returned),
    remittance: remittanceOf(node),
    text: textAt(node, 'AddtlTxInf'),
    place: placeOf(node),
  };
}

/** Reads `Btch`. */
export function batchOf(node: XmlNode): Omit<EntryBatch, 'details'> {
  return {
    messageId: textAt(node, 'MsgId'),
    paymentInformationId: textAt(node, 'PmtInfId'),
    transactions: countAt(node, 'NbOfTxs'),
    total: moneyAt(node, 'TtlAmt'),
    direction: directionAt(node),
  };
}

/** What a bank says of an entry. */
type SaidStatus = Exclude<EntryReport['status'], 'uncountable'>;

const statuses: ReadonlyMap<string, SaidStatus> = new Map([
  ['BOOK', 'booked'],
  ['PDNG', 'pending'],
  ['INFO', 'information'],
]);

/** The status stands as a text in the older versions, as a code or the bank's own word in the newer ones. */
function statusOf(node: XmlNode): { readonly status: SaidStatus; readonly statusCode: string } {
  const element = need(node, 'Sts');
  if (element.children.length === 0) {
    const text = needText(node, 'Sts');
    return { status: statuses.get(text) ?? 'other', statusCode: text };
  }
  const code = textAt(element, 'Cd');
  if (code !== null) return { status: statuses.get(code) ?? 'other', statusCode: code };
  return { status: 'other', statusCode: needText(element, 'Prtry') };
}

/** What an entry says apart from its details. */
export type EntryHead = EntryReport extends infer Report
  ? Report extends EntryReport
    ? Omit<Report, 'number' | 'part' | 'last' | 'batches' | 'details' | 'text'>
    : never
  : never;

function amountOf(node: XmlNode, status: SaidStatus) {
  if (status !== 'booked') return { status, amount: informativeMoney(node) };
  const amount = moneyOrProblem(node);
  return amount instanceof BankFileProblem
    ? ({ status: 'uncountable', amount: null, problem: amount } as const)
    : ({ status: 'booked', amount } as const);
}

/** Reads what stands in `Ntry` before its details. */
export function entryHead(node: XmlNode): EntryHead {
  const direction = directionAt(node);
  if (direction === null) throw problemAt(node, 'missing_element', 'CdtDbtInd is missing.');
  const status = statusOf(node);
  const amount = need(node, 'Amt');
  return {
    kind: 'entry',
    reference: textAt(node, 'NtryRef'),
    servicerReference: textAt(node, 'AcctSvcrRef'),
    ...amountOf(amount, status.status),
    statusCode: status.statusCode,
    direction,
    reversal: flagAt(node, 'RvslInd'),
    bookingDay: dayAt(node, 'BookgDt'),
    valueDay: dayAt(node, 'ValDt'),
    bankCode: bankCodeOf(node),
    charges: chargesOf(node),
    place: placeOf(node),
  };
}
