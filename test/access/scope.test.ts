import { expect, test } from 'vitest';
import { makeScope, may, requirePermission, type Actor } from '../../src/access/scope.ts';
import { permissions, roles, type Permission } from '../../src/access/roles.ts';

const all = Object.keys(permissions) as Permission[];

const as = (actor: Actor) =>
  makeScope({ tenantId: 'ten_1', businessId: 'biz_1', environment: 'sandbox', actor });

const permitted = (actor: Actor): Permission[] => all.filter((one) => may(as(actor), one));

const member = {
  type: 'member',
  user_id: 'usr_1',
  membership_id: 'mem_1',
  key_id: 'key_1',
} as const;

test.each<[string, Actor]>([
  ['a payee, whose link opens one form', { type: 'payee', collection_request_id: 'r' }],
  ["an operator's key", { type: 'operator', key_id: 'key_1' }],
  ["an operator's login", { type: 'operator', login: 'ada' }],
])('%s has no permission of a business', (_name, actor) => {
  expect(permitted(actor)).toEqual([]);
  for (const one of all) {
    expect(() => requirePermission(as(actor), one)).toThrow(
      expect.objectContaining({ code: 'forbidden' }),
    );
  }
});

test.each<[string, Actor]>([
  ['the service itself', { type: 'system', name: 'collection' }],
  ['a provider', { type: 'provider', name: 'simulator' }],
])('%s has every permission', (_name, actor) => {
  expect(permitted(actor)).toEqual(all);
});

test.each(roles)('a member who is %s has what the table gives', (role) => {
  expect(permitted({ ...member, role })).toEqual(
    all.filter((one) => permissions[one].includes(role)),
  );
});
