import { BankFileProblem, type FilePosition } from '../problem.ts';
import type { PaymentReferences, Reason, StatusReport } from '../report.ts';
import { Envelope, Head, type Emit, type MessageReader } from './read-head.ts';
import {
  all,
  codeOf,
  countAt,
  find,
  moneyAt,
  placeOf,
  problemAt,
  textAt,
  textOf,
  timeAt,
  type XmlNode,
} from './read-node.ts';
import type { XmlVisitor } from './read-xml.ts';

/** `StsRsnInf` of a status report, or `RtrInf` of a statement. */
export function reasonOf(node: XmlNode): Reason {
  const reason = find(node, 'Rsn');
  return {
    ...(reason === null ? { code: null, proprietary: null } : codeOf(reason)),
    texts: all(node, 'AddtlInf').map(textOf),
  };
}

/** An amount of the order that the bank repeats. */
function amountOf(node: XmlNode): StatusReport['amount'] {
  const reference = find(node, 'OrgnlTxRef');
  if (reference === null) return null;
  return (
    moneyAt(reference, 'Amt', 'InstdAmt') ??
    moneyAt(reference, 'Amt', 'EqvtAmt', 'Amt') ??
    moneyAt(reference, 'IntrBkSttlmAmt')
  );
}

/** The message that is answered, as the group's part of the report names it. */
type Original = Pick<StatusReport, 'originalMessageId' | 'originalMessageName'>;

function statusReport(
  node: XmlNode,
  level: StatusReport['level'],
  statusName: string,
  original: Original,
  references: Partial<PaymentReferences>,
): StatusReport {
  return {
    kind: 'status',
    level,
    status: textAt(node, statusName),
    reasons: all(node, 'StsRsnInf').map(reasonOf),
    ...original,
    references: {
      paymentInformationId: null,
      endToEndId: null,
      instructionId: null,
      uetr: null,
      ...references,
    },
    amount: amountOf(node),
    transactions: countAt(node, 'OrgnlNbOfTxs'),
    servicerReference: textAt(node, 'AcctSvcrRef'),
    clearingReference: textAt(node, 'ClrSysRef'),
    acceptedAt: timeAt(node, 'AccptncDtTm'),
    place: placeOf(node),
  };
}

const body = 'CstmrPmtStsRpt';
const group = 'OrgnlGrpInfAndSts';
const batch = 'OrgnlPmtInfAndSts';
const transaction = 'TxInfAndSts';

class StatusReportVisitor implements XmlVisitor {
  readonly root = { [body]: { [batch]: {} } };
  readonly #emit: Emit;
  readonly #envelope: Envelope;
  #original: Original | null = null;
  #batch: Head | null = null;
  #batchId: string | null = null;

  constructor(format: string, emit: Emit) {
    this.#emit = emit;
    this.#envelope = new Envelope(format, body, emit);
  }

  enter(name: string, place: FilePosition): void {
    if (name === body) this.#envelope.enterBody(place);
    else this.#batch = new Head(place);
  }

  part(within: string, node: XmlNode): void {
    if (within === batch) {
      if (node.name === transaction) this.#transaction(node);
      else this.#batch?.add(node);
    } else if (within !== body) this.#envelope.refuse(node);
    else if (node.name === 'GrpHdr') this.#envelope.header(node);
    else if (node.name === group) this.#group(node);
  }

  leave(name: string, place: FilePosition): void {
    if (name === batch) {
      this.#closeBatch();
      this.#batch = null;
    } else if (name === body) {
      this.#envelope.needHeader(place);
      this.#originalAt(place);
    } else this.#envelope.needBody(place);
  }

  #originalAt(place: FilePosition): Original {
    if (this.#original !== null) return this.#original;
    throw new BankFileProblem('missing_element', place, `${group} is missing.`);
  }

  #group(node: XmlNode): void {
    if (this.#original !== null) {
      throw problemAt(node, 'repeated_element', `a second ${group} follows.`);
    }
    this.#original = {
      originalMessageId: textAt(node, 'OrgnlMsgId'),
      originalMessageName: textAt(node, 'OrgnlMsgNmId'),
    };
    this.#emit(statusReport(node, 'group', 'GrpSts', this.#original, {}));
  }

  /** Emits the batch's own report, before those of its transactions. */
  #closeBatch(): void {
    const head = this.#batch;
    if (head === null || !head.close()) return;
    const original = this.#originalAt(placeOf(head.node));
    this.#batchId = textAt(head.node, 'OrgnlPmtInfId');
    const references = { paymentInformationId: this.#batchId };
    this.#emit(statusReport(head.node, 'payment_information', 'PmtInfSts', original, references));
  }

  #transaction(node: XmlNode): void {
    this.#closeBatch();
    const references = {
      paymentInformationId: this.#batchId,
      endToEndId: textAt(node, 'OrgnlEndToEndId'),
      instructionId: textAt(node, 'OrgnlInstrId'),
      uetr: textAt(node, 'OrgnlUETR')?.toLowerCase() ?? null,
    };
    const original = this.#originalAt(placeOf(node));
    this.#emit(statusReport(node, 'transaction', 'TxSts', original, references));
  }
}

/** Reads a payment status report: pain.002.001.03 to .14, which differ in nothing that is read here. */
export const readStatusReport: MessageReader = (format, emit) =>
  new StatusReportVisitor(format, emit);
