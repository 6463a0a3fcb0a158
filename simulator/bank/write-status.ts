import { amountOf, formatAmount } from './amount.ts';
import type { BankFaults } from './faults.ts';
import type { Order } from './model.ts';
import { document, element, leaf, money } from './write-xml.ts';

/** What a status report answers and says. */
export interface StatusAnswer {
  /** The report's own id. */
  readonly id: string;
  readonly createdAt: Date;
  readonly messageId: string;
  /** The message that is answered, such as `pain.001.001.09`. */
  readonly format: string;
  /** Null: the message as a whole is refused with `reason`. */
  readonly orders: readonly Order[] | null;
  readonly reason: string | null;
  readonly version: BankFaults['pain_002'];
  readonly list: BankFaults['list'];
}

/** The status of an order in a report, by what the bank did with it. */
function statusOf({ status }: Order): 'RJCT' | 'PDNG' | 'ACCP' {
  if (status === 'refused') return 'RJCT';
  return status === 'held' ? 'PDNG' : 'ACCP';
}

/** The status of several payments: their common one, or that there are different ones. */
function commonStatus(orders: readonly Order[]): string {
  const [first, ...more] = new Set(orders.map(statusOf));
  return first === undefined || more.length > 0 ? 'PART' : first;
}

const reasonXml = (code: string | null): string =>
  element('StsRsnInf', element('Rsn', leaf('Cd', code)));

function paymentXml(order: Order, version: StatusAnswer['version']): string {
  return element(
    'TxInfAndSts',
    leaf('OrgnlInstrId', order.instruction_id),
    leaf('OrgnlEndToEndId', order.end_to_end_id),
    version === '10' ? leaf('OrgnlUETR', order.uetr) : '',
    leaf('TxSts', statusOf(order)),
    reasonXml(order.reason),
    leaf('AcctSvcrRef', order.id),
    element('OrgnlTxRef', element('Amt', money('InstdAmt', order.amount, order.currency))),
  );
}

function groupXml(id: string, orders: readonly Order[], answer: StatusAnswer): string {
  const total = orders.reduce((sum, { amount }) => sum + amountOf(amount), 0n);
  const listed = orders.filter((order) => answer.list === 'all' || statusOf(order) !== 'ACCP');
  return element(
    'OrgnlPmtInfAndSts',
    leaf('OrgnlPmtInfId', id),
    leaf('OrgnlNbOfTxs', String(orders.length)),
    leaf('OrgnlCtrlSum', formatAmount(total)),
    leaf('PmtInfSts', commonStatus(orders)),
    ...listed.map((order) => paymentXml(order, answer.version)),
  );
}

/** A payment status report: pain.002.001.10, or .03 for banks that are behind. */
export function writeStatusReport(answer: StatusAnswer): string {
  const orders = answer.orders ?? [];
  const groups = Map.groupBy(orders, ({ group }) => group);
  const status = answer.orders === null ? 'RJCT' : commonStatus(orders);
  return document(
    `pain.002.001.${answer.version}`,
    element(
      'CstmrPmtStsRpt',
      element('GrpHdr', leaf('MsgId', answer.id), leaf('CreDtTm', answer.createdAt.toISOString())),
      element(
        'OrgnlGrpInfAndSts',
        leaf('OrgnlMsgId', answer.messageId),
        leaf('OrgnlMsgNmId', answer.format),
        leaf('GrpSts', status),
        reasonXml(answer.reason),
      ),
      ...[...groups].map(([id, all]) => groupXml(id, all, answer)),
    ),
  );
}
