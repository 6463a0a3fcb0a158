/**
 * The active currencies of ISO 4217 (list one, as of 2026) by the number of decimal digits of
 * their minor unit. Left out is what nobody can be paid in: precious metals, fund codes (CLF and
 * USN among them), bond-market and accounting units (XAD, XDR, XSU, XUA), testing codes.
 *
 * The exponents are those of ISO, not of the CLDR that `Intl` follows: there the dinar of Iraq has
 * no digits and the ariary of Madagascar none, while ISO gives them three and two.
 */
const codesByExponent = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF',
  2:
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF ' +
    'CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD ' +
    'HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA ' +
    'MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN ' +
    'QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP ' +
    'TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'UYW',
} as const;

const exponents: ReadonlyMap<string, number> = new Map(
  Object.entries(codesByExponent).flatMap(([exponent, codes]) =>
    codes.split(' ').map((code): [string, number] => [code, Number(exponent)]),
  ),
);

/** Every currency the service knows, in alphabetical order. */
export const currencyCodes: readonly string[] = [...exponents.keys()].toSorted();

/** The decimal digits of a currency's minor unit (0, 2, 3 or 4), or null for an unknown code. */
export function currencyExponent(code: string): number | null {
  return exponents.get(code) ?? null;
}

/** Whether `code` is an active ISO 4217 currency. Codes are upper case; `usd` is none. */
export function isCurrency(code: string): boolean {
  return exponents.has(code);
}
