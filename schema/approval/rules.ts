import type {
  Rule as PolicyRule,
  RulesInput,
  Step as RuleStep,
} from '../../src/domain/approval-policy/rules.ts';
import { int, listOf, of, text, texts } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { Conditions, ConditionsInput } from './conditions.ts';
import { DistinctEnum, RuleEffectEnum } from './enums.ts';

const told = {
  approvals: 'How many members of the groups have to approve.',
  groups: 'Roles, each of which is a group, and ids of groups (approvalPolicy { groups }).',
  distinctFrom: 'Whose approval does not count.',
  escalateAfterHours: 'Hours after which the members of escalateTo may approve, too.',
  escalateTo: 'The group to which it escalates.',
  expiresAfterHours:
    'Hours after which the payout goes back to its first step where this one is not fulfilled. Approvals before count no more; it is not rejected.',
  stepUp:
    'Whether approving takes the signature of a passkey over what is approved (payoutStepUpBegin). An API key cannot give it.',
  name: 'What people call the rule.',
  when: 'When it holds.',
  effect: 'What it does then.',
  reason: 'Why it blocks; of a rule that does.',
  steps: 'In order; of a rule that requires approvals.',
};

const StepInput = builder.inputType('ApprovalStepInput', {
  description: 'A step of approvals.',
  fields: (t) => ({
    approvals: t.int({ required: true, description: told.approvals }),
    groups: t.stringList({ required: true, description: told.groups }),
    distinctFrom: t.field({ type: [DistinctEnum], description: told.distinctFrom }),
    escalateAfterHours: t.int({ description: told.escalateAfterHours }),
    escalateTo: t.string({ description: told.escalateTo }),
    expiresAfterHours: t.int({ description: told.expiresAfterHours }),
    stepUp: t.boolean({ description: told.stepUp }),
  }),
});

export const RuleInput = builder.inputType('ApprovalRuleInput', {
  description: 'A rule of an approval policy. All rules that hold for a payout add up.',
  fields: (t) => ({
    name: t.string({ required: true, description: told.name }),
    when: t.field({ type: ConditionsInput, description: told.when }),
    effect: t.field({ type: RuleEffectEnum, required: true, description: told.effect }),
    reason: t.string({ description: told.reason }),
    steps: t.field({ type: [StepInput], description: told.steps }),
  }),
});
type Given = typeof RuleInput.$inferInput;

/** Rules as the command takes them, which says what is wrong with them. */
export function toRules(rules: readonly Given[]): RulesInput {
  const given = rules.map(({ when, reason, steps, ...rule }) => ({
    ...rule,
    when: when ?? {},
    ...(reason !== null && reason !== undefined && { reason }),
    ...(steps !== null && steps !== undefined && { steps }),
  }));
  // The command parses it: GraphQL's type has texts where a rule has names.
  return given as unknown as RulesInput;
}

const Step = builder.objectRef<RuleStep>('ApprovalStep').implement({
  description: 'A step of approvals.',
  fields: (t) =>
    shown(t, {
      approvals: int(told.approvals),
      groups: texts(told.groups),
      distinctFrom: listOf(DistinctEnum, told.distinctFrom),
      escalateAfterHours: int.orNull(told.escalateAfterHours),
      escalateTo: text.orNull(told.escalateTo),
      // A version of before steps could expire says nothing of it.
      expiresAfterHours: t.int({
        nullable: true,
        description: told.expiresAfterHours,
        resolve: (step) => (step as Partial<RuleStep>).expiresAfterHours ?? null,
      }),
      // A version of before steps could ask for it says nothing of it.
      stepUp: t.boolean({
        description: told.stepUp,
        resolve: (step) => (step as Partial<RuleStep>).stepUp ?? false,
      }),
    }),
});

export const Rule = builder.objectRef<PolicyRule>('ApprovalRule').implement({
  description: 'A rule of an approval policy. All rules that hold for a payout add up.',
  fields: (t) =>
    shown(t, {
      name: text(told.name),
      when: of(Conditions, told.when),
      effect: of(RuleEffectEnum, told.effect),
      reason: t.string({
        nullable: true,
        description: told.reason,
        resolve: (rule) => (rule.effect === 'block' ? rule.reason : null),
      }),
      steps: t.field({
        type: [Step],
        nullable: true,
        description: told.steps,
        resolve: (rule) => (rule.effect === 'require' ? rule.steps : null),
      }),
    }),
});
