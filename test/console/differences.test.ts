import { expect, test } from 'vitest';
import { factWord as word } from '../../console/src/pages/operator/fact-word.ts';
import { differencesOf } from '../../console/src/values/differences.ts';

/* What a second operator reads of a change before they confirm it. */

test('a line for each fact that differs, and none for what stays', () => {
  const before = {
    transport: { host: 'old.example', port: 22 },
    schemes: ['ach'],
    initiatorId: null,
  };
  const after = {
    transport: { host: 'new.example', port: 22 },
    schemes: ['ach', 'wire'],
    initiatorId: 'X1',
    credentials: 'given anew',
  };
  expect(differencesOf(before, after, word)).toEqual([
    { path: ['transport', 'host'], before: 'old.example', after: 'new.example' },
    { path: ['schemes'], before: 'ach', after: 'ach, wire' },
    { path: ['initiatorId'], before: null, after: 'X1' },
    { path: ['credentials'], before: null, after: 'given anew' },
  ]);
});

test('what is made has its facts, and what is taken away is shown as gone', () => {
  expect(differencesOf(null, { membershipId: 'mbr_1', role: 'owner' }, word)).toEqual([
    { path: ['membershipId'], before: null, after: 'mbr_1' },
    { path: ['role'], before: null, after: 'owner' },
  ]);
  expect(differencesOf({ name: 'x' }, {}, word)).toEqual([
    { path: ['name'], before: 'x', after: null },
  ]);
});

test('a route is one line, with its amounts in their currency', () => {
  const route = { provider: 'bank', connectionId: 'bcn_1', currency: 'EUR', country: null };
  const before = { version: 1, routes: [] };
  const after = { version: 1, routes: [{ ...route, amountToMinor: '999999999999' }] };
  expect(differencesOf(before, after, word)).toEqual([
    {
      path: ['routes', '1'],
      before: null,
      after: 'Provider: bank; Connection: bcn_1; Currency: EUR; Amount to: 9,999,999,999.99 EUR',
    },
  ]);
});

test('a fact without a word of its own is named readably', () => {
  expect([word('returnBankDays'), word('member_email'), word('host')]).toEqual([
    'Return bank days',
    'Member email',
    'Server',
  ]);
});
