import type { Band } from '../../src/domain/approval-policy/conditions.ts';
import type { NameCheckResult } from '../../src/providers/name-check.ts';
import type { Rule } from '../../src/domain/approval-policy/rules.ts';

/*
 * What a policy demands, written from the words of the promise and not from the code: all conditions of a rule must
 * hold; all rules that hold add up; a block beats everything; a payout for which no rule holds needs one approver who
 * is not its creator; a currency without a band falls to the strictest. For tests alone, and slow on purpose.
 */

/** What a payout is judged by, as the database is given it. */
export interface Facts {
  readonly amountMinor: number;
  readonly currency: string;
  readonly purpose: string;
  readonly payeeType: 'person' | 'business';
  readonly payeeCountry: string | null;
  readonly payeeSeconds: number;
  readonly accountSeconds: number;
  readonly origin: 'console' | 'api_key' | null;
  readonly provider: string | null;
  readonly nameCheck: NameCheckResult | null;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly sums: Readonly<Record<string, number>>;
}

export interface Demand {
  readonly rule: number | null;
  readonly step: number;
  readonly approvals: number;
  readonly groups: readonly string[];
  readonly distinctFrom: readonly string[];
  readonly escalateAfterHours: number | null;
  readonly escalateTo: string | null;
  readonly stepUp?: boolean;
  readonly expiresAfterHours?: number | null;
}

export interface Verdict {
  readonly effect: 'block' | 'pass' | 'require';
  readonly rules: readonly number[];
  readonly reason?: string;
  readonly demands: readonly Demand[];
}

function inBands(
  bands: readonly Band[],
  currency: string,
  minor: number,
  strict: boolean,
): boolean {
  for (const { currency: of, from, below } of bands) {
    if (of !== currency) continue;
    if (minor < from) return false;
    return below === null || minor < below;
  }
  return strict;
}

const daySeconds = 24 * 60 * 60;

function holds({ when, effect }: Rule, facts: Facts): boolean {
  // What is not known is taken for the stricter case: it does not let a payout pass.
  const strict = effect !== 'pass';
  const oneOf = (values: readonly string[] | undefined, value: string | null): boolean => {
    if (values === undefined) return true;
    return value === null ? strict : values.includes(value);
  };
  const checks = [
    when.amount === undefined || inBands(when.amount, facts.currency, facts.amountMinor, strict),
    when.sum === undefined ||
      inBands(
        when.sum.bands,
        facts.currency,
        facts.sums[`${when.sum.over} ${when.sum.hours}`] ?? Number.NaN,
        strict,
      ),
    oneOf(when.purposes, facts.purpose),
    oneOf(when.payeeTypes, facts.payeeType),
    oneOf(when.payeeCountries, facts.payeeCountry),
    when.payeeNewDays === undefined || facts.payeeSeconds < when.payeeNewDays * daySeconds,
    when.accountNewDays === undefined || facts.accountSeconds < when.accountNewDays * daySeconds,
    oneOf(when.origins, facts.origin),
    oneOf(when.providers, facts.provider),
    oneOf(when.nameChecks, facts.nameCheck),
    when.metadata === undefined ||
      (facts.metadata !== null && facts.metadata[when.metadata.key] === when.metadata.value),
  ];
  return !checks.includes(false);
}

const oneOther = {
  step: 1,
  approvals: 1,
  groups: ['owner', 'admin', 'approver'],
  distinctFrom: ['creator'],
  escalateAfterHours: null,
  escalateTo: null,
};

/** What the rules demand. `distinct`: the business has the switch distinct_approver on, which is its first rule. */
export function referenceVerdict(rules: readonly Rule[], facts: Facts, distinct: boolean): Verdict {
  const held = rules.flatMap((rule, i) => (holds(rule, facts) ? [{ rule, number: i + 1 }] : []));
  const numbers = held.map(({ number }) => number);
  const [block] = held.flatMap(({ rule }) => (rule.effect === 'block' ? [rule] : []));
  if (block !== undefined) {
    return { effect: 'block', rules: numbers, reason: block.reason, demands: [] };
  }
  const demands: Demand[] = distinct ? [{ ...oneOther, rule: 0 }] : [];
  for (const { rule, number } of held) {
    if (rule.effect !== 'require') continue;
    for (const [i, step] of rule.steps.entries()) {
      demands.push({ ...step, step: i + 1, rule: number });
    }
  }
  if (demands.length > 0) {
    demands.sort((a, b) => a.step - b.step || (a.rule ?? 0) - (b.rule ?? 0));
    return { effect: 'require', rules: numbers, demands };
  }
  if (held.length > 0) return { effect: 'pass', rules: numbers, demands: [] };
  return { effect: 'require', rules: [], demands: [{ ...oneOther, rule: null }] };
}
