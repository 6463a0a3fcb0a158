import { BankFileProblem, type FilePosition } from '../problem.ts';
import type { Balance, EntryBatch, EntryDetail, StatementReport } from '../report.ts';
import { batchOf, detailOf, entryHead, type EntryHead } from './read-entry.ts';
import { Envelope, Head, type Emit, type MessageReader } from './read-head.ts';
import {
  all,
  countAt,
  dayAt,
  directionAt,
  find,
  flagAt,
  moneyOrProblem,
  need,
  needText,
  placeOf,
  problemAt,
  textAt,
  textOf,
  timeAt,
  type XmlNode,
} from './read-node.ts';
import type { XmlVisitor } from './read-xml.ts';

/** Details of an entry that are held at once. An entry with more of them comes in parts. */
const detailsOfPart = 100;

const mostBatches = 10_000;

/** The balances between which the entries add up. The books take over the closing one. */
const bookedBalances = new Set(['OPBD', 'CLBD']);

/** A balance. One whose amount is not understood is null where it only informs, and its problem where entries add up to it. */
function balanceOf(node: XmlNode): Balance | BankFileProblem | null {
  const amount = need(node, 'Amt');
  const direction = directionAt(node);
  if (direction === null) throw problemAt(node, 'missing_element', 'CdtDbtInd is missing.');
  const type = textAt(node, 'Tp', 'CdOrPrtry', 'Cd') ?? needText(node, 'Tp', 'CdOrPrtry', 'Prtry');
  const money = moneyOrProblem(amount);
  if (money instanceof BankFileProblem) return bookedBalances.has(type) ? money : null;
  const { minor, currency } = money;
  return {
    type,
    subType: textAt(node, 'Tp', 'SubTp', 'Cd') ?? textAt(node, 'Tp', 'SubTp', 'Prtry'),
    minor: direction === 'debit' ? -minor : minor,
    currency,
    day: dayAt(node, 'Dt'),
  };
}

function pageOf(node: XmlNode): StatementReport['page'] {
  const page = find(node, 'StmtPgntn') ?? find(node, 'NtfctnPgntn');
  if (page === null) return null;
  const number = countAt(page, 'PgNb');
  if (number === null) throw problemAt(page, 'missing_element', 'PgNb is missing.');
  return { number, last: flagAt(page, 'LastPgInd') };
}

/** The first parts of a statement whose content is read; others are passed over. */
const headParts = new Set([
  'Id',
  'StmtPgntn',
  'NtfctnPgntn',
  'ElctrncSeqNb',
  'LglSeqNb',
  'CreDtTm',
  'FrToDt',
  'CpyDplctInd',
  'Acct',
  'Bal',
  'TxsSummry',
]);

function statementOf(node: XmlNode): StatementReport {
  const account = need(node, 'Acct');
  const iban = textAt(account, 'Id', 'IBAN');
  const balances = all(node, 'Bal').map(balanceOf);
  return {
    kind: 'statement',
    id: needText(node, 'Id'),
    account: {
      iban,
      other: iban === null ? needText(account, 'Id', 'Othr', 'Id') : null,
      currency: textAt(account, 'Ccy'),
    },
    electronicSequence: countAt(node, 'ElctrncSeqNb'),
    legalSequence: countAt(node, 'LglSeqNb'),
    page: pageOf(node),
    copy: textAt(node, 'CpyDplctInd'),
    createdAt: timeAt(node, 'CreDtTm'),
    from: timeAt(node, 'FrToDt', 'FrDtTm'),
    to: timeAt(node, 'FrToDt', 'ToDtTm'),
    balances: balances.flatMap((one) =>
      one === null || one instanceof BankFileProblem ? [] : one,
    ),
    problem: balances.find((balance) => balance instanceof BankFileProblem) ?? null,
    statedEntries: countAt(node, 'TxsSummry', 'TtlNtries', 'NbOfNtries'),
    place: placeOf(node),
  };
}

/** The only balance of a type; null where there is none, or more than one. */
function onlyBalance(balances: readonly Balance[], type: string): Balance | null {
  const [first = null, second] = balances.filter((balance) => balance.type === type);
  return second === undefined ? first : null;
}

/** What the booked entries do not explain between the opening and the closing balance. */
function unexplained(balances: readonly Balance[], bookedMinor: bigint | null): bigint | null {
  const opening = onlyBalance(balances, 'OPBD') ?? onlyBalance(balances, 'PRCD');
  const closing = onlyBalance(balances, 'CLBD');
  if (opening === null || closing === null || bookedMinor === null) return null;
  if (opening.currency !== closing.currency) return null;
  return closing.minor - opening.minor - bookedMinor;
}

/** The entry that is being read. */
class OpenEntry {
  readonly head: Head;
  readonly #number: number;
  readonly #emit: Emit;
  #read: EntryHead | null = null;
  readonly #batches: Omit<EntryBatch, 'details'>[] = [];
  /** How many details each of the batches has. */
  readonly #counts: number[] = [];
  #inBatch = false;
  #details: EntryDetail[] = [];
  #parts = 0;
  #text: string | null = null;

  constructor(number: number, place: FilePosition, emit: Emit) {
    this.#number = number;
    this.#emit = emit;
    this.head = new Head(place);
  }

  /** What stands before the details, once it is complete. */
  read(): EntryHead {
    this.head.close();
    this.#read ??= entryHead(this.head.node);
    return this.#read;
  }

  part(node: XmlNode): void {
    if (node.name !== 'AddtlNtryInf') return this.head.add(node);
    if (this.#text !== null) throw problemAt(node, 'repeated_element', 'a second text follows.');
    this.#text = textOf(node);
  }

  group(): void {
    this.read();
    this.#inBatch = false;
  }

  detailPart(node: XmlNode): void {
    if (node.name === 'Btch') return this.#batch(node);
    if (node.name !== 'TxDtls') return;
    if (this.#details.length === detailsOfPart) this.#emitPart(false);
    this.#details.push(detailOf(node));
    if (this.#inBatch) this.#counts.push((this.#counts.pop() ?? 0) + 1);
  }

  end(): EntryHead {
    const head = this.read();
    this.#emitPart(true);
    return head;
  }

  #batch(node: XmlNode): void {
    if (this.#inBatch) throw problemAt(node, 'repeated_element', 'a second Btch follows.');
    if (this.#batches.length === mostBatches) {
      throw problemAt(node, 'too_many_parts', `an entry has more than ${mostBatches} batches.`);
    }
    this.#inBatch = true;
    this.#batches.push(batchOf(node));
    this.#counts.push(0);
  }

  #emitPart(last: boolean): void {
    this.#parts += 1;
    this.#emit({
      ...this.read(),
      number: this.#number,
      part: this.#parts,
      last,
      batches: this.#batches.map((batch, at) => ({ ...batch, details: this.#counts[at] ?? 0 })),
      details: this.#details,
      text: this.#text,
    });
    this.#details = [];
  }
}

/** The statement that is being read. */
class OpenStatement {
  readonly head: Head;
  #report: StatementReport | null = null;
  #entries = 0;
  #booked = 0n;
  #oneCurrency = true;

  constructor(place: FilePosition) {
    this.head = new Head(place);
  }

  /** Emits what stands before the entries. */
  begin(emit: Emit): StatementReport {
    this.head.close();
    if (this.#report === null) {
      this.#report = statementOf(this.head.node);
      emit(this.#report);
    }
    return this.#report;
  }

  nextEntry(emit: Emit): number {
    this.begin(emit);
    this.#entries += 1;
    return this.#entries;
  }

  count({ status, amount, direction }: EntryHead): void {
    if (status === 'uncountable') this.#oneCurrency = false;
    if (status !== 'booked') return;
    const currency = this.#report?.balances[0]?.currency;
    if (currency !== amount.currency) this.#oneCurrency = false;
    this.#booked += direction === 'credit' ? amount.minor : -amount.minor;
  }

  end(emit: Emit, place: FilePosition): void {
    const { id, balances } = this.begin(emit);
    const bookedMinor = balances.length > 0 && this.#oneCurrency ? this.#booked : null;
    const unexplainedMinor = unexplained(balances, bookedMinor);
    emit({
      kind: 'statement_end',
      id,
      entries: this.#entries,
      bookedMinor,
      unexplainedMinor,
      place,
    });
  }
}

class StatementVisitor implements XmlVisitor {
  readonly root;
  readonly #body: string;
  readonly #statementName: string;
  readonly #emit: Emit;
  readonly #envelope: Envelope;
  #statements = 0;
  #statement: OpenStatement | null = null;
  #entry: OpenEntry | null = null;

  constructor(format: string, body: string, statementName: string, emit: Emit) {
    this.root = { [body]: { [statementName]: { Ntry: { NtryDtls: {} } } } };
    this.#body = body;
    this.#statementName = statementName;
    this.#emit = emit;
    this.#envelope = new Envelope(format, body, emit);
  }

  enter(name: string, place: FilePosition): void {
    if (name === this.#body) this.#envelope.enterBody(place);
    else if (name === this.#statementName) {
      this.#envelope.needHeader(place);
      this.#statements += 1;
      this.#statement = new OpenStatement(place);
    } else if (name === 'Ntry') {
      const number = this.#statement?.nextEntry(this.#emit) ?? 0;
      this.#entry = new OpenEntry(number, place, this.#emit);
    } else this.#entry?.group();
  }

  part(within: string, node: XmlNode): void {
    if (within === 'NtryDtls') this.#entry?.detailPart(node);
    else if (within === 'Ntry') this.#entry?.part(node);
    else if (within === this.#statementName) {
      if (headParts.has(node.name)) this.#statement?.head.add(node);
    } else if (within !== this.#body) this.#envelope.refuse(node);
    else if (node.name === 'GrpHdr') this.#envelope.header(node);
  }

  leave(name: string, place: FilePosition): void {
    if (name === 'Ntry' && this.#entry !== null) {
      this.#statement?.count(this.#entry.end());
      this.#entry = null;
    } else if (name === this.#statementName) {
      this.#statement?.end(this.#emit, place);
      this.#statement = null;
    } else if (name === this.#body) {
      this.#envelope.needHeader(place);
      if (this.#statements === 0) {
        throw new BankFileProblem('missing_element', place, `${this.#statementName} is missing.`);
      }
    } else if (name !== 'NtryDtls') this.#envelope.needBody(place);
  }
}

/** Reads a statement: camt.053.001.02 to .13. */
export const readStatement: MessageReader = (format, emit) =>
  new StatementVisitor(format, 'BkToCstmrStmt', 'Stmt', emit);

/** Reads a notification of debits and credits: camt.054.001.02 to .13. */
export const readNotification: MessageReader = (format, emit) =>
  new StatementVisitor(format, 'BkToCstmrDbtCdtNtfctn', 'Ntfctn', emit);
