import { covers, type Role } from '../../access/roles.ts';
import { requirePermission, type MemberActor, type Scope } from '../../access/scope.ts';
import { DomainError } from '../../errors/domain-error.ts';

/** The caller as a member who manages keys and members. Throws `forbidden` for everyone else. */
export function requireManager(scope: Scope): MemberActor {
  requirePermission(scope, 'access:write');
  if (scope.actor.type !== 'member') throw new DomainError('forbidden');
  return scope.actor;
}

/** Throws `forbidden` where the caller would give, change or take away more rights than they have. */
export function requireCovers(actor: MemberActor, role: Role): void {
  if (covers(actor.role, role)) return;
  throw new DomainError('forbidden', {
    message: `The role ${actor.role} may not give, change or take away the role ${role}.`,
  });
}
