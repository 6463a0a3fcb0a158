import { z } from 'zod';
import { named } from '../../db/named.ts';
import { firstRow } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { isPurposeOfPayment } from '../../reference/purposes.ts';
import { knownCurrency, metadata, text } from '../../values/fields.ts';
import { isId } from '../../values/ids.ts';
import { parseInput } from '../../values/validate.ts';
import { requireManager } from '../access/authority.ts';
import { judgeRoutes, usualProvider } from './route-verdict.ts';
import {
  candidatesOf,
  isBeyondAll,
  type AskedOf,
  type Makers,
} from '../approval-policy/capacity.ts';
import { tryPayout, tryPolicy } from '../approval-policy/commands.gen.ts';
import {
  rulesInput,
  sumsOf,
  type Rule,
  type RuleEffect,
  type RulesInput,
} from '../approval-policy/rules.ts';
import { decidersBy } from '../approval-policy/standing.ts';
import { findDraft, findPolicy, rulesIn } from '../approval-policy/store.ts';

/** How far back a draft is tried, how many payouts one call judges, and how many of them it shows. */
export const trialBounds = { days: 90, payouts: 2_000, shown: 20 } as const;

/** What the rules demand of one payout. */
export interface Verdict {
  readonly effect: RuleEffect;
  readonly rules: readonly number[];
  readonly reason?: string | null;
  readonly demands: readonly AskedOf[];
}

/** A payout of the past and what the rules would have demanded of it. */
export interface TriedPayout {
  readonly id: string;
  readonly effect: RuleEffect;
  readonly rules: readonly number[];
  readonly approvals: number;
  readonly nobody: boolean;
}

/** What came of trying rules on a page of the past. */
export interface Trial {
  readonly examined: number;
  readonly passed: number;
  readonly blocked: number;
  readonly nobody: number;
  /** How many payouts need how many approvals, without those that pass or are blocked. */
  readonly byApprovals: ReadonlyMap<number, number>;
  /** How many payouts each user could have decided on. */
  readonly byPerson: ReadonlyMap<string, number>;
  /** The steps of all payouts together. */
  readonly steps: number;
  /** The hours from the creation of a payout to its decision, of the latest decisions; null without one. */
  readonly hoursPerStep: number | null;
  /** Those to look into: that nobody could have approved, that are blocked, and that need most approvals. */
  readonly payouts: readonly TriedPayout[];
  /** The id after which the next page begins; null at the end. */
  readonly next: string | null;
}

const realHours = named(
  'hours_to_decisions',
  ['tenant', 'since'],
  `
    SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM l.submitted_at - p.created_at) / 3600)::float8 AS hours
    FROM (
      SELECT d.payout_id, d.submitted_at FROM payout_decision d
      WHERE d.tenant_id = @tenant AND d.submitted_at >= @since AND d.status = 'approved'
        AND d.submitted_by ->> 'type' = 'member'
      ORDER BY d.id DESC LIMIT 2000
    ) l JOIN payout p ON p.tenant_id = @tenant AND p.id = l.payout_id`,
);

/** The rules that are tried: those that are given, of the draft, or those that hold; none where there is neither. */
async function rulesToTry(call: Call, given: RulesInput | null): Promise<readonly Rule[]> {
  if (given !== null) return parseInput(rulesInput, given);
  const { pool } = call.services;
  const found = (await findDraft(pool, call.scope)) ?? (await findPolicy(pool, call.scope));
  return (found === null ? null : rulesIn(found)) ?? [];
}

/** Older rules, and the one approver of those that match none, say nothing of an escalation. */
const demandsIn = (verdict: unknown): Verdict => {
  const { demands, ...rest } = verdict as Verdict;
  return {
    ...rest,
    demands: demands.map((one) => ({ ...one, escalateTo: one.escalateTo ?? null })),
  };
};

const approvalsOf = ({ demands }: Verdict): number =>
  demands.reduce((sum, { approvals }) => sum + approvals, 0);

function add<Key>(counts: Map<Key, number>, key: Key, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

interface Judged extends Makers {
  readonly verdict: Verdict;
  readonly payouts: number;
  readonly sample: readonly string[];
}

/** The people who may approve by each group that the verdicts name. */
function peopleFor(call: Call, verdicts: readonly Verdict[]) {
  const groups = verdicts.flatMap(({ demands }) =>
    demands.flatMap(({ groups: asked, escalateTo }) =>
      escalateTo === null ? asked : [...asked, escalateTo],
    ),
  );
  return decidersBy(call, new Set(groups));
}

const weight = ({ nobody, effect, approvals }: TriedPayout): number =>
  (nobody ? 10_000 : 0) + (effect === 'block' ? 1_000 : 0) + approvals;

async function countUp(
  call: Call,
  judged: readonly Judged[],
): Promise<Omit<Trial, 'hoursPerStep' | 'next'>> {
  const peopleOf = await peopleFor(
    call,
    judged.map(({ verdict }) => verdict),
  );
  const counts = { examined: 0, passed: 0, blocked: 0, nobody: 0, steps: 0 };
  const byApprovals = new Map<number, number>();
  const byPerson = new Map<string, number>();
  const tried: TriedPayout[] = [];
  for (const { verdict, payouts, sample, ...makers } of judged) {
    const { effect, rules, demands } = verdict;
    const candidates = candidatesOf(demands, makers, peopleOf);
    const nobody = effect === 'require' && isBeyondAll(demands, candidates);
    const approvals = approvalsOf(verdict);
    counts.examined += payouts;
    counts.passed += effect === 'pass' ? payouts : 0;
    counts.blocked += effect === 'block' ? payouts : 0;
    counts.nobody += nobody ? payouts : 0;
    counts.steps += payouts * new Set(demands.map(({ step }) => step)).size;
    if (effect === 'require') add(byApprovals, approvals, payouts);
    for (const person of new Set(candidates.flatMap((people) => [...people]))) {
      add(byPerson, person, payouts);
    }
    tried.push(...sample.map((id) => ({ id, effect, rules, approvals, nobody })));
  }
  const shown = tried.toSorted((a, b) => weight(b) - weight(a)).slice(0, trialBounds.shown);
  return { ...counts, byApprovals, byPerson, payouts: shown };
}

/**
 * Tries rules on the payouts of the last 90 days, a page at a time from the oldest on: what they would have demanded, by the
 * functions that judge a payout at its creation, and who could have met it with the groups of today. It writes and locks
 * nothing. For owners and admins. Throws forbidden and validation_failed.
 * @param rules null for the draft, or where there is none what holds
 * @param after the `next` of the page before; null for the first one
 */
export async function tryRules(
  call: Call,
  { rules: given, after }: { readonly rules: RulesInput | null; readonly after: string | null },
): Promise<Trial> {
  const { scope, services } = call;
  requireManager(scope);
  const rules = await rulesToTry(call, given);
  const since = new Date(Date.now() - trialBounds.days * 86_400_000);
  const found = await tryPolicy(services.pool, scope.tenantId, {
    business: scope.businessId,
    rules,
    sums: sumsOf(rules),
    since,
    after: after !== null && isId('payout', after) ? after : null,
    take: trialBounds.payouts,
    provider: usualProvider(call),
  });
  const judged = found.map((row) => ({ ...row, verdict: demandsIn(row.verdict) }));
  const [counted, hours] = await Promise.all([
    countUp(call, judged),
    firstRow<{ hours: number | null }>(
      services.pool,
      realHours,
      realHours.of({ tenant: scope.tenantId, since }),
    ),
  ]);
  const isLast = counted.examined < trialBounds.payouts;
  const next = isLast ? null : (found[0]?.lastId ?? null);
  return { ...counted, hoursPerStep: hours?.hours ?? null, next };
}

const oneInput = z.strictObject({
  beneficiaryId: text(),
  bankAccountId: text(),
  amountMinor: z
    .bigint()
    .min(1n)
    .max(2n ** 53n),
  currency: knownCurrency,
  purposeOfPayment: text(64).refine(isPurposeOfPayment, { message: 'is no purpose of payment' }),
  metadata: metadata.nullish().transform((value) => value ?? null),
});
export type TriedInput = z.input<typeof oneInput>;

/** What rules would demand of a payout that the caller would create now, and whether anybody could meet it. */
export interface TriedOne extends Verdict {
  readonly nobody: boolean;
}

/**
 * Tries rules on one payout that is typed in, as if the caller created it now. Throws as `tryRules`, and not_found for an
 * unknown payee or an account that is not theirs.
 */
export async function tryOnePayout(
  call: Call,
  { rules: given, payout }: { readonly rules: RulesInput | null; readonly payout: TriedInput },
): Promise<TriedOne> {
  const { scope, services } = call;
  const actor = requireManager(scope);
  const rules = await rulesToTry(call, given);
  const { beneficiaryId, bankAccountId, ...input } = parseInput(oneInput, payout);
  const known = isId('beneficiary', beneficiaryId) && isId('bankAccount', bankAccountId);
  const [route] = known
    ? await judgeRoutes(call, [{ beneficiaryId, bankAccountId, ...input }])
    : [undefined];
  const [found] = await tryPayout(services.pool, scope.tenantId, {
    business: scope.businessId,
    rules,
    sums: sumsOf(rules),
    beneficiary: beneficiaryId,
    account: bankAccountId,
    amountMinor: input.amountMinor,
    currency: input.currency,
    purpose: input.purposeOfPayment,
    metadata: input.metadata,
    actor,
    provider: route !== undefined && route.routing !== null ? route.provider : usualProvider(call),
  });
  if (found === undefined) {
    throw new DomainError('not_found', {
      message: 'There is no such payee with this bank account.',
    });
  }
  const verdict = demandsIn(found.verdict);
  const peopleOf = await peopleFor(call, [verdict]);
  const makers = { ...found, creator: actor.user_id };
  const nobody = isBeyondAll(verdict.demands, candidatesOf(verdict.demands, makers, peopleOf));
  return { ...verdict, nobody };
}
