import type { BankConnectionFacts, DebtorAccount } from '../../providers/bank-connection.ts';
import type { StatementReport } from '../../providers/bank/report.ts';

/** Account numbers are compared without spaces and leading zeros, in capitals. */
export const plainNumber = (number: string): string =>
  number.replaceAll(/[\s-]/g, '').toUpperCase().replace(/^0+/, '');

/** Whether a bank may call an account by one of these numbers. */
function isCalled({ iban, other }: StatementReport['account'], account: DebtorAccount): boolean {
  const number = account.number ?? '';
  const known = [
    account.iban,
    account.number,
    number !== '' && account.sortCode !== undefined ? account.sortCode + number : undefined,
    number !== '' && account.abaNumber !== undefined ? account.abaNumber + number : undefined,
  ].flatMap((text) => (text === undefined ? [] : plainNumber(text)));
  return [iban, other].some((text) => text !== null && known.includes(plainNumber(text)));
}

/** The balances between which entries add up: their currency is that of the account. */
const ofAccount = new Set(['OPBD', 'CLBD']);

/** Whose statement it is. */
export type Owner =
  | {
      readonly kind: 'own';
      /** The currencies in which the connection has an account of this number; most have one. */
      readonly currencies: readonly [string, ...string[]];
    }
  /** The connection has an account of this number, and none in this currency. */
  | { readonly kind: 'account_currency'; readonly currency: string }
  | { readonly kind: 'other_account' };

/**
 * Finds the account of a connection that a statement is of. Banks have accounts with one number in several currencies:
 * the statement names the currency, or its balances do. A notification that names none is of each of them.
 */
export function ownerOf(
  { account, balances }: Pick<StatementReport, 'account' | 'balances'>,
  { account: first, furtherAccounts }: Pick<BankConnectionFacts, 'account' | 'furtherAccounts'>,
): Owner {
  const [known, ...others] = [first, ...furtherAccounts]
    .filter((one) => isCalled(account, one))
    .map(({ currency }) => currency);
  if (known === undefined) return { kind: 'other_account' };
  const inBalances = balances.filter(({ type }) => ofAccount.has(type));
  const said =
    account.currency === null ? inBalances.map(({ currency }) => currency) : [account.currency];
  const [currency] = said;
  if (currency === undefined) return { kind: 'own', currencies: [known, ...others] };
  const own = [known, ...others].find((one) => said.includes(one));
  return own === undefined
    ? { kind: 'account_currency', currency }
    : { kind: 'own', currencies: [own] };
}
