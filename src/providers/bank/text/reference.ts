import { resourceOf } from '../../../values/ids.ts';

/** ISO 20022 gives its references 35 characters (`Max35Text`). */
const longestReference = 35;

const permitted = /^[A-Za-z0-9/\-?:().,'+ ]+$/;

/**
 * Our id as a reference in a bank's file. The underscore of an id is not among the characters that
 * banks permit, so it is written as a hyphen: `pay_01k9…` becomes `pay-01k9…`.
 */
export function bankReference(id: string): string {
  return id.replaceAll('_', '-');
}

/**
 * The id that a reference of ours stands for, or null when it is not one of ours. Banks may give it
 * back in capitals; the digits of an id mean the same in both cases.
 */
export function idOfBankReference(reference: string): string | null {
  const id = reference.trim().toLowerCase().replace('-', '_');
  return resourceOf(id) === null ? null : id;
}

/**
 * What is wrong with a reference of ours in a file, or null. A slash at an end and two in a row have
 * a meaning of their own for SWIFT (European Payments Council, implementation guidelines).
 */
export function referenceFault(reference: string): string | null {
  if (reference.length === 0 || reference.length > longestReference) {
    return `has 1 to ${longestReference} characters`;
  }
  if (!permitted.test(reference) || reference !== reference.trim()) {
    return "holds letters and digits of ASCII and / - ? : ( ) . , ' + and inner spaces only";
  }
  if (reference.startsWith('/') || reference.endsWith('/') || reference.includes('//')) {
    return 'neither begins nor ends with a slash, and holds no two in a row';
  }
  return null;
}
