import { amountOf, formatAmount } from './amount.ts';
import type { BankFaults } from './faults.ts';
import type { BookEntry, Order } from './model.ts';
import { document, element, leaf, money } from './write-xml.ts';

/** An entry of the account with the order that it is about. */
export interface StatedEntry {
  readonly entry: BookEntry;
  readonly order: Order | null;
}

/** What a statement or notification shows of one account. */
export interface Shown {
  /** The id of the message and of the statement. */
  readonly id: string;
  readonly createdAt: Date;
  readonly account: string;
  readonly currency: string;
  readonly entries: readonly StatedEntry[];
  readonly version: BankFaults['camt'];
  readonly booking: BankFaults['booking'];
}

/** What a statement has beside a notification. */
export interface Statement extends Shown {
  readonly number: number;
  readonly opening: bigint;
  readonly closing: bigint;
  readonly day: string;
  /** Whether it is sent again. */
  readonly copy: boolean;
}

/** Family and sub-family of `PMNT` in the bank transaction codes of ISO 20022. */
function bankCode({ entry, order }: StatedEntry): string {
  const families: Readonly<Record<BookEntry['what'], readonly [string, string]>> = {
    payment: ['ICDT', order?.rail === 'nacha' ? 'ACDT' : 'ESCT'],
    return: ['ICDT', 'RRTN'],
    fee: ['MDOP', 'CHRG'],
    funds: ['RCDT', 'ESCT'],
  };
  const [family, sub] = families[entry.what];
  const codes = element('Fmly', leaf('Cd', family), leaf('SubFmlyCd', sub));
  return element('BkTxCd', element('Domn', leaf('Cd', 'PMNT'), codes));
}

const signOf = (entry: BookEntry): string => (entry.direction === 'credit' ? 'CRDT' : 'DBIT');

function detailXml(stated: StatedEntry, version: BankFaults['camt']): string {
  const { entry, order } = stated;
  if (order === null) return '';
  const amount = money('Amt', entry.amount, entry.currency);
  const ordered =
    order.currency === entry.currency
      ? ''
      : element('InstdAmt', money('Amt', order.amount, order.currency));
  return element(
    'TxDtls',
    element(
      'Refs',
      leaf('AcctSvcrRef', entry.id),
      order.rail === 'iso20022' ? leaf('PmtInfId', order.group) : '',
      leaf('InstrId', order.instruction_id),
      leaf('EndToEndId', order.end_to_end_id),
      version === '08' ? leaf('UETR', order.uetr) : '',
      leaf('TxId', order.id),
      leaf('ClrSysRef', order.trace_number),
    ),
    ...(version === '08'
      ? [amount, leaf('CdtDbtInd', signOf(entry)), element('AmtDtls', ordered)]
      : [element('AmtDtls', ordered, element('TxAmt', amount))]),
    entry.what === 'return' ? element('RtrInf', element('Rsn', leaf('Cd', entry.reason))) : '',
  );
}

/** The entries that are booked as one: alone, or with all payments of their batch. */
function bookedTogether({ entries, booking }: Shown): readonly (readonly StatedEntry[])[] {
  if (booking === 'each') return entries.map((entry) => [entry]);
  const groups = Map.groupBy(entries, ({ entry, order }) =>
    entry.what === 'payment' ? `batch ${order?.file_sha256 ?? ''} ${order?.group ?? ''}` : entry.id,
  );
  return [...groups.values()];
}

function batchXml(together: readonly StatedEntry[], total: string): string {
  const [first] = together;
  if (first === undefined || first.order === null) return '';
  return element(
    'Btch',
    leaf('MsgId', first.order.message_id),
    leaf('PmtInfId', first.order.group),
    leaf('NbOfTxs', String(together.length)),
    money('TtlAmt', total, first.entry.currency),
    leaf('CdtDbtInd', signOf(first.entry)),
  );
}

function entryXml(together: readonly StatedEntry[], { version, booking }: Shown): string {
  const [first] = together;
  if (first === undefined) return '';
  const { entry } = first;
  const isBatch = booking !== 'each' && entry.what === 'payment';
  const total = formatAmount(together.reduce((sum, one) => sum + amountOf(one.entry.amount), 0n));
  const details = together.map((stated) => detailXml(stated, version));
  return element(
    'Ntry',
    leaf('NtryRef', entry.id),
    money('Amt', total, entry.currency),
    leaf('CdtDbtInd', signOf(entry)),
    version === '08' ? element('Sts', leaf('Cd', 'BOOK')) : leaf('Sts', 'BOOK'),
    element('BookgDt', leaf('Dt', entry.booked_on)),
    element('ValDt', leaf('Dt', entry.booked_on)),
    leaf('AcctSvcrRef', entry.id),
    bankCode(first),
    element(
      'NtryDtls',
      isBatch ? batchXml(together, total) : '',
      ...(isBatch && booking === 'total' ? [] : details),
    ),
    entry.what === 'fee' ? leaf('AddtlNtryInf', 'Account fee') : '',
  );
}

function accountXml({ account, currency }: Shown): string {
  const isIban = /^[A-Z]{2}[0-9]{2}/.test(account);
  const id = isIban ? leaf('IBAN', account) : element('Othr', leaf('Id', account));
  return element('Acct', element('Id', id), leaf('Ccy', currency));
}

function balanceXml(code: string, units: bigint, { currency, day }: Statement): string {
  return element(
    'Bal',
    element('Tp', element('CdOrPrtry', leaf('Cd', code))),
    money('Amt', formatAmount(units < 0n ? -units : units), currency),
    leaf('CdtDbtInd', units < 0n ? 'DBIT' : 'CRDT'),
    element('Dt', leaf('Dt', day)),
  );
}

const headXml = ({ id, createdAt }: Shown): string =>
  element('GrpHdr', leaf('MsgId', id), leaf('CreDtTm', createdAt.toISOString()));

/** A notification of debits and credits: camt.054. */
export function writeNotification(shown: Shown): string {
  const notification = element(
    'Ntfctn',
    leaf('Id', shown.id),
    leaf('CreDtTm', shown.createdAt.toISOString()),
    accountXml(shown),
    ...bookedTogether(shown).map((together) => entryXml(together, shown)),
  );
  return document(
    `camt.054.001.${shown.version}`,
    element('BkToCstmrDbtCdtNtfctn', headXml(shown), notification),
  );
}

/** A statement: camt.053, with balances between which the entries add up. */
export function writeStatement(statement: Statement): string {
  const together = bookedTogether(statement);
  const content = element(
    'Stmt',
    leaf('Id', statement.id),
    leaf('ElctrncSeqNb', String(statement.number)),
    leaf('CreDtTm', statement.createdAt.toISOString()),
    element(
      'FrToDt',
      leaf('FrDtTm', `${statement.day}T00:00:00Z`),
      leaf('ToDtTm', `${statement.day}T23:59:59Z`),
    ),
    statement.copy ? leaf('CpyDplctInd', 'DUPL') : '',
    accountXml(statement),
    balanceXml('OPBD', statement.opening, statement),
    balanceXml('CLBD', statement.closing, statement),
    balanceXml('CLAV', statement.closing, statement),
    element('TxsSummry', element('TtlNtries', leaf('NbOfNtries', String(together.length)))),
    ...together.map((entries) => entryXml(entries, statement)),
  );
  return document(
    `camt.053.001.${statement.version}`,
    element('BkToCstmrStmt', headXml(statement), content),
  );
}
