/** https://github.com/tc39/proposal-json-parse-with-source; the compiler's library does not know it yet. */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => object };

/** Decimal digits as an integer of JSON that has exactly these digits, beyond 2^53 too. */
function exactInteger(digits: string): number | object {
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : rawJSON(digits);
}

/** Sums are decimal digits in GraphQL, and integers in REST. */
export const withIntegers = (sums: object): object =>
  Object.fromEntries(
    Object.entries(sums).map(([name, value]: [string, unknown]) => [
      name,
      name.endsWith('_minor') && typeof value === 'string' ? exactInteger(value) : value,
    ]),
  );
