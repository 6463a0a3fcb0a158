import {
  tryOnePayout,
  tryRules,
  trialBounds,
  type Trial,
  type TriedOne,
  type TriedPayout,
} from '../../src/domain/payout/approval-trial.ts';
import type { AskedOf } from '../../src/domain/approval-policy/capacity.ts';
import { readMembersByUser } from '../../src/domain/access/members-by-id.ts';
import { readPayouts } from '../../src/domain/payout/read.ts';
import type { Call } from '../../src/process/services.ts';
import { float, id, int, of, text, texts } from '../../src/values/columns.ts';
import { Member } from '../access/type.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { loadBy } from '../lists/loader.ts';
import { Payout } from './type.ts';
import { RuleEffectEnum } from '../approval/enums.ts';
import { RuleInput, toRules } from '../approval/rules.ts';

const memberOf = loadBy(readMembersByUser, (user) => user);
const payoutOf = loadBy(
  async (call: Call, ids: readonly string[]) => {
    const found = await readPayouts(call, ids);
    return ids.map((one) => found.get(one) ?? null);
  },
  (payout) => payout,
);

const Count = builder.objectRef<readonly [number, number]>('ApprovalTrialCount').implement({
  description: 'How many payouts need how many approvals.',
  fields: (t) => ({
    approvals: t.int({ description: 'Approvals.', resolve: ([approvals]) => approvals }),
    payouts: t.int({ description: 'Payouts that need them.', resolve: ([, payouts]) => payouts }),
  }),
});

const Share = builder.objectRef<readonly [string, number]>('ApprovalTrialShare').implement({
  description: 'How many payouts a member could have decided on.',
  fields: (t) => ({
    member: t.field({
      type: Member,
      nullable: true,
      description: 'The member.',
      resolve: ([user], _args, context) => memberOf(context, user),
    }),
    payouts: t.int({ description: 'Payouts.', resolve: ([, payouts]) => payouts }),
  }),
});

const Tried = builder.objectRef<TriedPayout>('ApprovalTrialPayout').implement({
  description: 'A payout of the past under the rules that are tried.',
  fields: (t) =>
    shown(t, {
      id: id('Id of the payout.'),
      payout: t.field({
        type: Payout,
        nullable: true,
        description: 'The payout as it is.',
        resolve: ({ id: payout }, _args, context) => payoutOf(context, payout),
      }),
      effect: of(RuleEffectEnum, 'What the rules do with it.'),
      rules: t.intList({
        description: 'The numbers of the rules that hold, from 1.',
        resolve: ({ rules }) => [...rules],
      }),
      approvals: int('How many approvals it needs.'),
      nobodyCanApprove: t.boolean({
        description: 'Whether nobody could approve it with the groups of today.',
        resolve: ({ nobody }) => nobody,
      }),
    }),
});

const ApprovalTrial = builder.objectRef<Trial>('ApprovalTrial').implement({
  description: `What rules would have demanded of a page of the payouts of the last ${trialBounds.days} days. The figures of all pages add up.`,
  fields: (t) =>
    shown(t, {
      examined: int('The payouts that were judged.'),
      passed: int('Those that the rules let pass.'),
      blocked: int('Those that they block.'),
      nobodyCanApprove: t.int({
        description: 'Those that nobody could have approved with the groups of today.',
        resolve: ({ nobody }) => nobody,
      }),
      byApprovals: t.field({
        type: [Count],
        description: 'Of the others, how many need how many approvals; the fewest first.',
        resolve: ({ byApprovals }) => [...byApprovals].toSorted(([a], [b]) => a - b),
      }),
      people: t.field({
        type: [Share],
        description: 'How many each member could have decided on; the most first.',
        complexity: 20,
        resolve: ({ byPerson }) => [...byPerson].toSorted(([, a], [, b]) => b - a).slice(0, 50),
      }),
      steps: int('The steps of all of them together, one after another.'),
      hoursPerStep: float.orNull(
        'The median hours from the creation of a payout to its approval, of the latest 2,000 approvals; null without one.',
      ),
      hours: t.float({
        nullable: true,
        description: 'What the steps would have cost in hours by that.',
        resolve: ({ steps, hoursPerStep }) => (hoursPerStep === null ? null : steps * hoursPerStep),
      }),
      payouts: t.field({
        type: [Tried],
        description: `Up to ${trialBounds.shown} to look into: first those that nobody could approve, then blocked ones, then those that need most approvals.`,
        complexity: 20,
        resolve: ({ payouts }) => [...payouts],
      }),
      next: text.orNull('What the next page begins after; null at the end.'),
    }),
});

const TriedDemand = builder.objectRef<AskedOf>('ApprovalTrialDemand').implement({
  description: 'A demand of rules that are tried.',
  fields: (t) =>
    shown(t, {
      rule: int.orNull('The number of the rule; 0 for distinct_approver, null where none holds.'),
      step: int('The step, from 1.'),
      approvals: int('How many people have to approve.'),
      groups: texts('Whose members may: roles, and ids of groups.'),
    }),
});

const TriedPayoutInput = builder.inputType('ApprovalTrialPayoutInput', {
  description: 'A payout as the caller would create it now.',
  fields: (t) => ({
    beneficiaryId: t.id({ required: true, description: 'The payee.' }),
    bankAccountId: t.id({ required: true, description: 'A bank account of the payee.' }),
    amountMinor: t.field({ type: 'MinorUnits', required: true, description: 'In minor units.' }),
    currency: t.string({ required: true, description: 'ISO 4217.' }),
    purposeOfPayment: t.string({ required: true, description: 'Why the money is paid.' }),
    metadata: t.field({ type: 'JSON', description: 'Keys and values.' }),
  }),
});

const One = builder.objectRef<TriedOne>('ApprovalTrialOne').implement({
  description: 'What rules would demand of one payout.',
  fields: (t) =>
    shown(t, {
      effect: of(RuleEffectEnum, 'What they do with it.'),
      reason: t.string({
        nullable: true,
        description: 'Why it is blocked; null where it is not.',
        resolve: ({ reason }) => reason ?? null,
      }),
      rules: t.intList({
        description: 'The numbers of the rules that hold, from 1.',
        resolve: ({ rules }) => [...rules],
      }),
      demands: t.field({
        type: [TriedDemand],
        description: 'In the order of the steps.',
        resolve: ({ demands }) => [...demands],
      }),
      nobodyCanApprove: t.boolean({
        description: 'Whether nobody could approve it with the groups of today.',
        resolve: ({ nobody }) => nobody,
      }),
    }),
});

const rulesTold =
  'The rules to try; where they are absent those of the draft, or without one those that hold.';

builder.queryFields((t) => ({
  approvalPolicyTrial: t.field({
    type: ApprovalTrial,
    nullable: true,
    description: `Tries rules on ${trialBounds.payouts.toLocaleString('en')} payouts of the last ${trialBounds.days} days, the oldest first. It judges as the creation of a payout does, and changes nothing. For owners and admins.`,
    args: {
      rules: t.arg({ type: [RuleInput], description: rulesTold }),
      after: t.arg.string({ description: 'The next of the page before.' }),
    },
    complexity: 1_000,
    resolve: (_root, { rules, after }, { call }) =>
      tryRules(call, { rules: rules ? toRules(rules) : null, after: after ?? null }),
  }),
  approvalPolicyTrialOne: t.field({
    type: One,
    nullable: true,
    description: 'Tries rules on one payout that nobody has created. For owners and admins.',
    args: {
      rules: t.arg({ type: [RuleInput], description: rulesTold }),
      payout: t.arg({ type: TriedPayoutInput, required: true, description: 'The payout.' }),
    },
    complexity: 100,
    resolve: (_root, { rules, payout }, { call }) =>
      tryOnePayout(call, {
        rules: rules ? toRules(rules) : null,
        payout: {
          ...payout,
          amountMinor: BigInt(payout.amountMinor),
          metadata: payout.metadata ?? null,
        },
      }),
  }),
}));
