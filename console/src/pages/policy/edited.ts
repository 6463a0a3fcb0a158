import type { PolicyDraftSaveMutationVariables } from '../../../../generated/console-types/graphql.ts';
import { texts } from '../../texts/texts.ts';
import { amountParts, minorOf } from '../../values/money.ts';
import type { Band, ConditionName, Conditions, Rule, Step } from './policy.ts';

const words = texts.policy;

/** A band as somebody types it. An empty bound is none. */
export interface EditedBand {
  readonly currency: string;
  readonly from: string;
  readonly below: string;
}

/** A step as somebody fills it in. */
export interface EditedStep {
  readonly approvals: string;
  readonly groups: readonly string[];
  readonly distinctFrom: Step['distinctFrom'];
  readonly stepUp: boolean;
  readonly escalateAfterHours: string;
  readonly escalateTo: string;
  /** Empty for a step that does not expire. */
  readonly expiresAfterHours: string;
}

type Sum = NonNullable<Conditions['sum']>;

/** What each condition is while somebody edits it. */
export interface EditedConditions {
  readonly amount?: readonly EditedBand[];
  readonly sum?: {
    readonly over: Sum['over'];
    readonly hours: number;
    readonly bands: readonly EditedBand[];
  };
  readonly purposes?: readonly string[];
  readonly payeeTypes?: NonNullable<Conditions['payeeTypes']>;
  readonly payeeCountries?: readonly string[];
  readonly payeeNewDays?: string;
  readonly accountNewDays?: string;
  readonly origins?: NonNullable<Conditions['origins']>;
  readonly providers?: string;
  readonly nameChecks?: NonNullable<Conditions['nameChecks']>;
  readonly metadata?: { readonly key: string; readonly value: string };
}

/** A rule while somebody edits it. */
export interface EditedRule {
  /** What tells it from the others on the page. */
  readonly key: number;
  readonly name: string;
  readonly effect: Rule['effect'];
  readonly reason: string;
  readonly when: EditedConditions;
  readonly steps: readonly EditedStep[];
}

export type RuleInput = NonNullable<
  Extract<PolicyDraftSaveMutationVariables['rules'], readonly unknown[]>
>[number];

let keys = 0;

export const newBand = (): EditedBand => ({ currency: 'EUR', from: '', below: '' });

export const newStep = (): EditedStep => ({
  approvals: '1',
  groups: ['approver'],
  distinctFrom: ['creator'],
  stepUp: false,
  escalateAfterHours: '',
  escalateTo: '',
  expiresAfterHours: '',
});

export function newRule(): EditedRule {
  keys += 1;
  return { key: keys, name: '', effect: 'require', reason: '', when: {}, steps: [newStep()] };
}

/** What a condition is when it is added. */
export const newConditions: Readonly<Required<EditedConditions>> = {
  amount: [newBand()],
  sum: { over: 'payee', hours: 24, bands: [newBand()] },
  purposes: [],
  payeeTypes: ['person'],
  payeeCountries: [],
  payeeNewDays: '7',
  accountNewDays: '7',
  origins: ['api_key'],
  providers: '',
  nameChecks: ['no_match'],
  metadata: { key: '', value: '' },
};

/** The conditions that a rule can have, in the order in which they are offered. */
export const conditionNames = Object.keys(newConditions) as readonly ConditionName[];

const typed = (minor: string | null, currency: string): string => {
  if (minor === null) return '';
  const { whole, fraction } = amountParts(minor, currency);
  return whole + fraction;
};

const editedBands = (bands: readonly Band[]): EditedBand[] =>
  bands.map(({ currency, from, below }) => ({
    currency,
    from: from === '0' ? '' : typed(from, currency),
    below: typed(below, currency),
  }));

/** A rule as it is edited from how it stands. */
export function editedOf({ name, effect, reason, when, steps }: Rule): EditedRule {
  const { amount, sum, purposes, payeeTypes, payeeCountries, origins, providers, metadata } = when;
  const { payeeNewDays, accountNewDays, nameChecks } = when;
  keys += 1;
  return {
    key: keys,
    name,
    effect,
    reason: reason ?? '',
    when: {
      ...(amount && { amount: editedBands(amount) }),
      ...(sum && { sum: { over: sum.over, hours: sum.hours, bands: editedBands(sum.bands) } }),
      ...(purposes && { purposes }),
      ...(payeeTypes && { payeeTypes }),
      ...(payeeCountries && { payeeCountries }),
      ...(payeeNewDays !== null && { payeeNewDays: String(payeeNewDays) }),
      ...(accountNewDays !== null && { accountNewDays: String(accountNewDays) }),
      ...(origins && { origins }),
      ...(providers && { providers: providers.join(', ') }),
      ...(nameChecks && { nameChecks }),
      ...(metadata && { metadata: { key: metadata.key, value: metadata.value } }),
    },
    steps: (steps ?? []).map((step) => ({
      approvals: String(step.approvals),
      groups: step.groups,
      distinctFrom: step.distinctFrom,
      stepUp: step.stepUp,
      escalateAfterHours: step.escalateAfterHours === null ? '' : String(step.escalateAfterHours),
      escalateTo: step.escalateTo ?? '',
      expiresAfterHours: step.expiresAfterHours === null ? '' : String(step.expiresAfterHours),
    })),
  };
}

/** Thrown for what is typed and no rule can hold; its message is for who typed it. */
export class Unreadable extends Error {}

/** Minor units of what is typed; null where nothing is. */
function minorIn(text: string, currency: string): string | null {
  if (text.trim() === '') return null;
  const minor = minorOf(text, currency);
  if (minor === null) throw new Unreadable(words.faults.amount({ text, currency }));
  return String(minor);
}

/** A whole number that is typed. */
function wholeIn(text: string): number {
  const digits = /^\d{1,4}$/.exec(text.trim());
  if (digits === null) throw new Unreadable(words.faults.number({ text }));
  return Number(digits[0]);
}

const bandsIn = (bands: readonly EditedBand[]) =>
  bands.map(({ currency, from, below }) => ({
    currency,
    from: minorIn(from, currency) ?? '0',
    below: minorIn(below, currency),
  }));

function conditionsIn(when: EditedConditions): RuleInput['when'] {
  const { amount, sum, providers, payeeNewDays, accountNewDays, ...asTheyAre } = when;
  return {
    ...asTheyAre,
    ...(amount && { amount: bandsIn(amount) }),
    ...(sum && { sum: { ...sum, bands: bandsIn(sum.bands) } }),
    ...(providers !== undefined && {
      providers: providers.split(',').flatMap((one) => (one.trim() === '' ? [] : [one.trim()])),
    }),
    ...(payeeNewDays !== undefined && { payeeNewDays: wholeIn(payeeNewDays) }),
    ...(accountNewDays !== undefined && { accountNewDays: wholeIn(accountNewDays) }),
  };
}

/** The rule as the service takes it. Throws `Unreadable` for what is no number or amount. */
function inputOf({ name, effect, reason, when, steps }: EditedRule): RuleInput {
  return {
    name: name.trim(),
    effect,
    when: conditionsIn(when),
    ...(effect === 'block' && { reason: reason.trim() }),
    ...(effect === 'require' && {
      steps: steps.map((step) => ({
        approvals: wholeIn(step.approvals),
        groups: step.groups,
        distinctFrom: step.distinctFrom,
        stepUp: step.stepUp,
        ...(step.escalateTo !== '' && {
          escalateAfterHours: wholeIn(step.escalateAfterHours),
          escalateTo: step.escalateTo,
        }),
        ...(step.expiresAfterHours.trim() !== '' && {
          expiresAfterHours: wholeIn(step.expiresAfterHours),
        }),
      })),
    }),
  };
}

/** The rules as the service takes them, or what is wrong with one of them. */
export function readRules(rules: readonly EditedRule[]): RuleInput[] | string {
  const read: RuleInput[] = [];
  for (const [index, rule] of rules.entries()) {
    try {
      read.push(inputOf(rule));
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      return words.faults.rule({ number: index + 1, fault: error.message });
    }
  }
  return read;
}
