import { calledProviderName } from '../../providers/bank-connection.ts';
import {
  accountFields,
  accountProviders,
  type AccountField,
} from '../../providers/own-accounts.ts';
import type { ProviderConnection } from './store.ts';

/** What an account at a provider is described by. */
export type DescribedField = AccountField;

/** A provider at which businesses may have accounts. */
export interface AccountProvider {
  readonly adapter: string;
  readonly fields: readonly DescribedField[];
}

/** At which providers businesses may have accounts, and what such an account is described by. */
export const listAccountProviders = (): AccountProvider[] =>
  accountProviders().map((adapter) => ({ adapter, fields: accountFields(adapter) }));

/** The name that payouts and their attempts have for a connection as their provider. */
export const providerOf = ({ adapter, id }: ProviderConnection): string =>
  calledProviderName(adapter, id);

/** What was given of an account, but for secrets, in the order of its fields. */
export function shownSettings({ adapter, transportSettings }: ProviderConnection) {
  const given = transportSettings as Readonly<Record<string, string>>;
  return accountFields(adapter).flatMap(({ name }) => {
    const value = given[name];
    return value === undefined ? [] : [{ name, value }];
  });
}
