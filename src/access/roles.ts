/** Roles of a business's members and keys, and what each may do. */
export const roles = ['owner', 'admin', 'preparer', 'approver', 'developer', 'viewer'] as const;
export type Role = (typeof roles)[number];

const permissionTable = {
  /** Read everything and export. */
  read: ['owner', 'admin', 'preparer', 'approver', 'developer', 'viewer'],
  /** Beneficiaries, bank accounts, invites, enrollment, acknowledgment. */
  'payees:write': ['owner', 'admin', 'preparer'],
  /** Export everything that is held about one payee, decrypted. */
  'payees:disclose': ['owner', 'admin'],
  /** Erase a payee, which cannot be undone. */
  'payees:erase': ['owner'],
  /** Create and cancel payouts. */
  'payouts:write': ['owner', 'admin', 'preparer'],
  /** Approve, reject and decide on payouts. */
  'payouts:decide': ['owner', 'admin', 'approver'],
  /** Decide whether a payee is who stands on a list of sanctions. */
  'screening:decide': ['owner', 'admin', 'approver'],
  /** Webhook subscription and redelivery. */
  'webhooks:write': ['owner', 'admin', 'developer'],
  /** Business profile and sandbox balance. */
  'business:write': ['owner', 'admin', 'developer'],
  /** The sandbox bank and the routes of a sandbox; those of production are an operator's. */
  'banks:write': ['owner', 'admin'],
  /** API keys and members. */
  'access:write': ['owner', 'admin'],
} as const satisfies Record<string, readonly Role[]>;

export type Permission = keyof typeof permissionTable;

export const permissions: Readonly<Record<Permission, readonly Role[]>> = permissionTable;

/**
 * Whether `holder` has every right of `role`. This one rule decides who may give somebody a role, and
 * who may change or remove a member or a key that has it. So nobody can gain more rights than they
 * have. Only owners may give or take away the role owner.
 */
export function covers(holder: Role, role: Role): boolean {
  if (role === 'owner') return holder === 'owner';
  return Object.values(permissions).every(
    (allowed) => !allowed.includes(role) || allowed.includes(holder),
  );
}

/** The roles that `holder` covers, for the guards of statements. */
export function rolesWithin(holder: Role): readonly Role[] {
  return roles.filter((role) => covers(holder, role));
}

/** The roles that cover `role`, for the guards of statements. */
export function rolesCovering(role: Role): readonly Role[] {
  return roles.filter((holder) => covers(holder, role));
}

/**
 * The role of a session of a member with `role` that may do no more than `limit`: the smaller of the two, and
 * `viewer` where each has a right that the other lacks.
 */
export function roleWithin(role: Role, limit: Role): Role {
  if (covers(role, limit)) return limit;
  return covers(limit, role) ? role : 'viewer';
}
