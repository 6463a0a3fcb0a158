import type { BankConnection } from './store.ts';
import type { Call } from '../../process/services.ts';
import type { DebtorAccount } from '../../providers/bank-connection.ts';
import { lastFour } from '../bank-account/mask.ts';
import { connectionFacts } from './input.ts';
import { openConnection } from './open.ts';

/* What whoever agrees to a connection, or to a change of one, reads of it, and the business afterwards. */

/** An account without its number: what else it is given with tells the bank. */
function shownAccount({ iban, number, ...rest }: DebtorAccount): object {
  return { ...rest, last4: lastFour(iban ?? number ?? '') };
}

/**
 * Facts of a connection under the names by which they are given (`connectionFacts`). A number of an account is its
 * last four characters, and of a transport what opens it is left out.
 */
export function factsOf(
  call: Call,
  row: BankConnection,
  names: readonly string[],
): Record<string, unknown> {
  const { account, furtherAccounts } = openConnection(call, row);
  const facts: Readonly<Record<string, unknown>> = {
    ...row,
    account: shownAccount(account),
    furtherAccounts: furtherAccounts.map(shownAccount),
    transport: { kind: row.transport, ...(row.transportSettings as object) },
  };
  return Object.fromEntries(names.map((name) => [name, facts[name]]));
}

/** Whether there is what opens the way of the files. */
export const credentialsOf = ({ credentialsCiphertext }: BankConnection): string =>
  credentialsCiphertext === null ? 'none' : 'given';

/** All that a new connection is made of, and whether something opens its transport. */
export function madeOf(call: Call, row: BankConnection): Record<string, unknown> {
  return {
    ...factsOf(call, row, Object.keys(connectionFacts.shape)),
    credentials: credentialsOf(row),
  };
}
