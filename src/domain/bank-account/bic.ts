import { isCountry } from '../../reference/countries.ts';
import type { Fault } from './bank-details.ts';

/** ISO 9362 (2014): party prefix, country, party suffix, optional branch. ISO 20022 uses the same pattern. */
export const bicPattern = '^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$';

const shape = new RegExp(bicPattern);

/** A BIC in upper case without spaces. */
export function compactBic(value: string): string {
  return value.replaceAll(/\s/g, '').toUpperCase();
}

/**
 * Checks a BIC's format and that its country exists (or is Kosovo's XK, which SWIFT uses). It may
 * differ from the account's country: banks of dependent territories share a BIC with the mainland.
 */
export function bicFault(bic: string): Fault | null {
  const country = bic.slice(4, 6);
  if (shape.test(bic) && (isCountry(country) || country === 'XK')) return null;
  return { code: 'bic_format_invalid', message: 'Must be a BIC of 8 or 11 characters (ISO 9362).' };
}
