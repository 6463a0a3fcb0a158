import { abaPattern, weightedSum } from '../../values/aba.ts';
import type { Fault } from './bank-details.ts';

/** Removes the spaces and dashes with which people write routing numbers and sort codes. */
export function compactNumber(value: string): string {
  return value.replaceAll(/[\s-]/g, '');
}

const assigned = new RegExp(abaPattern);

/**
 * Checks a US routing number: nine digits, the 3-7-1 sum divisible by ten, and an assigned prefix.
 * Nine zeros satisfy both rules and are nobody's number.
 */
export function abaFault(routingNumber: string): Fault | null {
  if (!/^[0-9]{9}$/.test(routingNumber) || routingNumber === '000000000') return formatFault;
  if (weightedSum(routingNumber) % 10 !== 0) {
    return {
      code: 'aba_checksum_failed',
      message: 'The checksum of the routing number does not match.',
    };
  }
  return assigned.test(routingNumber) ? null : formatFault;
}

const formatFault: Fault = {
  code: 'aba_format_invalid',
  message: 'Must be an ABA routing number: nine digits with an assigned prefix.',
};
