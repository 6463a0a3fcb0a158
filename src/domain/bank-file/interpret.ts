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
import { BankFileProblem, type Place } from '../../providers/bank/problem.ts';
import { dayNumber, civilDate } from '../../values/bank-days/civil-date.ts';
import { EntryLines, fitsColumn } from './interpret-entry.ts';
import type { Meaning, StagedChange, StagedReturn, StagedStatement } from './staged.ts';

type Account = BankConnectionFacts['account'];

/** How far a bank may date ahead: value dates and days of execution are some weeks away at most. */
const daysAhead = 60;

/** Account numbers are compared without spaces and leading zeros, in capitals. */
const plain = (number: string): string =>
  number.replaceAll(/[\s-]/g, '').toUpperCase().replace(/^0+/, '');

/** Whether a statement is of the connection's own account. */
function isOwn({ iban, other, currency }: StatementReport['account'], account: Account): boolean {
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

/** The balance of a type in a currency; null where the bank gives none, or several that differ. */
function balanceOf(balances: readonly Balance[], type: string, currency: string): Balance | null {
  const [first = null, ...others] = balances.filter(
    (balance) => balance.type === type && balance.currency === currency,
  );
  const agree = others.every(({ minor, day }) => minor === first?.minor && day === first.day);
  return agree ? first : null;
}

const digits = (minor: bigint | null | undefined): string | null =>
  minor == null || !fitsColumn(minor) ? null : String(minor);

/** The beginning of a statement whose end has not come. */
interface Open {
  readonly report: StatementReport;
  readonly number: number;
  /** The number of its first page in the file: equal lines of one statement are different movements. */
  readonly first: number;
  readonly own: boolean;
}

/** Whether a report is the next page of the statement before it. */
const continues = ({ id, page, account }: StatementReport, { report: before }: Open): boolean =>
  page !== null &&
  before.page !== null &&
  page.number === before.page.number + 1 &&
  id === before.id &&
  account.iban === before.account.iban &&
  account.other === before.account.other;

function statementOf(
  { report, number, own }: Open,
  end: StatementEndReport,
  { notifies, account }: { readonly notifies: boolean; readonly account: Account },
): StagedStatement {
  const opening = balanceOf(report.balances, 'OPBD', account.currency);
  const closing = balanceOf(report.balances, 'CLBD', account.currency);
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
  readonly #account: Account;
  readonly #latestDay: string;
  readonly #lines = new EntryLines();
  #file: FileReport | null = null;
  #statement: Open | null = null;
  #statements = 0;

  /** @param receivedAt when the file came */
  constructor(account: Account, receivedAt: Date) {
    this.#account = account;
    this.#latestDay = civilDate(dayNumber(receivedAt.toISOString().slice(0, 10)) + daysAhead);
  }

  #open(report: StatementReport): void {
    this.#statements += 1;
    const before = this.#statement;
    const number = this.#statements;
    this.#statement = {
      report,
      number,
      first: before !== null && continues(report, before) ? before.first : number,
      own: isOwn(report.account, this.#account),
    };
  }

  /**
   * Refuses a day that is far ahead. Believed, a balance of a wrong year outdoes every later one, and a debit comes
   * after its own return.
   */
  #refuseFuture(day: string | null, place: Place): void {
    if (day === null || day <= this.#latestDay) return;
    throw new BankFileProblem('future_day', place, `${day} has not come.`);
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
        this.#open(report);
        return [];
      case 'entry': {
        const open = this.#statement;
        // Each entry passes through, so that the next one begins anew.
        const lines = this.#lines.next(report, open?.first ?? 0);
        if (open?.own !== true) return [];
        for (const { bookedOn } of lines) this.#refuseFuture(bookedOn, report.place);
        return lines;
      }
      case 'statement_end': {
        const open = this.#statement;
        if (open === null) return [];
        const notifies = this.#file?.format.startsWith('camt.054') === true;
        const statement = statementOf(open, report, { notifies, account: this.#account });
        if (open.own) this.#refuseFuture(statement.closingDay, open.report.place);
        return [statement];
      }
      case 'ach_return': {
        const back = returnOf(report, this.#file);
        this.#refuseFuture(back.madeOn, report.place);
        return [back];
      }
      case 'ach_change':
        return changeOf(report);
      case 'ach_entry':
        return [];
    }
  }
}
