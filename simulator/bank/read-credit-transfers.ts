import { createHash } from 'node:crypto';
import { formatAmount, parseAmount } from './amount.ts';
import type { ReadOrder, ReadOrders } from './read-order.ts';
import { FileRefusal, allAt, at, readXml, textAt, type Node } from './read-xml.ts';

const namespace = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09';

/** What every bank takes, in texts and references. */
const permitted = /^[A-Za-z0-9/\-?:().,'+ ]*$/;

const digest = (...parts: readonly string[]): string =>
  createHash('sha256').update(parts.join(' ')).digest('hex');

/** ISO 7064, mod 97: the check digits of an IBAN. */
function isIban(iban: string): boolean {
  if (!/^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$/.test(iban)) return false;
  const digits = [...iban.slice(4), ...iban.slice(0, 4)].map((sign) => parseInt(sign, 36)).join('');
  return BigInt(digits) % 97n === 1n;
}

interface Group {
  readonly node: Node;
  readonly id: string;
  readonly account: string;
  /** Empty where the file does not say it. */
  readonly accountCurrency: string;
  readonly isSepa: boolean;
}

const accountAt = (node: Node, name: string): string =>
  textAt(node, name, 'Id', 'IBAN') || textAt(node, name, 'Id', 'Othr', 'Id');

function isAddressFit(address: Node | null): boolean {
  if (address === null) return true;
  const lines = allAt(address, 'AdrLine');
  return textAt(address, 'TwnNm') !== '' && textAt(address, 'Ctry') !== '' && lines.length <= 2;
}

/** Every text of a payment. */
function* textsOf(node: Node): Generator<string> {
  if (node.children.length === 0) yield node.text.trim();
  for (const child of node.children) yield* textsOf(child);
}

/** Why a payment cannot be made, or null: a code of ISO 20022's external list. */
function refusalOf(payment: Node, group: Group): string | null {
  const iban = textAt(payment, 'CdtrAcct', 'Id', 'IBAN');
  const amount = parseAmount(textAt(payment, 'Amt', 'InstdAmt'));
  if (accountAt(payment, 'CdtrAcct') === '') return 'AC01';
  if (iban !== '' && !isIban(iban)) return 'AC01';
  if (group.isSepa && iban === '') return 'AC01';
  if (group.isSepa && textAt(payment, 'Amt', 'InstdAmt', 'Ccy') !== 'EUR') return 'CURR';
  if (amount === null || amount === 0n) return 'AM01';
  if (textAt(payment, 'Cdtr', 'Nm') === '') return 'BE22';
  if (!isAddressFit(at(payment, 'Cdtr', 'PstlAdr'))) return 'BE04';
  if ([...textsOf(payment)].some((text) => !permitted.test(text))) return 'CH21';
  return null;
}

function readPayment(payment: Node, group: Group): ReadOrder {
  const account = accountAt(payment, 'CdtrAcct');
  const amount = parseAmount(textAt(payment, 'Amt', 'InstdAmt')) ?? 0n;
  const bank = at(payment, 'CdtrAgt');
  const currency = textAt(payment, 'Amt', 'InstdAmt', 'Ccy');
  const endToEndId = textAt(payment, 'PmtId', 'EndToEndId');
  if (endToEndId === '') throw new FileRefusal('FF01', 'A payment has no EndToEndId.');
  return {
    group: group.id,
    end_to_end_id: endToEndId,
    instruction_id: textAt(payment, 'PmtId', 'InstrId') || null,
    uetr: textAt(payment, 'PmtId', 'UETR') || null,
    trace_number: null,
    amount: formatAmount(amount),
    currency,
    account: group.account,
    account_currency: group.accountCurrency || currency,
    execution_date: textAt(group.node, 'ReqdExctnDt', 'Dt'),
    creditor_last4: account.slice(-4),
    creditor_sha256: digest(bank === null ? '' : [...textsOf(bank)].join(' '), account),
    ach: null,
    unfit: refusalOf(payment, group),
  };
}

/** Compares what a head says of its payments with what there is. AM18 and AM10 are the codes for it. */
function checkTotals(head: Node, orders: readonly ReadOrder[]): void {
  const count = textAt(head, 'NbOfTxs');
  if (count !== '' && Number(count) !== orders.length) {
    throw new FileRefusal('AM18', `NbOfTxs is ${count}, and there are ${orders.length}.`);
  }
  const sum = textAt(head, 'CtrlSum');
  const total = orders.reduce((before, { amount }) => before + (parseAmount(amount) ?? 0n), 0n);
  if (sum !== '' && parseAmount(sum) !== total) {
    throw new FileRefusal('AM10', `CtrlSum is ${sum}, and the sum is ${formatAmount(total)}.`);
  }
}

function readGroup(node: Node): ReadOrder[] {
  const group: Group = {
    node,
    id: textAt(node, 'PmtInfId'),
    account: accountAt(node, 'DbtrAcct'),
    accountCurrency: textAt(node, 'DbtrAcct', 'Ccy'),
    isSepa: textAt(node, 'PmtTpInf', 'SvcLvl', 'Cd') === 'SEPA',
  };
  if (group.account === '') throw new FileRefusal('AC02', 'The account that pays is missing.');
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(textAt(node, 'ReqdExctnDt', 'Dt'))) {
    throw new FileRefusal('DT01', 'The date of execution is missing.');
  }
  const orders = allAt(node, 'CdtTrfTxInf').map((payment) => readPayment(payment, group));
  checkTotals(node, orders);
  return orders;
}

/**
 * Reads a pain.001.001.09 as the message definition of ISO 20022 describes it.
 * @throws FileRefusal for a file that is refused as a whole
 */
export function readCreditTransfers(text: string): ReadOrders {
  const root = readXml(text, namespace);
  const body = at(root, 'CstmrCdtTrfInitn');
  const head = body === null ? null : at(body, 'GrpHdr');
  if (body === null || head === null) throw new FileRefusal('FF01', 'GrpHdr is missing.');
  const messageId = textAt(head, 'MsgId');
  if (messageId === '' || messageId.length > 35) {
    throw new FileRefusal('FF01', 'MsgId is missing or too long.');
  }
  try {
    const groups = allAt(body, 'PmtInf').map(readGroup);
    checkTotals(head, groups.flat());
    return { format: 'pain.001.001.09', messageId, orders: groups.flat(), refusal: null };
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
    return { format: 'pain.001.001.09', messageId, orders: [], refusal: error };
  }
}
