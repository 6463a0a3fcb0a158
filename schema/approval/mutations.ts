import {
  confirmApprovalChange,
  declineApprovalChange,
} from '../../src/domain/approval-policy/confirm.ts';
import { delegateApprovals, endDelegation } from '../../src/domain/approval-policy/delegation.ts';
import { editDraft } from '../../src/domain/approval-policy/draft.ts';
import {
  changeGroup,
  createGroup,
  type ChangedGroup,
} from '../../src/domain/approval-policy/groups.ts';
import { proposePolicy } from '../../src/domain/approval-policy/propose.ts';
import { of } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { RuleInput, toRules } from './rules.ts';
import { ApprovalChange, ApprovalDelegation, ApprovalGroup, PolicyDraft } from './type.ts';

const GroupPayload = builder.objectRef<ChangedGroup>('ApprovalGroupPayload').implement({
  description: 'A group of approvers after a command.',
  fields: (t) =>
    shown(t, {
      group: of(ApprovalGroup, 'The group as it is.'),
      proposal: of.orNull(
        ApprovalChange,
        'The other members, where they wait for a second person because the policy names the group; null otherwise.',
      ),
    }),
});

const told = {
  name: 'Its name; no other group has it.',
  members: 'Ids of memberships.',
  change: 'Id of the proposal.',
};

builder.mutationFields((t) => ({
  approvalPolicyDraftSave: t.field({
    nullable: true,
    type: PolicyDraft,
    description:
      'Replaces the draft of the approval policy, which holds for nothing until it is proposed and confirmed. For owners and admins.',
    args: {
      rules: t.arg({
        type: [RuleInput],
        description: 'Up to 100 rules. Null drafts the end of the policy.',
      }),
      revision: t.arg.int({
        description: 'The revision of the draft that you have seen; null for the first draft.',
      }),
    },
    resolve: (_root, { rules, revision }, { call }) =>
      editDraft(call, {
        rules: rules === null || rules === undefined ? null : toRules(rules),
        revision: revision ?? null,
      }),
  }),
  approvalPolicyPropose: t.field({
    nullable: true,
    type: ApprovalChange,
    description:
      'Proposes the draft as the next version. Another owner confirms it; an admin where there is none; the proposer alone, after 24 hours, where nobody else manages the business. All owners and admins are mailed.',
    args: {
      revision: t.arg.int({ required: true, description: 'The revision of the draft.' }),
      reason: t.arg.string({ description: 'Why.' }),
    },
    resolve: (_root, { revision, reason }, { call }) =>
      proposePolicy(call, { revision, reason: reason ?? null }),
  }),
  approvalGroupCreate: t.field({
    nullable: true,
    type: GroupPayload,
    description: 'Makes a group of approvers. For owners and admins.',
    args: {
      name: t.arg.string({ required: true, description: told.name }),
      members: t.arg.idList({ required: true, description: told.members }),
    },
    resolve: (_root, { name, members }, { call }) =>
      createGroup(call, { name, members: members.map(String) }),
  }),
  approvalGroupChange: t.field({
    nullable: true,
    type: GroupPayload,
    description:
      'Gives a group another name and other members. Where the policy names the group, other members wait for a second person.',
    args: {
      id: t.arg.id({ required: true, description: 'Id of the group.' }),
      name: t.arg.string({ required: true, description: told.name }),
      members: t.arg.idList({ required: true, description: told.members }),
    },
    resolve: (_root, { id, name, members }, { call }) =>
      changeGroup(call, id, { name, members: members.map(String) }),
  }),
  approvalChangeConfirm: t.field({
    nullable: true,
    type: ApprovalChange,
    description: 'Confirms a proposal of somebody else, which holds from then on.',
    args: { id: t.arg.id({ required: true, description: told.change }) },
    resolve: (_root, { id }, { call }) => confirmApprovalChange(call, id),
  }),
  approvalDelegate: t.field({
    nullable: true,
    type: ApprovalDelegation,
    description:
      'Lets another member approve on your behalf for up to 90 days, also what waits already. They have one vote in a payout, do not approve what either of you created, and cannot pass it on. They decide on payouts, and are in a group that the policy names. All owners and admins are mailed.',
    args: {
      to: t.arg.id({ required: true, description: 'Id of the membership of who approves.' }),
      reason: t.arg.string({ required: true, description: 'Why.' }),
      beginsAt: t.arg({ type: 'DateTime', description: 'From when; now where it is absent.' }),
      endsAt: t.arg({ type: 'DateTime', required: true, description: 'Until when.' }),
    },
    resolve: (_root, { to, reason, beginsAt, endsAt }, { call }) =>
      delegateApprovals(call, {
        to,
        reason,
        beginsAt: beginsAt ?? null,
        endsAt,
      }),
  }),
  approvalDelegationEnd: t.field({
    nullable: true,
    type: ApprovalDelegation,
    description: 'Ends a delegation before its time. For both people of it, owners and admins.',
    args: { id: t.arg.id({ required: true, description: 'Id of the delegation.' }) },
    resolve: (_root, { id }, { call }) => endDelegation(call, id),
  }),
  approvalChangeDecline: t.field({
    nullable: true,
    type: ApprovalChange,
    description: 'Declines a proposal, or takes back your own.',
    args: { id: t.arg.id({ required: true, description: told.change }) },
    resolve: (_root, { id }, { call }) => declineApprovalChange(call, id),
  }),
}));
