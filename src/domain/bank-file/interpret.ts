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
import { BankFileProblem, type FilePosition } from '../../providers/bank/problem.ts';
import { refuseUncountable } from '../../providers/bank/read-file.ts';
import { dayNumber, civilDate } from '../../values/bank-days/civil-date.ts';
import { EntryLines, fitsColumn } from './interpret-entry.ts';
import { ownerOf, type Owner } from './own-account.ts';
import { strayStatement, type StrayAnswer } from './stray.ts';
import type { Meaning, StagedChange, StagedReturn, StagedStatement } from './staged.ts';

type Accounts = Pick<BankConnectionFacts, 'account' | 'furtherAccounts'>;

/** Foreign accounts of one file that each get an answer. */
const mostStrays = 100;

/** How far a bank may date ahead: value dates and days of execution are some weeks away at most. */
const daysAhead = 60;

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
  readonly owner: Owner;
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
  { report, number, owner }: Open,
  end: StatementEndReport,
  notifies: boolean,
): StagedStatement {
  const [currency] = owner.kind === 'own' ? owner.currencies : [''];
  const opening = balanceOf(report.balances, 'OPBD', currency);
  const closing = balanceOf(report.balances, 'CLBD', currency);
  return {
    kind: 'statement',
    number,
    statementKind: notifies ? 'notification' : 'statement',
    bankId: report.id,
    own: owner.kind === 'own',
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
  readonly #accounts: Accounts;
  readonly #strays = new Map<string, StrayAnswer>();
  readonly #latestDay: string;
  readonly #lines = new EntryLines();
  #file: FileReport | null = null;
  #statement: Open | null = null;
  #statements = 0;

  /** @param receivedAt when the file came */
  constructor(accounts: Accounts, receivedAt: Date) {
    this.#accounts = accounts;
    this.#latestDay = civilDate(dayNumber(receivedAt.toISOString().slice(0, 10)) + daysAhead);
  }

  #open(report: StatementReport): void {
    this.#statements += 1;
    const before = this.#statement;
    const number = this.#statements;
    const owner = ownerOf(report, this.#accounts);
    if (owner.kind === 'own') refuseUncountable(report);
    else this.#keepStray(report, owner);
    this.#statement = {
      report,
      number,
      first: before !== null && continues(report, before) ? before.first : number,
      owner,
    };
  }

  /** Of very many such accounts the first stand for all: a person has to look at the file. */
  #keepStray(report: StatementReport, owner: Exclude<Owner, { kind: 'own' }>): void {
    if (this.#strays.size >= mostStrays) return;
    const stray = strayStatement(report, owner, this.#file?.format ?? '');
    if (!this.#strays.has(stray.naturalKey)) this.#strays.set(stray.naturalKey, stray);
  }

  /** A statement of each account that is none of the connection's. */
  get strays(): readonly StrayAnswer[] {
    return [...this.#strays.values()];
  }

  /**
   * Refuses a day that is far ahead. Believed, a balance of a wrong year outdoes every later one, and a debit comes
   * after its own return.
   */
  #refuseFuture(day: string | null, place: FilePosition): void {
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
        if (open?.owner.kind !== 'own') return [];
        refuseUncountable(report);
        const [first, ...others] = open.owner.currencies;
        for (const { bookedOn } of lines) this.#refuseFuture(bookedOn, report.place);
        return lines.map((line) => ({
          ...line,
          accountCurrency: others.includes(line.currency) ? line.currency : first,
        }));
      }
      case 'statement_end': {
        const open = this.#statement;
        if (open === null) return [];
        const notifies = this.#file?.format.startsWith('camt.054') === true;
        const statement = statementOf(open, report, notifies);
        if (statement.own) this.#refuseFuture(statement.closingDay, open.report.place);
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
