import { abilities, type Ability } from '../../providers/capabilities.ts';
import { bool, id, minorUnits, text, texts, type Column } from '../../values/columns.ts';

/* What callers are shown of whoever can pay, declared once. */

const able = Object.fromEntries(
  Object.entries(abilities).map(([name, told]) => [name, bool(told)]),
) as Record<Ability, Column<boolean>>;

export const payerFields = {
  name: text('Name of the provider, as routes and payouts have it.'),
  connectionId: id.orNull('The connection; null for a provider of the deployment.'),
  connectionName: text.orNull('How people call the connection.'),
  ...able,
};

export const paidSchemeFields = {
  scheme: text.orNull(
    'As the provider calls it; null where it has no name, or the provider chooses.',
  ),
  currencies: texts.orNull(
    'ISO 4217 codes; null where nothing limits them, or nothing is known of it.',
  ),
  exceptCurrencies: texts('ISO 4217 codes in which it does not pay, where currencies is null.'),
  countries: texts.orNull(
    "Of the payees' accounts, ISO 3166-1 alpha-2; null where nothing limits them, or nothing is known of it.",
  ),
  largestAmountMinor: minorUnits.orNull(
    "Largest amount, in minor units of the payment's currency; null where none is known.",
  ),
};
