import type { PoolClient } from 'pg';
import type { DisbursementAttempt } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { named } from '../../db/named.ts';
import { firstRow, type Statement } from '../../db/pool.ts';
import type { PayoutState, PayoutTrigger } from '../payout/machine.ts';
import { movePayoutTo, type Move } from '../payout/transition.ts';
import { noteTimes, recordContradictions } from '../contradiction/contradiction-store.ts';
import {
  failedThoughPaid,
  shownClaim,
  type Claim,
  type Contradiction,
  type Source,
} from '../contradiction/contradiction.ts';
import type { ProviderFailure } from '../../providers/port.ts';

/** What a provider can say of a payment that it took, in an event or when it is asked. */
export type Outcome = 'disbursed' | 'settled' | 'returned' | 'failed';

/**
 * What an answer or an event changed.
 * - `applied`: it was news.
 * - `nothing`: it was known, or a person has examined the contradiction already.
 * - `contradicts`: it disagrees with the attempt or with what the provider said before, for example a
 *   failed payment that is settled after all. The payout does not move, since it may have been replaced,
 *   and a person has to look.
 */
export type Effect = 'applied' | 'nothing' | 'contradicts';

interface OutcomeRule {
  /** The transitions, in order. A later stage implies the earlier ones: `settled` may overtake `disbursed`. */
  readonly walk: readonly Exclude<PayoutTrigger, 'create'>[];
  /** The times that it proves, even where it comes too late to move the payout. */
  readonly proves: { readonly disbursed: boolean; readonly settled: boolean };
  /** The final states of a payout that it contradicts. */
  readonly deniedBy: readonly PayoutState[];
}

const rules: Record<Outcome, OutcomeRule> = {
  disbursed: {
    walk: ['disburse'],
    proves: { disbursed: true, settled: false },
    deniedBy: [],
  },
  settled: {
    walk: ['disburse', 'settle'],
    proves: { disbursed: true, settled: true },
    deniedBy: ['failed'],
  },
  returned: {
    walk: ['disburse', 'return'],
    proves: { disbursed: true, settled: false },
    deniedBy: ['failed'],
  },
  failed: {
    walk: ['fail'],
    proves: { disbursed: false, settled: false },
    deniedBy: ['settled', 'returned'],
  },
};

export interface ProviderStatement extends Source {
  /** What is said. It was compared with the attempt and agrees with it. */
  readonly claim: Claim;
  /** Null where nothing is said of the money. */
  readonly outcome: Outcome | null;
  readonly railRef: string | null;
  readonly failure: ProviderFailure | null;
  /** Why the provider was asked, for the record of the transition. Absent for an event. */
  readonly reason?: string;
}

/**
 * Records what a late outcome proves. A payout whose return is reported first was settled before it,
 * so any order of the same events ends in the same row.
 */
const noteFacts = named(
  'note_payout_facts',
  ['tenant', 'payout', 'railRef', 'disbursed', 'settled', 'denied'],
  `
    UPDATE payout p SET
      rail_ref = greatest(p.rail_ref, @railRef),
      disbursed_at = CASE WHEN @disbursed::boolean THEN coalesce(p.disbursed_at, clock.at) ELSE p.disbursed_at END,
      settled_at = CASE WHEN @settled::boolean THEN coalesce(p.settled_at, clock.at) ELSE p.settled_at END,
      updated_at = command.clock()
    FROM (SELECT now() AS at) AS clock
    WHERE p.tenant_id = @tenant AND p.id = @payout AND p.state <> ALL (@denied::text[])
      AND (greatest(p.rail_ref, @railRef) IS DISTINCT FROM p.rail_ref
        OR (@disbursed AND p.disbursed_at IS NULL) OR (@settled AND p.settled_at IS NULL))
    RETURNING p.id`,
);

const payoutState: Statement = {
  name: 'payout_state',
  text: 'SELECT state FROM payout WHERE tenant_id = $1 AND id = $2',
};

type Attempt = Pick<DisbursementAttempt, 'id' | 'payoutId' | 'provider' | 'paidToldAt'>;

/** The moves that follow from what is said, in order; those that the payout has behind it change nothing. */
export function movesOf({ id }: Pick<Attempt, 'id'>, told: ProviderStatement): Move[] {
  const { walk } = told.outcome === null ? { walk: [] } : rules[told.outcome];
  return walk.map((trigger) => ({
    trigger,
    when: { kind: 'live_attempt', attemptId: id },
    railRef: told.railRef,
    reason: told.reason ?? null,
    failure: trigger === 'fail' || trigger === 'return' ? told.failure : null,
  }));
}

/**
 * Applies what the provider says of an attempt that it took. The transaction of `client` holds the
 * attempt's lock.
 */
export async function applyOutcome(
  client: PoolClient,
  scope: Scope,
  attempt: Attempt,
  told: ProviderStatement,
): Promise<Effect> {
  let moved = false;
  for (const move of movesOf(attempt, told)) {
    const payout = await movePayoutTo(client, scope, attempt.payoutId, move);
    moved ||= payout !== null;
  }
  if (!moved) return noteUnmoved(client, scope, attempt, told);
  await noteTimes(client, scope, attempt, told.claim);
  return doubtFailure(client, scope, attempt, told);
}

/**
 * The effect of what moved a payout. One that failed after it was disbursed is not replaced before a person has looked:
 * the provider said that the money has left, and does not say that it came back.
 */
export async function doubtFailure(
  client: PoolClient,
  scope: Scope,
  attempt: Attempt,
  told: ProviderStatement,
): Promise<Effect> {
  if (told.outcome !== 'failed' || attempt.paidToldAt === null) return 'applied';
  return contradict(client, scope, attempt, told, failedThoughPaid);
}

async function contradict(
  client: PoolClient,
  scope: Scope,
  attempt: Attempt,
  source: Source,
  contradiction: Contradiction,
): Promise<Effect> {
  const { open } = await recordContradictions(client, scope, attempt, [contradiction], source);
  return open ? 'contradicts' : 'nothing';
}

/** Notes what is said where none of its moves was possible: it came late, or contradicts what came before. */
export async function noteUnmoved(
  client: PoolClient,
  scope: Scope,
  attempt: Attempt,
  told: ProviderStatement,
): Promise<Effect> {
  const rule = told.outcome === null ? null : rules[told.outcome];
  if (rule === null && told.railRef === null) return 'nothing';
  const { disbursed = false, settled = false } = rule?.proves ?? {};
  const denied = rule?.deniedBy ?? [];
  const noted = await firstRow(
    client,
    noteFacts,
    noteFacts.of({
      tenant: scope.tenantId,
      payout: attempt.payoutId,
      railRef: told.railRef,
      disbursed,
      settled,
      denied,
    }),
  );
  const isDisbursed = told.outcome === 'disbursed';
  const payout =
    !isDisbursed && (noted !== null || denied.length === 0)
      ? null
      : await firstRow<{ state: PayoutState }>(client, payoutState, [
          scope.tenantId,
          attempt.payoutId,
        ]);
  if (payout !== null && denied.includes(payout.state)) {
    const said = shownClaim(told.claim);
    return contradict(client, scope, attempt, told, {
      kind: 'outcome',
      said,
      expected: payout.state,
    });
  }
  await noteTimes(client, scope, attempt, told.claim);
  const effect = noted === null ? 'nothing' : 'applied';
  // It failed later by the provider's clock: what is said is true, and so a person has to look.
  if (!isDisbursed || payout?.state !== 'failed') return effect;
  const doubt = await contradict(client, scope, attempt, told, failedThoughPaid);
  return doubt === 'contradicts' ? doubt : effect;
}
