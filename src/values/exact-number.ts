/** The digits of a decimal numeral without zeros at its ends, and the power of ten that they stand on. */
interface Decimal {
  readonly digits: string;
  readonly exponent: number;
}

const zero = 0x30;

function decimalOf(numeral: string): Decimal {
  const unsigned = numeral.startsWith('-') ? numeral.slice(1) : numeral;
  const at = unsigned.search(/[eE]/);
  const mantissa = at === -1 ? unsigned : unsigned.slice(0, at);
  const [whole = '', fraction = ''] = mantissa.split('.');
  const all = whole + fraction;
  // Not by a regular expression: one for zeros at the end takes quadratic time when many zeros are in
  // the middle.
  let [start, end] = [0, all.length];
  while (start < end && all.charCodeAt(start) === zero) start += 1;
  while (end > start && all.charCodeAt(end - 1) === zero) end -= 1;
  const power = at === -1 ? 0 : Number(unsigned.slice(at + 1));
  return {
    digits: all.slice(start, end),
    exponent: power - fraction.length + (all.length - end),
  };
}

/** A double keeps at most this many significant digits of a decimal. */
const mostDigits = 17;

/**
 * Whether a number keeps its value when it is read as a double and written again: `1.0`, `0.93` and
 * `1e3` do, `1.00000000000000001`, 2^53 + 1 and `1e400` do not. Takes time in proportion to its
 * length.
 * @param numeral a number of JSON or GraphQL
 */
export function isExact(numeral: string): boolean {
  const { digits, exponent } = decimalOf(numeral);
  if (digits === '') return true;
  if (digits.length > mostDigits) return false;
  const value = Number(numeral);
  if (!Number.isFinite(value) || value === 0) return false;
  const kept = decimalOf(String(value));
  return kept.digits === digits && kept.exponent === exponent;
}
