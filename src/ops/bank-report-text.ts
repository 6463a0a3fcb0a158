import { failureOf } from '../providers/bank/iso20022/read-reason-codes.ts';
import { statusCodes, verdictOf } from '../providers/bank/iso20022/read-status-codes.ts';
import { changeCodes } from '../providers/bank/nacha/read-changes.ts';
import { returnMeaning } from '../providers/bank/nacha/read-return-codes.ts';
import type {
  AchChangeReport,
  AchEntryPart,
  AchReturnReport,
  BankReport,
  Charge,
  EntryDetail,
  EntryReport,
  Reason,
  StatementEndReport,
  StatementReport,
  StatusReport,
} from '../providers/bank/report.ts';
import type { Money } from '../providers/bank/decimal.ts';
import { toDecimalString } from '../values/money.ts';
import { oneLine } from '../values/one-line.ts';

/** Words and values that are there, with commas. */
function phrase(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join(', ');
}

/** A value with its name; null where there is none. */
const named = (name: string, value: string | number | null): string | null =>
  value === null || value === '' ? null : `${name} ${value}`;

const amount = ({ minor, currency }: Money): string =>
  `${toDecimalString(minor, currency)} ${currency}`;

function signed(money: Money, direction: 'credit' | 'debit' | null): string {
  const sign = direction === 'debit' ? '-' : direction === 'credit' ? '+' : '';
  return `${sign}${amount(money)}`;
}

function reasonText(reasons: readonly Reason[]): string | null {
  if (reasons.length === 0) return null;
  const failure = failureOf(reasons);
  if (failure !== 'duplicate') return `${failure.code} (${failure.message})`;
  const words = reasons.flatMap(({ code, proprietary, texts }) => [code ?? proprietary, ...texts]);
  return `the bank has it already (${phrase(...words)})`;
}

function referenceText(references: StatusReport['references']): string {
  return phrase(
    named('EndToEndId', references.endToEndId),
    named('InstrId', references.instructionId),
    named('UETR', references.uetr),
    named('PmtInfId', references.paymentInformationId),
  );
}

function statusLines(report: StatusReport): string[] {
  const { status, level } = report;
  const meaning =
    status !== null && Object.hasOwn(statusCodes, status) ? statusCodes[status] : null;
  const said =
    status === null
      ? 'no status'
      : `${status} ${verdictOf(status)}${meaning == null ? '' : ` (${meaning.meaning})`}`;
  const line = phrase(
    `${level.replace('_', ' ')}: ${said}`,
    report.reasons.length === 0 ? null : reasonText(report.reasons),
    level === 'group' ? named('MsgId', report.originalMessageId) : null,
    referenceText(report.references),
    report.amount === null ? null : amount(report.amount),
    named('payments', report.transactions),
  );
  return [line];
}

function statementLines(report: StatementReport): string[] {
  const { account, page } = report;
  const head = phrase(
    `statement ${report.id}`,
    named('account', account.iban ?? account.other),
    account.currency,
    named('number', report.electronicSequence ?? report.legalSequence),
    page === null ? null : `page ${page.number}${page.last ? ', the last' : ''}`,
    named('a copy:', report.copy),
    named('from', report.from),
    named('to', report.to),
  );
  const balances = report.balances.map(
    (balance) => `  balance ${phrase(`${balance.type} ${amount(balance)}`, balance.day)}`,
  );
  return [head, ...balances];
}

const chargeText = (charges: readonly Charge[]): string | null =>
  charges.length === 0
    ? null
    : `charges ${charges.map((charge) => signed(charge.amount, charge.direction)).join(' ')}`;

function detailLine(detail: EntryDetail): string {
  const { returned } = detail;
  const words = phrase(
    referenceText(detail.references),
    detail.amount === null ? null : signed(detail.amount, detail.direction),
    chargeText(detail.charges),
    returned === null ? null : named('returned:', reasonText([returned])),
    detail.remittance.length === 0 ? null : `"${detail.remittance.join(' / ')}"`,
    detail.text,
  );
  return `  payment ${words}`;
}

function entryLines(report: EntryReport): string[] {
  const code = report.bankCode;
  const head = phrase(
    `entry ${report.number}${report.part === 1 && report.last ? '' : `, part ${report.part}`}: ${report.amount === null ? 'amount not understood' : signed(report.amount, report.direction)}`,
    report.status === 'other' ? `status ${report.statusCode}` : report.status,
    report.reversal ? 'reversal' : null,
    named('booked on', report.bookingDay),
    named('value', report.valueDay),
    code === null
      ? null
      : [code.domain, code.family, code.subFamily, code.proprietary].filter(Boolean).join(' '),
    named('reference', report.servicerReference ?? report.reference),
    chargeText(report.charges),
    report.text,
  );
  const batches = report.batches.map(
    (batch) =>
      `  batch ${phrase(
        named('PmtInfId', batch.paymentInformationId),
        named('MsgId', batch.messageId),
        named('payments', batch.transactions),
        batch.total === null ? null : signed(batch.total, batch.direction),
      )}`,
  );
  return [head, ...batches, ...report.details.map(detailLine)];
}

function statementEnd({ id, entries, unexplainedMinor }: StatementEndReport): string {
  const adds =
    unexplainedMinor === null
      ? null
      : unexplainedMinor === 0n
        ? 'the balances and entries add up'
        : `the balances differ from the entries by ${unexplainedMinor} minor units`;
  return phrase(`statement ${id} ends`, named('entries', entries), adds);
}

const achWords = (report: AchEntryPart): string =>
  phrase(
    signed(report.amount, report.direction),
    named('to', report.name),
    named('routing number', report.routingNumber),
    named('account', report.accountNumber),
    named('identification', report.identification),
    `${report.entryClass} batch ${report.batch}`,
  );

function achReturn(report: AchReturnReport): string {
  const { means, text } = returnMeaning(report.code);
  const failure = means === 'duplicate' ? 'the bank has it already' : means;
  return phrase(
    `${report.form} ${report.code}: ${report.form === 'return' ? `${failure} (${text})` : text}`,
    named('original trace number', report.originalTraceNumber),
    named('of the return', report.returnCode),
    named('of the dishonor', report.dishonorCode),
    named('died on', report.dateOfDeath),
    report.text,
    achWords(report),
  );
}

function achChange(report: AchChangeReport): string {
  const known = Object.hasOwn(changeCodes, report.code) ? changeCodes[report.code] : undefined;
  const { correction } = report;
  return phrase(
    `change ${report.code}: ${known?.meaning ?? 'a code that is not known here'}`,
    named('original trace number', report.originalTraceNumber),
    named('corrected routing number', correction?.routingNumber ?? null),
    named('corrected account', correction?.accountNumber ?? null),
    named('corrected transaction code', correction?.transactionCode ?? null),
    named('corrected name', correction?.name ?? null),
    named('corrected identification', correction?.identification ?? null),
    correction === null ? named('data', report.corrected) : null,
    achWords(report),
  );
}

function linesOf(report: BankReport): string[] {
  switch (report.kind) {
    case 'file':
      return [
        phrase(
          `file ${report.format}`,
          named('message', report.messageId),
          named('made', report.createdAt),
        ),
      ];
    case 'status':
      return statusLines(report);
    case 'statement':
      return statementLines(report);
    case 'entry':
      return entryLines(report);
    case 'statement_end':
      return [statementEnd(report)];
    case 'ach_entry':
      return [`entry: ${achWords(report)}`];
    case 'ach_return':
      return [achReturn(report)];
    case 'ach_change':
      return [achChange(report)];
  }
}

/** What a report says, on one line or a few, each of them safe to print. */
export function reportLines(report: BankReport): string[] {
  const place = `line ${report.place.line}`.padEnd(10);
  return linesOf(report).map((line, at) => `${at === 0 ? place : ' '.repeat(10)} ${oneLine(line)}`);
}
