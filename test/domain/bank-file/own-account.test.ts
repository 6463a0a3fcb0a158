import { expect, it } from 'vitest';
import { ownerOf } from '../../../src/domain/bank-file/own-account.ts';
import type { DebtorAccount } from '../../../src/providers/bank-connection.ts';
import type { Balance } from '../../../src/providers/bank/report.ts';

const account = (currency: string): DebtorAccount => ({
  country: 'GB',
  currency,
  number: '87654321',
  sortCode: '200000',
});
const accounts = { account: account('GBP'), furtherAccounts: [account('USD')] };
const balance = (type: string, currency: string): Balance => ({
  type,
  subType: null,
  currency,
  minor: 1n,
  day: '2026-11-30',
});

it.each([
  ['87654321', 'USD', [], { kind: 'own', currencies: ['USD'] }],
  ['20 00 00 87654321', 'GBP', [], { kind: 'own', currencies: ['GBP'] }],
  ['87654321', null, [], { kind: 'own', currencies: ['GBP', 'USD'] }],
  ['87654321', null, [balance('OPBD', 'USD')], { kind: 'own', currencies: ['USD'] }],
  ['87654321', null, [balance('CLBD', 'USD')], { kind: 'own', currencies: ['USD'] }],
  ['87654321', null, [balance('ITAV', 'EUR')], { kind: 'own', currencies: ['GBP', 'USD'] }],
  ['87654321', 'GBP', [balance('CLBD', 'USD')], { kind: 'own', currencies: ['GBP'] }],
  ['87654321', null, [balance('OPBD', 'EUR')], { kind: 'account_currency', currency: 'EUR' }],
  ['87654321', 'EUR', [], { kind: 'account_currency', currency: 'EUR' }],
  ['87654322', 'GBP', [], { kind: 'other_account' }],
] as const)('finds whose statement it is: %s, %s, %o', (other, currency, balances, owner) => {
  expect(ownerOf({ account: { iban: null, other, currency }, balances }, accounts)).toEqual(owner);
});
