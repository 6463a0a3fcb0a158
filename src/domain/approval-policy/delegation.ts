import type { PoolClient } from 'pg';
import { z } from 'zod';
import { Prisma, type ApprovalDelegation } from '../../../generated/prisma/client.ts';
import { requirePermission, type MemberActor, type Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { named, namedOfPlatform } from '../../db/named.ts';
import { firstRow, inTransaction, rows, type Queryable } from '../../db/pool.ts';
import { DomainError, invalid } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { dateTime, text } from '../../values/fields.ts';
import { isId, newId } from '../../values/ids.ts';
import { parseInput } from '../../values/validate.ts';
import { lockActing } from '../access/governance.ts';
import { tellBusiness } from '../access/tell.ts';
import { decidingRoles, groupsOf } from './rules.ts';
import { findPolicy, listGroups, rulesIn } from './store.ts';

/** How long a delegation lasts at most, and how many of one person hold or wait at once. */
const most = { days: 90, atOnce: 20 } as const;
const dayMs = 24 * 60 * 60 * 1_000;

/** Input of the command that delegates. */
const delegationInput = z.strictObject({
  /** Id of the membership of the delegate. */
  to: text(),
  reason: text(500),
  beginsAt: dateTime.nullish().transform((value) => value ?? null),
  endsAt: dateTime,
});
export type DelegationInput = z.input<typeof delegationInput>;

const shown = columns(Prisma.ApprovalDelegationScalarFieldEnum, 'd');

const live = named(
  'live_approval_delegations',
  ['tenant'],
  `
    SELECT ${shown} FROM approval_delegation d
    WHERE d.tenant_id = @tenant AND d.ended_at IS NULL AND d.ends_at > now() ORDER BY d.id LIMIT 500`,
);

/** The delegations that hold, or will, the oldest first. */
export function listDelegations(
  client: Queryable,
  { tenantId: tenant }: Scope,
): Promise<ApprovalDelegation[]> {
  return rows<ApprovalDelegation>(client, live, live.of({ tenant }));
}

const insert = named(
  'insert_approval_delegation',
  ['tenant', 'id', 'from', 'to', 'reason', 'begins', 'ends'],
  `
    INSERT INTO approval_delegation AS d (tenant_id, id, from_user, to_user, reason, begins_at, ends_at)
    SELECT @tenant, @id, @from, @to, @reason, coalesce(@begins::timestamptz, n.at), @ends::timestamptz
    FROM (SELECT now() AS at) n
    RETURNING ${shown}`,
);

const close = named(
  'end_approval_delegation',
  ['tenant', 'id', 'who', 'any'],
  `
    UPDATE approval_delegation AS d SET ended_at = n.at, ended_by = @who FROM (SELECT now() AS at) n
    WHERE d.tenant_id = @tenant AND d.id = @id AND d.ended_at IS NULL AND d.ends_at > n.at
      AND (@any::boolean OR d.from_user = @who OR d.to_user = @who)
    RETURNING ${shown}`,
);

const decider = namedOfPlatform(
  'member_who_may_stand_in',
  ['business', 'member', 'roles'],
  `
    SELECT m.user_id AS id, m.role FROM membership m
    WHERE m.business_id = @business AND m.id = @member AND m.accepted_at IS NOT NULL AND m.removed_at IS NULL
      AND m.role = ANY (@roles::text[])`,
);

const membershipOf = namedOfPlatform(
  'membership_of_user',
  ['business', 'user'],
  'SELECT m.id FROM membership m WHERE m.business_id = @business AND m.user_id = @user',
);

/** Throws `forbidden` for whoever does not decide on payouts. */
function requireDecider(scope: Scope): MemberActor {
  requirePermission(scope, 'payouts:decide');
  if (scope.actor.type !== 'member') throw new DomainError('forbidden');
  return scope.actor;
}

const refused = (field: string, code: string, message: string): DomainError =>
  invalid([{ field, code, message }]);

/** Throws `validation_failed` for a time that is over, ends before it begins, or is too long. */
function requireTime(beginsAt: string | null, endsAt: string): void {
  const begin = beginsAt === null ? Date.now() : Date.parse(beginsAt);
  const end = Date.parse(endsAt);
  if (begin < Date.now() - dayMs || begin > Date.now() + 365 * dayMs) {
    throw refused('beginsAt', 'out_of_range', 'must be within a year from now');
  }
  if (end <= Math.max(begin, Date.now()) || end > begin + most.days * dayMs) {
    throw refused('endsAt', 'out_of_range', `must be up to ${most.days} days after the beginning`);
  }
}

/**
 * The user who may stand in: a member who decides on payouts, and whom a rule of the policy names by their role or a group
 * where any rule names somebody. So nobody brings in an approver alone: who is named changes with a second person only.
 */
async function requireDelegate(
  client: PoolClient,
  scope: Scope,
  memberId: string,
): Promise<string> {
  const active = await findPolicy(client, scope);
  const rules = active === null ? null : rulesIn(active);
  if (rules === null) {
    throw new DomainError('conflict', {
      message:
        'The business has no approval policy: whoever decides on payouts may approve anyway.',
    });
  }
  const member = isId('membership', memberId) ? memberId : null;
  const values = decider.of({ business: scope.businessId, member, roles: decidingRoles });
  const found = await firstRow<{ id: string; role: string }>(client, decider, values);
  if (found === null) {
    throw refused('to', 'unknown_member', 'is no member of the business who decides on payouts');
  }
  const groups = groupsOf(rules);
  const theirs = (await listGroups(client, scope)).filter(({ members }) =>
    members.includes(found.id),
  );
  const isNamed = [found.role, ...theirs.map(({ id }) => id)].some((group) => groups.has(group));
  if (groups.size > 0 && !isNamed) {
    throw refused('to', 'not_an_approver', 'is in no group that the approval policy names');
  }
  return found.id;
}

async function toldOf(client: PoolClient, scope: Scope, one: ApprovalDelegation): Promise<object> {
  const memberOf = async (user: string): Promise<string | null> => {
    const values = membershipOf.of({ business: scope.businessId, user });
    return (await firstRow<{ id: string }>(client, membershipOf, values))?.id ?? null;
  };
  return {
    from: await memberOf(one.fromUser),
    to: await memberOf(one.toUser),
    begins: one.beginsAt.toISOString(),
    ends: one.endsAt.toISOString(),
  };
}

/**
 * Lets another member approve on the caller's behalf for a time, also what waits already. The delegate has one vote in a
 * payout, does not approve what either of both created, and cannot delegate it further. Whether the caller may approve is
 * read at each decision. All owners and admins are mailed. Throws forbidden, validation_failed, conflict without a policy,
 * and unprocessable_entity for more than twenty at once.
 */
export async function delegateApprovals(
  call: Call,
  given: DelegationInput,
): Promise<ApprovalDelegation> {
  const { scope, services } = call;
  const { user_id: from } = requireDecider(scope);
  const { to: memberId, reason, beginsAt, endsAt } = parseInput(delegationInput, given);
  requireTime(beginsAt, endsAt);
  return inTransaction(services.pool, async (client) => {
    await lockActing(client, scope);
    const to = await requireDelegate(client, scope, memberId);
    if (to === from) throw refused('to', 'yourself', 'must be somebody else');
    const present = await listDelegations(client, scope);
    if (present.filter(({ fromUser }) => fromUser === from).length >= most.atOnce) {
      throw new DomainError('unprocessable_entity', {
        message: `You have ${most.atOnce} delegations already; end one of them.`,
      });
    }
    const values = insert.of({
      tenant: scope.tenantId,
      id: newId('approvalDelegation'),
      from,
      to,
      reason,
      begins: beginsAt,
      ends: endsAt,
    });
    const made = await firstRow<ApprovalDelegation>(client, insert, values);
    if (made === null) throw new Error('an insert returns its row');
    await tellBusiness(client, scope, {
      kind: 'approval_delegated',
      subjectId: made.id,
      before: null,
      after: await toldOf(client, scope, made),
    });
    return made;
  });
}

/**
 * Ends a delegation before its time. For both people of it, owners and admins. Throws forbidden, and not_found for one that
 * is not there or over.
 */
export async function endDelegation(call: Call, id: string): Promise<ApprovalDelegation> {
  const { scope, services } = call;
  const { user_id: who, role } = requireDecider(scope);
  return inTransaction(services.pool, async (client) => {
    await lockActing(client, scope);
    const any = role === 'owner' || role === 'admin';
    const known = isId('approvalDelegation', id) ? id : null;
    const values = close.of({ tenant: scope.tenantId, id: known, who, any });
    const ended = await firstRow<ApprovalDelegation>(client, close, values);
    if (ended === null) {
      throw new DomainError('not_found', { message: 'There is no such delegation that holds.' });
    }
    const told = await toldOf(client, scope, ended);
    await tellBusiness(client, scope, {
      kind: 'approval_delegation_ended',
      subjectId: id,
      before: told,
      after: { ...told, ends: ended.endedAt?.toISOString() },
    });
    return ended;
  });
}
