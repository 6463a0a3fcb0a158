/*
 * What a provider pays and what it can do, as data that its adapter declares once. Routes are checked and chosen by it,
 * and people read it where they make routes.
 */

/** What is known of payments before their payees are looked at. */
export interface PaymentFacts {
  /** Of the payee's account, ISO 3166-1 alpha-2; null stands for any. */
  readonly country: string | null;
  /** ISO 4217; null stands for any. */
  readonly currency: string | null;
  /** Minor units of `currency`; of several payments, the smallest. */
  readonly amountMinor: bigint;
}

/** One way in which a provider pays. */
export interface PaidScheme {
  /** As the provider calls it; null where it has no name, or the provider chooses. */
  readonly scheme: string | null;
  /** ISO 4217; null where nothing limits them, or nothing is known of it. */
  readonly currencies: readonly string[] | null;
  /** What it does not pay in, where `currencies` is null. */
  readonly exceptCurrencies: readonly string[];
  /** Of the payees' accounts, ISO 3166-1 alpha-2; null where nothing limits them, or nothing is known of it. */
  readonly countries: readonly string[] | null;
  /** Minor units of the payment's currency; null where no largest amount is known. */
  readonly largestAmountMinor: bigint | null;
}

/** What a provider may be able to do beside paying, as callers read it. */
export const abilities = {
  enrolls: 'Keeps recipients: a payee is enrolled there before the first payment.',
  checksNames: "Compares the holder's name with that of the bank before it pays.",
  estimatesArrival: 'Says when the money of a payment is expected to arrive.',
  tellsFees: 'Says what a payment costs.',
  takesExecutionDate: 'Can be told the day on which a payment is to be made.',
  takesCancellation: 'Can be asked to cancel a payment that was handed over.',
  reportsBalance: 'Says how much money there is to pay from.',
} as const;
export type Ability = keyof typeof abilities;

export interface Capabilities {
  /** A payment that none of them reaches is not paid. */
  readonly pays: readonly PaidScheme[];
  readonly can: Readonly<Record<Ability, boolean>>;
}

/** The abilities of an adapter by the names of those that it has. */
export function abilitiesOf(...names: readonly Ability[]): Capabilities['can'] {
  const can = (ability: string) => names.some((name) => name === ability);
  return Object.fromEntries(
    Object.keys(abilities).map((ability) => [ability, can(ability)]),
  ) as Record<Ability, boolean>;
}

/** A way of paying with what is known of it: what is left out is not limited. */
export const paidScheme = (
  scheme: string | null,
  known: Partial<Omit<PaidScheme, 'scheme'>> = {},
): PaidScheme => ({
  currencies: null,
  exceptCurrencies: [],
  countries: null,
  largestAmountMinor: null,
  ...known,
  scheme,
});

/** Whether one way pays any such payment at all. */
export function schemePays(
  { currencies, exceptCurrencies, countries, largestAmountMinor }: PaidScheme,
  { currency, country, amountMinor }: PaymentFacts,
): boolean {
  return (
    (currency === null ||
      (currencies?.includes(currency) ?? !exceptCurrencies.includes(currency))) &&
    (country === null || (countries?.includes(country) ?? true)) &&
    amountMinor <= (largestAmountMinor ?? amountMinor)
  );
}

/** Whether a provider pays any such payment at all, as far as its capabilities say. */
export const canPay = ({ pays }: Capabilities, facts: PaymentFacts): boolean =>
  pays.some((scheme) => schemePays(scheme, facts));

/** The part of a route's conditions that a provider cannot pay; null where it can pay what they let through. */
export function unpayablePart(
  capabilities: Capabilities,
  { currency, country, amountMinor }: PaymentFacts,
): 'currency' | 'country' | 'amount' | null {
  const nothing = { currency: null, country: null, amountMinor: 0n };
  if (!canPay(capabilities, { ...nothing, currency })) return 'currency';
  if (!canPay(capabilities, { ...nothing, currency, country })) return 'country';
  return canPay(capabilities, { currency, country, amountMinor }) ? null : 'amount';
}
