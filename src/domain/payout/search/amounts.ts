import { currencyCodes, currencyExponent, isCurrency } from '../../../reference/currencies.ts';
import { maximumAmountMinor } from '../../../values/money.ts';

/** An amount that a text can mean, in minor units of its currency. */
export interface AmountMeant {
  readonly currency: string;
  readonly amountMinor: number;
}

const written = /^(?:([A-Za-z]{3})\s*)?(\d[\d.,'’\s]*)(?:\s*([A-Za-z]{3}))?$/;

/** How a page writes the currency: `$` is written for twenty of them, `€` for one. */
function symbolOf(currency: string): string | undefined {
  const style = { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } as const;
  const parts = new Intl.NumberFormat('en', style).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value;
}

/** The amount of a text without a symbol of a currency, and the currencies of the symbol; all without one. */
function withoutSymbol(text: string): readonly [rest: string, currencies: readonly string[]] {
  const symbol = /\p{Sc}/u.exec(text)?.[0];
  if (symbol === undefined) return [text, currencyCodes];
  const currencies = currencyCodes.filter((currency) => symbolOf(currency) === symbol);
  return [text.replace(symbol, ' ').trim(), currencies];
}

/** Whether digits are grouped in threes, as in 1,234,567. */
const grouped = (text: string): boolean => /^\d{1,3}([.,'’\s]\d{3})+$/.test(text);

/** The two parts of a decimal number, for each way to read its marks: 1,234 has two. */
function readings(number: string): (readonly [whole: string, fraction: string])[] {
  if (/^\d+$/.test(number)) return [[number, '']];
  const found: (readonly [string, string])[] = [];
  if (grouped(number) && new Set(number.match(/\D/g)).size === 1) {
    found.push([number.replaceAll(/\D/g, ''), '']);
  }
  const decimal = /^(.*)[.,](\d{1,4})$/.exec(number);
  const [, whole = '', fraction = ''] = decimal ?? [];
  if (/^\d+$/.test(whole) || grouped(whole)) found.push([whole.replaceAll(/\D/g, ''), fraction]);
  return found;
}

/**
 * What a person may mean who looks for an amount: `1234.50`, `1,234.50`, `1.234,50 EUR`, `€1,234.50`. Without a currency
 * it is that amount in each one that has such a minor unit. Empty for a text that is no amount of a payout.
 */
export function amountsMeant(text: string): AmountMeant[] {
  const [plain, ofSymbol] = withoutSymbol(text.trim());
  const [, before, number = '', after] = written.exec(plain) ?? [];
  if (number === '' || (before !== undefined && after !== undefined)) return [];
  const named = (before ?? after)?.toUpperCase();
  if (named !== undefined && !isCurrency(named)) return [];
  const currencies = ofSymbol.filter((currency) => named === undefined || currency === named);
  return readings(number.trim()).flatMap(([whole, fraction]) =>
    currencies.flatMap((currency) => {
      const exponent = currencyExponent(currency) ?? 0;
      if (fraction.length > exponent || whole.length > 15) return [];
      const amountMinor = Number(`${whole}${fraction.padEnd(exponent, '0')}`);
      const payable = amountMinor >= 1 && amountMinor <= maximumAmountMinor;
      return payable ? [{ currency, amountMinor }] : [];
    }),
  );
}
