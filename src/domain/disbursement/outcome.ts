import type { PoolClient } from 'pg';
import type { DisbursementAttempt } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { named } from '../../db/named.ts';
import { firstRow, type Statement } from '../../db/pool.ts';
import type { PayoutState, PayoutTrigger } from '../payout/machine.ts';
import { movePayoutTo } from '../payout/transition.ts';
import { noteTimes, recordContradictions } from '../contradiction/contradiction-store.ts';
import { shownClaim, type Claim, type Source } from '../contradiction/contradiction.ts';
import type { ProviderFailure } from '../../providers/port.ts';

/** What a provider can say of the money it took, by an event or asked for it. */
export type Outcome = 'disbursed' | 'settled' | 'returned' | 'failed';

interface OutcomeRule {
  /** A later stage implies the earlier ones: `settled` that overtakes `disbursed` walks both. */
  readonly walk: readonly Exclude<PayoutTrigger, 'create'>[];
  /** The times that it proves, also where it comes too late to move the payout. */
  readonly proves: { readonly disbursed: boolean; readonly settled: boolean };
  /** Ends of the payout that cannot be true beside it. */
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

export interface Told extends Source {
  /** What is said; it was compared with the attempt and does not disagree. */
  readonly claim: Claim;
  /** Null: nothing is said of where the money is. */
  readonly outcome: Outcome | null;
  readonly railRef: string | null;
  readonly failure: ProviderFailure | null;
  /** Why it was asked for, for the record of a transition; absent where the provider told it unasked. */
  readonly reason?: string;
}

/**
 * What an outcome that comes late still tells: a payout that was returned before we heard of its
 * settlement was settled all the same. So any order of the same events ends in the same row.
 */
const noteFacts = named(
  'note_payout_facts',
  ['tenant', 'payout', 'railRef', 'disbursed', 'settled', 'denied'],
  `
    UPDATE payout p SET
      rail_ref = greatest(p.rail_ref, @railRef),
      disbursed_at = CASE WHEN @disbursed::boolean THEN coalesce(p.disbursed_at, now()) ELSE p.disbursed_at END,
      settled_at = CASE WHEN @settled::boolean THEN coalesce(p.settled_at, now()) ELSE p.settled_at END,
      updated_at = clock_timestamp()
    WHERE p.tenant_id = @tenant AND p.id = @payout AND p.state <> ALL (@denied::text[])
      AND (greatest(p.rail_ref, @railRef) IS DISTINCT FROM p.rail_ref
        OR (@disbursed AND p.disbursed_at IS NULL) OR (@settled AND p.settled_at IS NULL))
    RETURNING p.id`,
);

const payoutState: Statement = {
  name: 'payout_state',
  text: 'SELECT state FROM payout WHERE tenant_id = $1 AND id = $2',
};

/**
 * Applies what the provider says of an attempt that it took, in the transaction of `client`, which
 * holds the attempt's lock. `nothing`: it was known. `contradicts`: the payout ended otherwise (a
 * payment that failed is settled after all); nothing moves, since it may have been replaced, and it is
 * recorded for a person. What a person has looked at already is `nothing`.
 */
export async function applyOutcome(
  client: PoolClient,
  scope: Scope,
  attempt: Pick<DisbursementAttempt, 'id' | 'payoutId' | 'provider'>,
  told: Told,
): Promise<'applied' | 'nothing' | 'contradicts'> {
  const rule = told.outcome === null ? null : rules[told.outcome];
  let moved = false;
  for (const trigger of rule?.walk ?? []) {
    const payout = await movePayoutTo(client, scope, attempt.payoutId, {
      trigger,
      when: { kind: 'live_attempt', attemptId: attempt.id },
      railRef: told.railRef,
      reason: told.reason ?? null,
      failure: trigger === 'fail' || trigger === 'return' ? told.failure : null,
    });
    moved ||= payout !== null;
  }
  if (moved) {
    await noteTimes(client, scope, attempt, told.claim);
    return 'applied';
  }
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
  const payout =
    noted !== null || denied.length === 0
      ? null
      : await firstRow<{ state: PayoutState }>(client, payoutState, [
          scope.tenantId,
          attempt.payoutId,
        ]);
  if (payout === null || !denied.includes(payout.state)) {
    await noteTimes(client, scope, attempt, told.claim);
    return noted === null ? 'nothing' : 'applied';
  }
  const denial = { kind: 'outcome', said: shownClaim(told.claim), expected: payout.state } as const;
  const { open } = await recordContradictions(client, scope, attempt, [denial], told);
  return open ? 'contradicts' : 'nothing';
}
