import { rulesInput, type Rule, type RulesInput } from '../../src/domain/approval-policy/rules.ts';
import { payoutOrigins, sumHours, sumScopes } from '../../src/domain/approval-policy/conditions.ts';
import { nameCheckResults } from '../../src/providers/name-check.ts';
import type { Facts } from './approval-reference.ts';

/** Picks from a source of numbers from 0 up to 1. */
export function pickers(random: () => number) {
  const below = (most: number): number => Math.floor(random() * most);
  const one = <T>(values: readonly T[]): T => {
    const value = values[below(values.length)];
    if (value === undefined) throw new Error('there is nothing to pick from');
    return value;
  };
  const some = <T>(values: readonly T[]): T[] => {
    const chosen = values.filter(() => random() < 0.4);
    return chosen.length === 0 ? [one(values)] : chosen;
  };
  return { below, one, some, maybe: (chance: number) => random() < chance };
}
type Pickers = ReturnType<typeof pickers>;

// Few values, near to each other, so that bounds are met often.
const currencies = ['EUR', 'USD', 'JPY'];
const purposes = ['payroll', 'rent', 'taxes'] as const;
const countries = ['DE', 'FR', 'US'];
const providers = ['simulator', 'bank:one'];
const amounts = [0, 1, 99, 100, 101, 500, 1_000];
const days = [1, 7, 30];
const day = 86_400;

function bands({ some, one, maybe }: Pickers) {
  return some(currencies).map((currency) => {
    const from = one(amounts);
    return { currency, from, below: maybe(0.5) ? from + one([1, 100, 900]) : null };
  });
}

function conditions(pick: Pickers): RulesInput[number]['when'] {
  const { maybe, one, some } = pick;
  const often = 0.25;
  return {
    ...(maybe(often) && { amount: bands(pick) }),
    ...(maybe(often) && {
      sum: { over: one(sumScopes), hours: one(sumHours), bands: bands(pick) },
    }),
    ...(maybe(often) && { purposes: some(purposes) }),
    ...(maybe(often) && { payeeTypes: some(['person', 'business'] as const) }),
    ...(maybe(often) && { payeeCountries: some(countries) }),
    ...(maybe(often) && { payeeNewDays: one(days) }),
    ...(maybe(often) && { accountNewDays: one(days) }),
    ...(maybe(often) && { origins: some(payoutOrigins) }),
    ...(maybe(often) && { providers: some(providers) }),
    ...(maybe(often) && { nameChecks: some(nameCheckResults) }),
    ...(maybe(often) && { metadata: { key: one(['a', 'b']), value: one(['1', '2']) } }),
  };
}

function rule(pick: Pickers): RulesInput[number] {
  const { below, maybe, one, some } = pick;
  const common = { name: 'a rule', when: conditions(pick) };
  switch (one(['block', 'pass', 'pass', 'require', 'require', 'require'] as const)) {
    case 'block':
      return { ...common, effect: 'block', reason: one(['no', 'never', 'ask first']) };
    case 'pass':
      return { ...common, effect: 'pass' };
    case 'require':
      return {
        ...common,
        effect: 'require',
        steps: Array.from({ length: 1 + below(3) }, () => ({
          approvals: 1 + below(3),
          groups: some(['owner', 'admin', 'approver', 'viewer']),
          ...(maybe(0.5) && {
            distinctFrom: some([
              'creator',
              'payee_editor',
              'account_changer',
              'earlier_approvers',
            ] as const),
          }),
          ...(maybe(0.2) && { escalateAfterHours: 24, escalateTo: 'owner' }),
          ...(maybe(0.2) && { stepUp: true }),
          ...(maybe(0.2) && { expiresAfterHours: 48 }),
        })),
      };
  }
}

/** Up to five rules, as the input takes them. */
export function randomRules(pick: Pickers): Rule[] {
  return rulesInput.parse(Array.from({ length: pick.below(6) }, () => rule(pick)));
}

/** A payout, often at the bounds of the rules. */
export function randomFacts({ one, maybe }: Pickers): Facts {
  const sums = sumScopes.flatMap((over) =>
    sumHours.map((hours) => [`${over} ${hours}`, one(amounts)] as const),
  );
  const seconds = () => one(days) * day + one([-1, 0, 1]);
  return {
    amountMinor: one(amounts),
    currency: one(currencies),
    purpose: one(purposes),
    payeeType: one(['person', 'business']),
    payeeCountry: one([...countries, null]),
    payeeSeconds: seconds(),
    accountSeconds: seconds(),
    origin: one([...payoutOrigins, null]),
    provider: one([...providers, null]),
    nameCheck: one([...nameCheckResults, null]),
    metadata: maybe(0.3) ? null : { a: one(['1', '2']), ...(maybe(0.5) && { b: '1' }) },
    sums: Object.fromEntries(sums),
  };
}
