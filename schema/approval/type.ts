import type {
  ApprovalDelegation as StoredDelegation,
  ApprovalGroup as StoredGroup,
  ApprovalPolicy as StoredPolicy,
  ApprovalPolicyDraft as StoredDraft,
  ProposedChange,
} from '../../generated/prisma/client.ts';
import type { Role } from '../../src/access/roles.ts';
import { userOf } from '../../src/access/scope.ts';
import { readMembersByUser } from '../../src/domain/access/members-by-id.ts';
import type { PolicyState } from '../../src/domain/approval-policy/draft.ts';
import { decidingRoles } from '../../src/domain/approval-policy/rules.ts';
import { rulesIn } from '../../src/domain/approval-policy/store.ts';
import type { Rule as StoredRule } from '../../src/domain/approval-policy/rules.ts';
import type { ChangeStatus } from '../../src/domain/proposed-change/names.ts';
import { id, int, listOf, of, stored, text, time } from '../../src/values/columns.ts';
import { memberOf as memberById } from '../access/author.ts';
import { Member } from '../access/type.ts';
import { builder } from '../builder.ts';
import { RoleEnum } from '../business/enums.ts';
import { describedEnum } from '../common/described-enum.ts';
import { shown } from '../common/fields.ts';
import { loadBy } from '../lists/loader.ts';
import { Rule } from './rules.ts';

const memberOf = loadBy(readMembersByUser, (user) => user);

/** The rules stand whole in the row that has them. */
const rulesCost = { field: 20, multiplier: 1 };

const rulesTold = 'The rules, whose numbers are their places from 1; null for none.';

export const PolicyVersion = builder
  .objectRef<Omit<StoredPolicy, 'tenantId'>>('ApprovalPolicyVersion')
  .implement({
    description: 'A version of the approval policy, which never changes.',
    fields: (t) =>
      shown(t, {
        version: int('Its number, from 1.'),
        rules: t.field({
          type: [Rule],
          nullable: true,
          description: `${rulesTold} A version without rules ends the policy.`,
          complexity: rulesCost,
          resolve: (policy) => rulesIn(policy),
        }),
        proposedBy: t.field({
          type: Member,
          nullable: true,
          description: 'Who proposed it.',
          resolve: ({ proposedBy }, _args, context) => memberOf(context, proposedBy),
        }),
        proposedAt: time('When.'),
        confirmedBy: t.field({
          type: Member,
          nullable: true,
          description: 'Who confirmed it.',
          resolve: ({ confirmedBy }, _args, context) => memberOf(context, confirmedBy),
        }),
        confirmedAt: time('Since when it holds, or held.'),
      }),
  });

export const PolicyDraft = builder.objectRef<StoredDraft>('ApprovalPolicyDraft').implement({
  description: 'Rules that are being written. They hold for nothing.',
  fields: (t) =>
    shown(t, {
      rules: t.field({
        type: [Rule],
        nullable: true,
        description: rulesTold,
        complexity: rulesCost,
        resolve: (draft) => rulesIn(draft),
      }),
      revision: int('Counts the edits. An edit names the revision that it has seen.'),
      editedBy: t.field({
        type: Member,
        nullable: true,
        description: 'Who edited it last.',
        resolve: ({ editedBy }, _args, context) => memberOf(context, editedBy),
      }),
      editedAt: time('When.'),
    }),
});

export const ApprovalGroup = builder.objectRef<StoredGroup>('ApprovalGroup').implement({
  description: 'A named set of members, whom a rule can ask for approvals.',
  fields: (t) =>
    shown(t, {
      id: id('Id of the group.'),
      name: text('Its name.'),
      members: t.field({
        type: [Member],
        description: 'Its members, those who have left the business left out.',
        complexity: 20,
        resolve: async ({ members }, _args, context) => {
          const found = await Promise.all(members.map((user) => memberOf(context, user)));
          return found.flatMap((one) => (one === null || one.removedAt !== null ? [] : [one]));
        },
      }),
      updatedAt: time('When it was changed last.'),
    }),
});

const ChangeStatusEnum = describedEnum<ChangeStatus>(
  'ApprovalChangeStatus',
  'Where a proposed change stands.',
  {
    waiting: 'It waits for a second person.',
    confirmed: 'It was confirmed and holds.',
    declined: 'It was declined, or taken back.',
    stale: 'What it would change is another one by now.',
    replaced: 'A later proposal took its place.',
    expired: 'Nobody answered in time.',
  },
);

interface Shown<Value> {
  readonly before: Value;
  readonly after: Value;
}

/** What a proposal shows of rules, as propose.ts wrote it; null for one of a group. */
const rulesOf = ({
  kind,
  shown: json,
}: ProposedChange): Shown<readonly StoredRule[] | null> | null =>
  kind === 'approval_policy' ? (json as unknown as Shown<readonly StoredRule[] | null>) : null;

/** The roles of a member, as role-changes.ts wrote them; null for other proposals. */
const roleIn = ({ kind, shown: json }: ProposedChange): Shown<{ role: Role }> | null =>
  kind === 'approval_role' ? (json as unknown as Shown<{ role: Role }>) : null;

/** The users of whom a group consists, as groups.ts wrote it; null for a proposal of rules. */
const usersOf = ({ kind, shown: json }: ProposedChange): Shown<{ members: string[] }> | null =>
  kind === 'approval_group' ? (json as unknown as Shown<{ members: string[] }>) : null;

export const ApprovalChange = builder.objectRef<ProposedChange>('ApprovalChange').implement({
  description:
    'A proposed version of the approval policy, proposed members of a group, or a proposed role of a member, which a second person confirms with approvalChangeConfirm.',
  fields: (t) => {
    const rules = (side: keyof Shown<unknown>, description: string) =>
      t.field({
        type: [Rule],
        nullable: true,
        description,
        complexity: rulesCost,
        resolve: (change) => rulesOf(change)?.[side] ?? null,
      });
    const role = (side: keyof Shown<unknown>, description: string) =>
      t.field({
        type: RoleEnum,
        nullable: true,
        description,
        resolve: (change) => roleIn(change)?.[side].role ?? null,
      });
    const members = (side: keyof Shown<unknown>, description: string) =>
      t.field({
        type: [Member],
        nullable: true,
        description,
        complexity: 20,
        resolve: async (change, _args, context) => {
          const users = usersOf(change)?.[side].members;
          if (users === undefined) return null;
          const found = await Promise.all(users.map((user) => memberOf(context, user)));
          return found.flatMap((one) => one ?? []);
        },
      });
    return shown(t, {
      id: id('Id of the proposal.'),
      groupId: t.id({
        nullable: true,
        description: 'The group of which it proposes members; null for a version of the policy.',
        resolve: ({ kind, subjectId }) => (kind === 'approval_group' ? subjectId : null),
      }),
      memberId: t.id({
        nullable: true,
        description: 'The member of whom it proposes another role; null otherwise.',
        resolve: ({ kind, subjectId }) => (kind === 'approval_role' ? subjectId : null),
      }),
      member: t.field({
        type: Member,
        nullable: true,
        description: 'The same member, by name.',
        resolve: ({ kind, subjectId }, _args, context) =>
          kind === 'approval_role' ? memberById(context, subjectId) : null,
      }),
      roleBefore: role('before', 'The role of the member; null otherwise.'),
      roleAfter: role('after', 'The proposed role; null otherwise.'),
      rulesBefore: rules('before', 'The rules that hold; null for none, and of a group.'),
      rulesAfter: rules('after', 'The proposed rules; null for none, and of a group.'),
      membersBefore: members('before', 'The members of the group; null of a policy.'),
      membersAfter: members('after', 'The proposed members; null of a policy.'),
      reason: text.orNull('Why it was proposed.'),
      status: stored(ChangeStatusEnum, 'Where it stands.'),
      proposedBy: t.field({
        type: Member,
        nullable: true,
        description: 'Who proposed it. Somebody else confirms it.',
        resolve: ({ proposedBy }, _args, context) => memberOf(context, proposedBy),
      }),
      proposedByYou: t.boolean({
        description: 'Whether the caller did.',
        resolve: ({ proposedBy }, _args, context) => userOf(context.call.scope) === proposedBy,
      }),
      proposedAt: time('When.'),
      expiresAt: time('Until when it can be confirmed.'),
    });
  },
});

export const ApprovalDelegation = builder
  .objectRef<StoredDelegation>('ApprovalDelegation')
  .implement({
    description:
      'For a time one member may approve on behalf of another one, by the groups that this one holds at each decision.',
    fields: (t) =>
      shown(t, {
        id: id('Id of the delegation.'),
        from: t.field({
          type: Member,
          nullable: true,
          description: 'On whose behalf.',
          resolve: ({ fromUser }, _args, context) => memberOf(context, fromUser),
        }),
        to: t.field({
          type: Member,
          nullable: true,
          description: 'Who approves. They have one vote in a payout.',
          resolve: ({ toUser }, _args, context) => memberOf(context, toUser),
        }),
        reason: text('Why.'),
        beginsAt: time('From when.'),
        endsAt: time('Until when.'),
        endedAt: time.orNull('When it was ended before its time; null where it was not.'),
      }),
  });

export const ApprovalPolicy = builder.objectRef<PolicyState>('ApprovalPolicy').implement({
  description: "Who may let money go, in the caller's environment.",
  fields: (t) =>
    shown(t, {
      active: of.orNull(
        PolicyVersion,
        'The version that holds; null while the business never had one. Where its rules are null, everything is as without a policy.',
      ),
      draft: of.orNull(PolicyDraft, 'The draft; null where nobody has begun one.'),
      proposal: of.orNull(ApprovalChange, 'The version that waits for a second person.'),
      groups: listOf(ApprovalGroup, 'The groups, the oldest first. Each role is a group, too.'),
      groupProposals: listOf(ApprovalChange, 'Members of groups that wait for a second person.'),
      roleProposals: listOf(
        ApprovalChange,
        'Other roles of members that wait for a second person, since they would approve payouts with them.',
      ),
      roles: t.field({
        type: [RoleEnum],
        description: 'The roles whose members decide on payouts, each of which is a group.',
        resolve: () => [...decidingRoles],
      }),
      delegations: listOf(
        ApprovalDelegation,
        'Who approves on behalf of whom, now or later; what has ended is left out.',
      ),
    }),
});
