import { expect, test } from 'vitest';
import {
  covers,
  permissions,
  roles,
  rolesCovering,
  rolesWithin,
  type Role,
} from '../../src/access/roles.ts';

const within: Record<Role, Role[]> = {
  owner: ['owner', 'admin', 'preparer', 'approver', 'developer', 'viewer'],
  admin: ['admin', 'preparer', 'approver', 'developer', 'viewer'],
  preparer: ['preparer', 'viewer'],
  approver: ['approver', 'viewer'],
  developer: ['developer', 'viewer'],
  viewer: ['viewer'],
};

test.each(roles)('the role %s covers what has no right beyond its own', (holder) => {
  expect(rolesWithin(holder)).toEqual(within[holder]);
  for (const role of roles) {
    expect(covers(holder, role)).toBe(within[holder].includes(role));
    expect(rolesCovering(role).includes(holder)).toBe(covers(holder, role));
  }
});

test('who covers a role has each of its permissions', () => {
  for (const role of roles) {
    for (const holder of rolesCovering(role)) {
      for (const allowed of Object.values(permissions)) {
        if (allowed.includes(role)) expect(allowed).toContain(holder);
      }
    }
  }
});
