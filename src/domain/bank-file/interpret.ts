import type {
  AchChangeReport,
  AchReturnReport,
  Balance,
  BankReport,
  FileReport,
  StatementEndReport,
  StatementReport,
} from '../../providers/bank/report.ts';
import type { BankConnectionFacts } from '../../providers/bank-connection.ts';
import { EntryLines, fitsColumn } from './interpret-entry.ts';
import type { Meaning, StagedChange, StagedReturn, StagedStatement } from './staged.ts';

/** Account numbers are compared without spaces and leading zeros, in capitals. */
const plain = (number: string): string =>
  number.replaceAll(/[\s-]/g, '').toUpperCase().replace(/^0+/, '');

/** Whether a statement is of the connection's own account. */
function isOwn(
  { iban, other, currency }: StatementReport['account'],
  account: BankConnectionFacts['account'],
): boolean {
  if (currency !== null && currency !== account.currency) return false;
  const number = account.number ?? '';
  const known = [
    account.iban,
    account.number,
    number !== '' && account.sortCode !== undefined ? account.sortCode + number : undefined,
    number !== '' && account.abaNumber !== undefined ? account.abaNumber + number : undefined,
  ].flatMap((text) => (text === undefined ? [] : plain(text)));
  return [iban, other].some((text) => text !== null && known.includes(plain(text)));
}

const balanceOf = (balances: readonly Balance[], type: string): Balance | null =>
  balances.find((balance) => balance.type === type) ?? null;

const digits = (minor: bigint | null | undefined): string | null =>
  minor == null || !fitsColumn(minor) ? null : String(minor);

/** The beginning of a statement whose end has not come. */
interface Open {
  readonly report: StatementReport;
  readonly number: number;
  readonly own: boolean;
}

function statementOf(
  { report, number, own }: Open,
  end: StatementEndReport,
  notifies: boolean,
): StagedStatement {
  const opening = balanceOf(report.balances, 'OPBD');
  const closing = balanceOf(report.balances, 'CLBD');
  return {
    kind: 'statement',
    number,
    statementKind: notifies ? 'notification' : 'statement',
    bankId: report.id,
    own,
    currency: closing?.currency ?? report.account.currency,
    page: report.page?.number ?? null,
    lastPage: report.page?.last ?? null,
    copy: report.copy,
    openingMinor: digits(opening?.minor),
    closingMinor: digits(closing?.minor),
    closingDay: closing?.day ?? null,
    entries: end.entries,
    unexplainedMinor: digits(end.unexplainedMinor),
  };
}

const returnOf = (report: AchReturnReport, file: FileReport | null): StagedReturn => ({
  kind: 'return',
  line: report.place.line,
  form: report.form,
  code: report.code,
  traceNumber: report.originalTraceNumber,
  ownTraceNumber: report.traceNumber,
  companyId: report.companyId || null,
  amountMinor: String(report.amount.minor),
  madeOn: file?.createdAt?.slice(0, 10) ?? null,
});

function changeOf(report: AchChangeReport): StagedChange[] {
  const { correction, code, place, originalTraceNumber, traceNumber: ownTraceNumber } = report;
  // A notification that was refused is about a correction that nobody made here.
  if (report.refused || correction === null) return [];
  const traceNumber = originalTraceNumber;
  return [{ kind: 'change', line: place.line, code, traceNumber, ownTraceNumber, correction }];
}

/**
 * Turns the reports of one file, in their order, into what they mean for the payments of a connection. It looks
 * for no payment, and keeps no more than the head of the statement and the sum of the entry that are being read.
 */
export class Interpreter {
  readonly #account: BankConnectionFacts['account'];
  readonly #lines = new EntryLines();
  #file: FileReport | null = null;
  #statement: Open | null = null;
  #statements = 0;

  constructor(account: BankConnectionFacts['account']) {
    this.#account = account;
  }

  /** The head of the file; null before it was read. */
  get file(): FileReport | null {
    return this.#file;
  }

  next(report: BankReport): Meaning[] {
    switch (report.kind) {
      case 'file':
        this.#file = report;
        return [];
      case 'status': {
        const { amount: _amount, ...rest } = report;
        return [{ kind: 'status', report: rest }];
      }
      case 'statement':
        this.#statements += 1;
        this.#statement = {
          report,
          number: this.#statements,
          own: isOwn(report.account, this.#account),
        };
        return [];
      case 'entry': {
        const open = this.#statement;
        // Each entry passes through, so that the next one begins anew.
        const lines = this.#lines.next(report, open?.number ?? 0);
        return open?.own === true ? lines : [];
      }
      case 'statement_end': {
        const open = this.#statement;
        if (open === null) return [];
        const notifies = this.#file?.format.startsWith('camt.054') === true;
        return [statementOf(open, report, notifies)];
      }
      case 'ach_return':
        return [returnOf(report, this.#file)];
      case 'ach_change':
        return changeOf(report);
      case 'ach_entry':
        return [];
    }
  }
}
