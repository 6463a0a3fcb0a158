import { z } from 'zod';
import { permissions, roles, type Role } from '../../access/roles.ts';
import { text } from '../../values/fields.ts';
import { isId } from '../../values/ids.ts';
import { conditionsInput } from './conditions.ts';

/** Whom a step excludes: their approval does not count in it. */
export const distinctFrom = [
  'creator',
  'payee_editor',
  'account_changer',
  'earlier_approvers',
] as const;
export type Distinct = (typeof distinctFrom)[number];

/** The roles whose members decide on payouts. */
export const decidingRoles: readonly Role[] = permissions['payouts:decide'];

/** What bounds a policy, so that judging a payout takes a known time at most. */
const policyBounds = { rules: 100, steps: 10, groups: 20, approvals: 20 } as const;

const hours = z.int().min(1).max(720);

/** A role, each of which is a group, or the id of a group. */
const groupName = z
  .string()
  .refine((name) => (roles as readonly string[]).includes(name) || isId('approvalGroup', name), {
    message: 'must be a role or the id of a group',
  });

const step = z
  .strictObject({
    approvals: z.int().min(1).max(policyBounds.approvals),
    groups: z.array(groupName).min(1).max(policyBounds.groups),
    distinctFrom: z
      .array(z.enum(distinctFrom))
      .nullish()
      .transform((value) => value ?? []),
    escalateAfterHours: hours.nullish().transform((value) => value ?? null),
    escalateTo: groupName.nullish().transform((value) => value ?? null),
    /** After so many hours without what it lacks the payout goes back to the first step. */
    expiresAfterHours: hours.nullish().transform((value) => value ?? null),
    /** Whether an approval takes the signature of a passkey over what is approved. */
    stepUp: z
      .boolean()
      .nullish()
      .transform((value) => value ?? false),
  })
  .refine((one) => (one.escalateAfterHours === null) === (one.escalateTo === null), {
    path: ['escalateTo'],
    message: 'is given together with escalateAfterHours',
  });
export type Step = z.output<typeof step>;

const common = {
  name: text(120),
  when: conditionsInput,
};

/** What a rule does with a payout for which its conditions hold. */
export const ruleEffects = ['block', 'pass', 'require'] as const;
export type RuleEffect = (typeof ruleEffects)[number];

const rule = z.discriminatedUnion('effect', [
  z.strictObject({ ...common, effect: z.literal('block'), reason: text(500) }),
  z.strictObject({ ...common, effect: z.literal('pass') }),
  z.strictObject({
    ...common,
    effect: z.literal('require'),
    steps: z.array(step).min(1).max(policyBounds.steps),
  }),
]);
export type Rule = z.output<typeof rule>;

/** The rules of a policy as they are given; the place of a rule in the list is its number, from 1. */
export const rulesInput = z.array(rule).max(policyBounds.rules);
export type RulesInput = z.input<typeof rulesInput>;

/** The sums that a policy asks for, each once, as the judge of a payout reads them. */
export function sumsOf(
  rules: readonly Rule[],
): readonly { readonly over: string; readonly hours: number }[] {
  const asked = rules.flatMap(({ when: { sum } }) =>
    sum === undefined ? [] : [{ over: sum.over, hours: sum.hours }],
  );
  return [...new Map(asked.map((one) => [`${one.over} ${one.hours}`, one])).values()];
}

/** The groups that a policy names, roles included. */
export function groupsOf(rules: readonly Rule[]): ReadonlySet<string> {
  const steps = rules.flatMap((one) => (one.effect === 'require' ? one.steps : []));
  return new Set(
    steps.flatMap(({ groups, escalateTo }) =>
      escalateTo === null ? groups : [...groups, escalateTo],
    ),
  );
}
