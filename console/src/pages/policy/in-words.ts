import { listed, listedWithOr, texts } from '../../texts/texts.ts';
import { amountText } from '../../values/money.ts';
import { countryName } from '../../values/places.ts';
import { purposeWords } from '../../values/purpose-words.ts';
import type { Band, Conditions, GroupNames, Rule, Step } from './policy.ts';

const words = texts.policy.says;

function bandText({ currency, from, below }: Band): string {
  const least = amountText(from, currency);
  if (below === null) return from === '0' ? words.any({ currency }) : words.from({ least });
  const limit = amountText(below, currency);
  return from === '0' ? words.below({ limit }) : words.between({ least, limit });
}

const bandsText = (bands: readonly Band[]): string => listedWithOr(bands.map(bandText));

/** Each condition of a rule in words; none for a rule that holds for every payout. */
function conditionTexts(when: Conditions): string[] {
  const { amount, sum, purposes, payeeTypes, payeeCountries, payeeNewDays } = when;
  const { accountNewDays, origins, providers, nameChecks, metadata } = when;
  const said: readonly (string | null)[] = [
    amount && words.amount({ bands: bandsText(amount) }),
    sum &&
      words.sum({
        what: words.over[sum.over],
        time: words.hours({ count: sum.hours }),
        bands: bandsText(sum.bands),
      }),
    purposes && words.purposes({ list: listedWithOr(purposes.map(purposeWords)) }),
    payeeTypes &&
      words.payeeTypes({ list: listedWithOr(payeeTypes.map((type) => words.type[type])) }),
    payeeCountries && words.payeeCountries({ list: listedWithOr(payeeCountries.map(countryName)) }),
    payeeNewDays === null ? null : words.payeeNew({ count: payeeNewDays }),
    accountNewDays === null ? null : words.accountNew({ count: accountNewDays }),
    origins && words.origins({ list: listedWithOr(origins.map((one) => words.origin[one])) }),
    providers && words.providers({ list: listedWithOr(providers) }),
    nameChecks &&
      words.nameChecks({
        list: listedWithOr(nameChecks.map((one) => words.nameCheck[one])),
      }),
    metadata && words.metadata(metadata),
  ];
  return said.filter((text) => text !== null);
}

/** A step in words: how many approvals, of whom, and of whom not. */
function stepText(step: Step, nameOf: GroupNames): string {
  const { approvals: count, groups, distinctFrom, stepUp, escalateAfterHours, escalateTo } = step;
  const { expiresAfterHours } = step;
  const said = [words.step({ count, groups: listedWithOr(groups.map(nameOf)) })];
  if (distinctFrom.length > 0) {
    said.push(words.notBy({ list: listed(distinctFrom.map((one) => words.distinct[one])) }));
  }
  if (stepUp) said.push(words.stepUp);
  if (escalateTo !== null && escalateAfterHours !== null) {
    said.push(words.escalates({ count: escalateAfterHours, group: nameOf(escalateTo) }));
  }
  if (expiresAfterHours !== null) said.push(words.expires({ count: expiresAfterHours }));
  return said.join(', ');
}

/** What a rule does, in words. */
function effectText({ effect, reason, steps }: Rule, nameOf: GroupNames): string {
  if (effect === 'block') return words.block({ reason: reason ?? '' });
  if (effect === 'pass') return words.pass;
  return (steps ?? []).map((step) => stepText(step, nameOf)).join(words.then);
}

/** A rule as a sentence. */
export function ruleText(rule: Rule, nameOf: GroupNames): string {
  const conditions = conditionTexts(rule.when);
  const effect = effectText(rule, nameOf);
  return conditions.length === 0
    ? words.always({ effect })
    : words.when({ conditions: listed(conditions), effect });
}

/** What one rule is before and after a change; null where it is not there. */
export interface RuleDifference {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * What differs between two lists of rules, each rule by its name: what is added, gone or another one, in the later
 * order. Rules of one name are compared in their order.
 */
export function differenceOf(
  before: readonly Rule[],
  after: readonly Rule[],
  nameOf: GroupNames,
): RuleDifference[] {
  const left = before.map((rule) => ({ name: rule.name, text: ruleText(rule, nameOf) }));
  const found: RuleDifference[] = [];
  for (const rule of after) {
    const text = ruleText(rule, nameOf);
    const at = left.findIndex(({ name }) => name === rule.name);
    const [was] = at === -1 ? [] : left.splice(at, 1);
    if (was?.text !== text) found.push({ name: rule.name, before: was?.text ?? null, after: text });
  }
  const gone = left.map(({ name, text }) => ({ name, before: text, after: null }));
  return [...found, ...gone];
}
