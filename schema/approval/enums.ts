import type { SumScope, payoutOrigins } from '../../src/domain/approval-policy/conditions.ts';
import type { Distinct, RuleEffect } from '../../src/domain/approval-policy/rules.ts';
import { describedEnum } from '../common/described-enum.ts';

export const SumScopeEnum = describedEnum<SumScope>(
  'ApprovalSumScope',
  'Whose payouts a sum adds up.',
  {
    payee: 'Those to the payee.',
    creator: 'Those that the same person has created, with whatever key or session.',
    business: 'All of the business, in the environment.',
  },
);

export const OriginEnum = describedEnum<(typeof payoutOrigins)[number]>(
  'PayoutOrigin',
  'With what a payout is created.',
  {
    console: 'By a person who is signed in.',
    api_key: 'With an API key.',
  },
);

export const DistinctEnum = describedEnum<Distinct>(
  'ApprovalDistinct',
  'Whose approval does not count for a step.',
  {
    creator: "The payout's creator's.",
    payee_editor: 'That of the member who registered the payee or changed it last.',
    account_changer: "That of the member who gave the bank account's details.",
    earlier_approvers: 'That of whoever approved an earlier step.',
  },
);

export const RuleEffectEnum = describedEnum<RuleEffect>(
  'ApprovalRuleEffect',
  'What a rule does with a payout for which its conditions hold.',
  {
    block: 'The payout is refused with the reason of the rule, whatever other rules say.',
    pass: 'The rule demands no approval. Where no other rule does, the payout is approved by the policy.',
    require: 'The steps of the rule have to be fulfilled, besides those of other rules.',
  },
);
