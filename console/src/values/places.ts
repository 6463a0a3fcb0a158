import { countries, currencies } from '../../../generated/console-types/places.ts';
import { locale } from '../texts/language.ts';

interface NamedCode {
  readonly code: string;
  readonly name: string;
}

function named(codes: readonly string[], type: 'region' | 'currency'): NamedCode[] {
  const names = new Intl.DisplayNames([locale], { type });
  const { compare } = new Intl.Collator(locale);
  return codes
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .toSorted((a, b) => compare(a.name, b.name));
}

/** Every country by its name, in the order of the names. */
export const countryNames = (): readonly NamedCode[] => named(Object.keys(countries), 'region');

/** Every currency by its name, in the order of the codes. */
export const currencyNames = (): readonly NamedCode[] =>
  currencies.map((code) => ({ code, name: `${code} · ${nameOfCurrency(code)}` }));

const nameOfCurrency = (code: string): string =>
  new Intl.DisplayNames([locale], { type: 'currency' }).of(code) ?? code;

/** The name of a country; its code where it has none. */
export const countryName = (code: string): string =>
  new Intl.DisplayNames([locale], { type: 'region' }).of(code) ?? code;

/** The currency that accounts in a country mostly have; empty where there is none. */
export const usualCurrency = (country: string): string => countries[country] ?? '';
