import { weightedSum } from '../../values/aba.ts';
import type { Fault } from './bank-details.ts';

/** The shape of a CLABE, without the check digit. */
export const clabePattern = '^[0-9]{18}$';

/**
 * Checks a CLABE (Banco de México): 18 digits, the last of which completes the 3-7-1 sum of the
 * others to a multiple of ten.
 */
export function clabeFault(clabe: string): Fault | null {
  if (!/^[0-9]{18}$/.test(clabe)) {
    return { code: 'clabe_checksum_failed', message: 'A CLABE has 18 digits.' };
  }
  const sum = weightedSum(clabe.slice(0, 17));
  const expected = (10 - (sum % 10)) % 10;
  return Number(clabe.charAt(17)) === expected
    ? null
    : { code: 'clabe_checksum_failed', message: 'The check digit of the CLABE does not match.' };
}
