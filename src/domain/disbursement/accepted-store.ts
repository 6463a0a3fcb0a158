import type { Scope } from '../../access/scope.ts';
import { command } from '../../db/command.ts';
import { waitingBriefly } from '../../db/gather.ts';
import { rows, type Queryable } from '../../db/pool.ts';
import { wakeAfter } from '../../queue/outbox.ts';
import { eventFields } from '../event/record.ts';

/**
 * Records once that the provider took the attempt, by its answer or by an event, whichever comes first.
 * A payment that belongs to another attempt is refused. An attempt with an open contradiction keeps
 * waiting for a person.
 */
export const acceptAttempt = command({
  name: 'accept_attempt',
  comment:
    'Records that the provider took an attempt (src/domain/disbursement/accepted-store.ts). No row where it is not news.',
  parameters: {
    tenant: 'text',
    attempt: 'text',
    providerPayout: 'text',
    railRef: 'text',
    event: 'jsonb',
  },
  returns: 'TABLE (adds_job boolean)',
  declare: `
  at timestamptz := now();
  accepted public.disbursement_attempt;
  noted public.payout;`,
  body: `
  UPDATE public.disbursement_attempt AS a SET
    status = 'submitted', submitted_at = at, completed_at = at, provider_payout_id = _provider_payout
  WHERE a.tenant_id = _tenant AND a.id = _attempt AND a.status IN ('prepared', 'unknown') AND NOT EXISTS (
    SELECT 1 FROM public.disbursement_attempt o
    WHERE o.tenant_id = _tenant AND o.provider = a.provider
      AND o.provider_payout_id = _provider_payout AND o.id <> _attempt
  )
  RETURNING a.* INTO accepted;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF accepted.needs_operator THEN
    PERFORM command.keep_operator_mark(_tenant => _tenant, _attempt => _attempt);
  END IF;
  UPDATE public.payout AS p SET
    provider_payout_id = _provider_payout, rail_ref = greatest(_rail_ref, p.rail_ref), updated_at = command.clock()
  WHERE p.tenant_id = _tenant AND p.id = accepted.payout_id AND p.live_attempt_id = _attempt
  RETURNING p.* INTO noted;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  adds_job := command.record_event(noted, _event);
  RETURN NEXT;`,
});

export const acceptAttempts = command({
  name: 'accept_attempts',
  comment:
    'Records that the provider took attempts (src/domain/disbursement/accepted-store.ts). No row for those where it is not news.',
  parameters: { tenant: 'text', accepted: 'jsonb' },
  returns: 'TABLE (attempt text, adds_job boolean)',
  select: 'r.attempt, r.adds_job AS "addsJob"',
  declare: 'taken record;',
  body: `
  ${waitingBriefly('_accepted')}
  FOR taken IN
    SELECT * FROM jsonb_to_recordset(_accepted) AS t (
      attempt text, provider_payout text, rail_ref text, event jsonb
    )
    ORDER BY t.attempt
  LOOP
    attempt := taken.attempt;
    SELECT r.adds_job INTO adds_job FROM command.accept_attempt(
      _tenant => _tenant, _attempt => taken.attempt, _provider_payout => taken.provider_payout,
      _rail_ref => taken.rail_ref, _event => taken.event
    ) AS r;
    IF FOUND THEN
      RETURN NEXT;
    END IF;
  END LOOP;`,
});

/** An attempt that the provider took. */
export interface AcceptedAttempt {
  readonly attemptId: string;
  /** The provider's id of the payment. */
  readonly payoutId: string;
  readonly railRef: string | null;
  /** What `acceptedEvent` made when this became known. */
  readonly event: object | null;
}

/** The event for subscribers of an attempt that the provider took. */
export const acceptedEvent = (): object | null =>
  eventFields({
    type: 'payout.disbursement_submitted',
    tail: { status: 'disbursement_submitted' },
  });

/**
 * Records that the provider took attempts, with the events for subscribers. False, in the order of the attempts,
 * where nothing was to be done: it was known, the attempt has ended, or the payment belongs to another attempt.
 */
export async function recordAllAccepted(
  client: Queryable,
  scope: Scope,
  accepted: readonly AcceptedAttempt[],
): Promise<boolean[]> {
  const wire = accepted.map(({ attemptId, payoutId, railRef, event }) => ({
    attempt: attemptId,
    provider_payout: payoutId,
    rail_ref: railRef,
    event,
  }));
  const values = acceptAttempts.of({ tenant: scope.tenantId, accepted: JSON.stringify(wire) });
  const noted = await rows<{ attempt: string; addsJob: boolean }>(client, acceptAttempts, values);
  if (noted.some(({ addsJob }) => addsJob)) wakeAfter(client);
  const news = new Set(noted.map(({ attempt }) => attempt));
  return accepted.map(({ attemptId }) => news.has(attemptId));
}

/** As `recordAllAccepted`, for one attempt. */
export async function recordAccepted(
  client: Queryable,
  scope: Scope,
  attemptId: string,
  provider: { readonly payoutId: string; readonly railRef: string | null },
): Promise<boolean> {
  const accepted = { attemptId, ...provider, event: acceptedEvent() };
  const [news = false] = await recordAllAccepted(client, scope, [accepted]);
  return news;
}
