import fc from 'fast-check';
import type { World } from '../support/matrix/world.ts';
import type { Names } from './values.ts';

/** Stands for an id of the world that lives when the request is sent. */
export const mark = (name: string): string => `\u{f8fe}${name}\u{f8fe}`;

/** Puts the ids of a world in the place of the marks. */
export function fillIn(text: string, ids: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\u{f8fe}(\w+)\u{f8fe}/gu, (_, name: string) => ids[name] ?? name);
}

export const marked = {
  payee: { beneficiaryId: mark('beneficiary'), bankAccountId: mark('account') },
  payoutId: mark('payout'),
  deliveryId: mark('delivery'),
} as World; // what samples are made from

/** What a parameter of a path names, by its own name or else by the segment before it. */
export const pathMarks: Readonly<Record<string, string>> = {
  'id beneficiaries': mark('beneficiary'),
  accountId: mark('account'),
  requestId: mark('request'),
  documentId: mark('document'),
  payoutId: mark('payout'),
  deliveryId: mark('delivery'),
  exportId: mark('export'),
  country: 'GB',
};

export const oneOf = (...texts: string[]) => fc.constantFrom(...texts);

export const names: Names = {
  beneficiary_id: fc.constant(mark('beneficiary')),
  bank_account_id: fc.constant(mark('account')),
  payout_id: fc.constant(mark('payout')),
  idempotency_key: fc.uuid(),
  country: oneOf('US', 'DE', 'GB', 'IN'),
  currency: oneOf('USD', 'EUR', 'GBP', 'JPY'),
  purpose_of_payment: oneOf('payroll', 'rent', 'other'),
  iban: oneOf('DE89370400440532013000', 'GB29NWBK60161331926819'),
  routing_code: oneOf('021000021', '200000'),
  account_number: oneOf('000123456789', '55779911'),
  amount_minor: fc.integer({ min: 1, max: 1_000_000 }),
};
