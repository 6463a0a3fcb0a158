import type {
  ApprovalDelegation,
  ApprovalGroup,
  ApprovalPolicy,
  ApprovalPolicyDraft,
  ProposedChange,
} from '../../../generated/prisma/client.ts';
import { DomainError, invalid } from '../../errors/domain-error.ts';
import { inTransaction, type Queryable } from '../../db/pool.ts';
import type { FieldError } from '../../errors/domain-error.ts';
import type { Scope } from '../../access/scope.ts';
import type { Call } from '../../process/services.ts';
import { isId } from '../../values/ids.ts';
import { parseInput } from '../../values/validate.ts';
import { requireManager } from '../access/authority.ts';
import { lockActing } from '../access/governance.ts';
import { findWaitingChange, waitingChangesOf } from '../proposed-change/store.ts';
import { listDelegations } from './delegation.ts';
import { groupsOf, rulesInput, type Rule, type RulesInput } from './rules.ts';
import { findDraft, findPolicy, listGroups, saveDraft } from './store.ts';

/** What decides who may let money go, and what waits to. */
export interface PolicyState {
  /** The version that holds; null where there is none, and with rules null where it ended the policy. */
  readonly active: ApprovalPolicy | null;
  readonly draft: ApprovalPolicyDraft | null;
  /** Proposals of a version that wait for a second person: one at most. */
  readonly proposal: ProposedChange | null;
  readonly groups: readonly ApprovalGroup[];
  /** Proposals of other members of groups. */
  readonly groupProposals: readonly ProposedChange[];
  /** Proposals of other roles of members. */
  readonly roleProposals: readonly ProposedChange[];
  /** Those who approve on behalf of others, now or later. */
  readonly delegations: readonly ApprovalDelegation[];
}

/** Reads the policy of the caller's tenant, for everybody who may read. */
export async function readPolicy({ scope, services: { pool } }: Call): Promise<PolicyState> {
  const [active, draft, proposal, groups, groupProposals, roleProposals, delegations] =
    await Promise.all([
      findPolicy(pool, scope),
      findDraft(pool, scope),
      findWaitingChange(pool, scope, 'approval_policy'),
      listGroups(pool, scope),
      waitingChangesOf(pool, scope, 'approval_group'),
      waitingChangesOf(pool, scope, 'approval_role'),
      listDelegations(pool, scope),
    ]);
  return { active, draft, proposal, groups, groupProposals, roleProposals, delegations };
}

/** Throws `validation_failed` for rules that name a group which the tenant does not have. */
export async function requireGroups(
  client: Queryable,
  scope: Scope,
  rules: readonly Rule[],
): Promise<void> {
  const known = new Set((await listGroups(client, scope)).map(({ id }) => id));
  const unknown: FieldError[] = rules.flatMap((rule, i) =>
    [...groupsOf([rule])].flatMap((group) =>
      isId('approvalGroup', group) && !known.has(group)
        ? [{ field: `rules[${i}]`, code: 'unknown_group', message: `has no group ${group}` }]
        : [],
    ),
  );
  if (unknown.length > 0) throw invalid(unknown);
}

/**
 * Replaces the draft of the policy, which holds for nothing until it is proposed and confirmed. `rules` null drafts the
 * end of the policy. `revision` is that of the draft which the caller has seen, null for the first one. For owners and
 * admins. Throws forbidden, validation_failed, and conflict where somebody else has edited it since.
 */
export async function editDraft(
  call: Call,
  {
    rules: given,
    revision,
  }: { readonly rules: RulesInput | null; readonly revision: number | null },
): Promise<ApprovalPolicyDraft> {
  const { scope, services } = call;
  const { user_id: who } = requireManager(scope);
  const rules = given === null ? null : parseInput(rulesInput, given);
  return inTransaction(services.pool, async (client) => {
    await lockActing(client, scope);
    await requireGroups(client, scope, rules ?? []);
    const saved = await saveDraft(client, scope, { rules, revision, who });
    if (saved !== null) return saved;
    throw new DomainError('conflict', {
      message: 'Somebody else has edited the draft since. Read it again.',
    });
  });
}
