/** The most decimals that an amount of ISO 20022 has. Amounts are counted in units of that place. */
const decimals = 5;

/**
 * Reads a decimal as a bank's file has it, in units of 0.00001. Null for what is none. Exact: no number of floating
 * point is involved.
 */
export function parseAmount(text: string): bigint | null {
  const match = /^([0-9]{1,18})(?:\.([0-9]{1,5}))?$/.exec(text);
  if (match === null) return null;
  return BigInt(`${match[1] ?? ''}${(match[2] ?? '').padEnd(decimals, '0')}`);
}

/** Reads a decimal of the bank's own book, which may be below zero. */
export function amountOf(text: string): bigint {
  const units = parseAmount(text.replace(/^-/, ''));
  if (units === null) throw new RangeError(`not an amount: ${text}`);
  return text.startsWith('-') ? -units : units;
}

/** The decimal of an amount, with two places or as many more as it needs. */
export function formatAmount(units: bigint): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0{1,3}$/, '');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${fraction}`;
}

/** An amount of cents, as Nacha files have it. */
export const fromCents = (cents: bigint): bigint => cents * 10n ** BigInt(decimals - 2);
