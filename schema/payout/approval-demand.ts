import type { Demand, DemandObstacle } from '../../src/domain/approval-policy/standing.ts';
import { bool, int, listOf, of, texts, time } from '../../src/values/columns.ts';
import { DistinctEnum } from '../approval/enums.ts';
import { readMembersByUser } from '../../src/domain/access/members-by-id.ts';
import { Member } from '../access/type.ts';
import { builder } from '../builder.ts';
import { describedEnum } from '../common/described-enum.ts';
import { shown } from '../common/fields.ts';
import { loadBy } from '../lists/loader.ts';

const memberOf = loadBy(readMembersByUser, (user) => user);

const ObstacleEnum = describedEnum<DemandObstacle>(
  'ApprovalDemandObstacle',
  "Why the caller's approval would not count for a demand.",
  {
    creator: 'The caller created the payout.',
    payee_editor: 'The caller registered the payee or changed it last.',
    account_changer: 'The caller gave the details of the bank account.',
    earlier_approver: 'The caller approved an earlier step.',
    already_approved: 'The caller has approved already.',
    not_in_group: 'The caller is in none of the groups.',
    not_open: 'It is met, or an earlier step is not.',
  },
);

export const ApprovalDemand = builder.objectRef<Demand>('ApprovalDemand').implement({
  description: 'A demand of the approval policy on a payout, and where it stands.',
  fields: (t) =>
    shown(t, {
      policyVersion: int('The version of the policy that demands it.'),
      rule: int.orNull(
        'The number of the rule; 0 for distinct_approver, null for the one approver who is needed where no rule holds.',
      ),
      step: int('The step, from 1. The steps are in order, those of all rules together.'),
      approvals: int('How many people have to approve.'),
      counted: int('How many approvals count at this moment.'),
      missing: t.int({
        description: 'How many are missing.',
        resolve: ({ approvals, counted }) => Math.max(approvals - counted, 0),
      }),
      groups: texts('Whose members may: roles, and ids of groups.'),
      distinctFrom: listOf(DistinctEnum, 'Whose approval does not count.'),
      stepUp: bool(
        'Whether approving takes the signature of a passkey over what is approved (payoutStepUpBegin).',
      ),
      isOpen: bool('Whether it waits for approvals now.'),
      obstacle: of.orNull(
        ObstacleEnum,
        "Why the caller's approval would not count for it; null where it would.",
      ),
      expiresAt: time.orNull(
        'When the payout goes back to its first step unless the step is fulfilled before; null where it does not.',
      ),
      onBehalfOf: t.field({
        type: Member,
        nullable: true,
        description: 'For whom your approval would count, where not for you (approvalDelegate).',
        resolve: ({ onBehalfOf }, _args, context) =>
          onBehalfOf === null ? null : memberOf(context, onBehalfOf),
      }),
      nobodyCanApprove: t.boolean({
        description: 'Whether too few are left who could give what is missing.',
        resolve: ({ nobody }) => nobody,
      }),
    }),
});
