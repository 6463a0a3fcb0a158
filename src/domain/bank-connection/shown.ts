import type { BankConnection } from '../../../generated/prisma/client.ts';

/** How a connection's files travel, without what opens the way. */
const transportOf = ({ transport, transportSettings }: BankConnection): object => ({
  kind: transport,
  ...(transportSettings as object),
});

type Fact = keyof BankConnection;

/** Some facts of a connection, as people compare them before and after a change. */
export function factsOf(row: BankConnection, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.map((name) => [name, name === 'transport' ? transportOf(row) : row[name as Fact]]),
  );
}

/** Whether there is what opens the way of the files. */
export const credentialsOf = ({ credentialsCiphertext }: BankConnection): string =>
  credentialsCiphertext === null ? 'none' : 'given';

/** What a new connection is made of, for whoever agrees to it and for the business. */
export function madeOf(row: BankConnection): Record<string, unknown> {
  const { accountCountry: country, accountCurrency: currency, accountLast4: last4 } = row;
  const names = ['name', 'debtorName', 'debtorAddress', 'initiatorId', 'ach', 'schemes'];
  return {
    ...factsOf(row, [...names, 'formatOptions', 'furtherAccounts', 'transport']),
    account: { country, currency, last4 },
    credentials: credentialsOf(row),
  };
}
