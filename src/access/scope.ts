import { DomainError } from '../errors/domain-error.ts';
import { isId } from '../values/ids.ts';
import { permissions, type Permission, type Role } from './roles.ts';

export const environments = ['sandbox', 'production'] as const;
export type Environment = (typeof environments)[number];

interface Member {
  readonly type: 'member';
  readonly user_id: string;
  readonly membership_id: string;
  readonly role: Role;
}

/** A member of a business, with an API key. */
export interface KeyMember extends Member {
  readonly key_id: string;
}

/** A member of a business who is signed in. */
export interface SessionMember extends Member {
  readonly session_id: string;
}

export type MemberActor = KeyMember | SessionMember;

/** A key of one who runs the platform. */
export interface OperatorKeyActor {
  readonly type: 'operator';
  readonly key_id: string;
}

/** One who runs the platform and is signed in. */
export interface OperatorUserActor {
  readonly type: 'operator';
  readonly operator_user_id: string;
}

export type OperatorActor = OperatorKeyActor | OperatorUserActor;

/** One who runs the platform and acted in SQL, by the name of the login role. */
export interface OperatorLoginActor {
  readonly type: 'operator';
  readonly login: string;
}

/** Who opened the link of a collection request: a payee without an account, whose link is the credential. */
export interface PayeeActor {
  readonly type: 'payee';
  readonly collection_request_id: string;
}

/** Who opened the link of a member's invitation: the holder of the invited mailbox. */
export interface InviteeActor {
  readonly type: 'invitee';
  readonly user_id: string;
  readonly membership_id: string;
}

/** Who acts. It is stored with every transition, so it holds ids and a role, no names. */
export type Actor =
  | MemberActor
  | OperatorActor
  | OperatorLoginActor
  | PayeeActor
  | InviteeActor
  | { readonly type: 'system'; readonly name: string }
  | { readonly type: 'provider'; readonly name: string };

declare const made: unique symbol;

/**
 * The tenant that a call may touch and who makes it. Store functions take a scope instead of a
 * tenant's id, and only this room makes one, so no caller's input can name another tenant.
 */
export interface Scope {
  readonly tenantId: string;
  readonly businessId: string;
  readonly environment: Environment;
  readonly actor: Actor;
  readonly [made]: true;
}

/**
 * What an operator's key or session opens: no tenant, only the commands in `src/domain/operator`, each of
 * which is recorded. The type keeps the two apart: a function that takes a Scope cannot be called with it.
 */
export interface OperatorScope {
  readonly operator: OperatorActor;
  /** Null for a key. */
  readonly sessionId: string | null;
  readonly [made]: true;
}

/** Whom a valid credential stands for. */
export type Caller = Scope | OperatorScope;

export function isOperator(caller: Caller): caller is OperatorScope {
  return 'operator' in caller;
}

/** Makes a scope; for this room alone (an architecture rule holds it). */
export function makeScope(facts: Omit<Scope, typeof made>): Scope {
  return Object.freeze({ ...facts }) as Scope;
}

/** Makes an operator's scope; for this room alone. */
export function makeOperatorScope(
  operator: OperatorActor,
  sessionId: string | null = null,
): OperatorScope {
  return Object.freeze({ operator: Object.freeze(operator), sessionId }) as OperatorScope;
}

/** The id by which records name an operator: of the key, or of the person who is signed in. */
export function operatorId(operator: OperatorActor): string {
  return 'key_id' in operator ? operator.key_id : operator.operator_user_id;
}

/** The operator whom a record names by such an id; null for another name, which is that of a login role. */
export function operatorNamed(id: string): OperatorActor | null {
  if (isId('operatorKey', id)) return { type: 'operator', key_id: id };
  return isId('operatorUser', id) ? { type: 'operator', operator_user_id: id } : null;
}

/** The id of the credential that a member shows: a key's or a session's. */
export function credentialOf(actor: MemberActor): string {
  return 'key_id' in actor ? actor.key_id : actor.session_id;
}

/**
 * Whether the scope's actor may do this. The service may do everything, and a member what their role
 * permits. An operator has commands of their own, a payee one form, and an invitee one invitation, so
 * they have no permission here.
 */
export function may(scope: Scope, permission: Permission): boolean {
  switch (scope.actor.type) {
    case 'member':
      return permissions[permission].includes(scope.actor.role);
    case 'operator':
    case 'payee':
    case 'invitee':
      return false;
    case 'system':
    case 'provider':
      return true;
  }
}

/** The user who acts, whatever key or session they use; null where no member does. */
export function userOf({ actor }: Scope): string | null {
  return actor.type === 'member' ? actor.user_id : null;
}

/** The provider that speaks, where the scope is that of its event; null for every other actor. */
export function providerOf({ actor }: Scope): string | null {
  return actor.type === 'provider' ? actor.name : null;
}

/** Throws `forbidden` unless the scope's actor has the permission; a member is told which roles have it. */
export function requirePermission(scope: Scope, permission: Permission): void {
  if (may(scope, permission)) return;
  if (scope.actor.type !== 'member') throw new DomainError('forbidden', { permission });
  const { role } = scope.actor;
  const allowed = permissions[permission].join(', ');
  throw new DomainError('forbidden', {
    permission,
    message: `The role ${role} lacks the permission ${permission}, which these roles have: ${allowed}.`,
  });
}
