import type { Scope } from '../../access/scope.ts';
import { command, givenRows } from '../../db/command.ts';
import { waitingBriefly } from '../../db/gather.ts';
import { rows, type Queryable } from '../../db/pool.ts';
import { wakeAfter } from '../../queue/outbox.ts';
import { eventColumns, eventFields, eventSql } from '../event/record.ts';

/**
 * Records once that the provider took attempts, by its answers or by events, whichever come first. A payment that
 * belongs to another attempt is refused. An attempt with an open contradiction keeps waiting for a person. The
 * attempts are all different.
 */
export const acceptAttempts = command({
  name: 'accept_attempts',
  comment:
    'Records that the provider took attempts (src/domain/disbursement/accepted-store.ts). No row for those where it is not news.',
  parameters: { tenant: 'text', accepted: 'jsonb' },
  returns: 'TABLE (attempt text, adds_job boolean)',
  select: 'r.attempt, r.adds_job AS "addsJob"',
  declare: `
  at timestamptz := now();
  told record;
  taken jsonb := '[]';
  attempts text[] := '{}';
  events jsonb[] := '{}';
  more boolean;`,
  body: `
  ${waitingBriefly('_accepted')}
  FOR told IN
    UPDATE public.disbursement_attempt AS a SET
      status = 'submitted', submitted_at = at, completed_at = at, provider_payout_id = t.provider_payout
    FROM ${givenRows('t', {
      json: '_accepted',
      columns: 'attempt text, provider_payout text, rail_ref text, event jsonb',
      order: 'g.attempt',
    })}
    WHERE a.tenant_id = _tenant AND t.tenant = _tenant AND a.id = t.attempt AND a.status IN ('prepared', 'unknown')
      AND NOT EXISTS (
        SELECT 1 FROM public.disbursement_attempt o
        WHERE o.tenant_id = _tenant AND o.provider = a.provider
          AND o.provider_payout_id = t.provider_payout AND o.id <> t.attempt
      )
    RETURNING a.payout_id AS payout, a.needs_operator, t.attempt, t.provider_payout, t.rail_ref, t.event
  LOOP
    IF told.needs_operator THEN
      PERFORM command.keep_operator_mark(_tenant => _tenant, _attempt => told.attempt);
    END IF;
    taken := taken || to_jsonb(told);
  END LOOP;
  FOR told IN
    UPDATE public.payout AS p SET
      provider_payout_id = t.provider_payout, rail_ref = greatest(t.rail_ref, p.rail_ref), updated_at = command.clock()
    FROM ${givenRows('t', {
      json: 'taken',
      columns: 'payout text, attempt text, provider_payout text, rail_ref text, event jsonb',
      order: 'g.payout',
    })}
    WHERE p.tenant_id = _tenant AND t.tenant = _tenant AND p.id = t.payout AND p.live_attempt_id = t.attempt
    RETURNING t.attempt, t.event, ${eventColumns('p')}
  LOOP
    attempts := attempts || told.attempt;
    events := events || ${eventSql('told', 'told.event')};
  END LOOP;
  more := command.record_events(_tenant => _tenant, _events => events);
  RETURN QUERY SELECT n.attempt, more FROM unnest(attempts) AS n (attempt);`,
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
