import type { CircuitState } from '../../providers/breaker.ts';
import type { Environment } from '../../access/scope.ts';
import { namedOfPlatform } from '../../db/named.ts';
import type { OperatorCall } from '../../process/services.ts';
import {
  readList,
  tenantColumns,
  type OfTenant,
  type OfTenantOrNone,
  type OperatorPage,
} from './list.ts';

/** A delivery that was given up, or a mail with a collection link. */
export interface DeadLetter extends OfTenant {
  readonly kind: 'delivery' | 'mail';
  readonly subjectId: string;
  readonly what: string;
  readonly since: Date;
  readonly error: string | null;
  readonly takenBy: string | null;
}

const deadLetters = namedOfPlatform(
  'operator_dead_letters',
  ['kind', 'business', 'since', 'id', 'take'],
  `
    SELECT kind, subject_id AS "subjectId", ${tenantColumns}, what, since, error, taken_by AS "takenBy"
    FROM ops.dead_letters_page(@kind, @business, @since::timestamptz, @id, @take)`,
);

/** The deliveries or the mails of ops.dead_letters, those first that died last. */
export function listDeadLetters(
  call: OperatorCall,
  kind: DeadLetter['kind'],
  { businessId: business, after, take }: OperatorPage,
): Promise<DeadLetter[]> {
  const [since = null, id = null] = after?.split(' ') ?? [];
  return readList(call, deadLetters, { kind, business, since, id, take });
}

export const deadLetterPosition = ({ since, subjectId }: DeadLetter): string =>
  `${since.toISOString()} ${subjectId}`;

/** How a provider answers in one environment. */
export interface ProviderHealth {
  readonly provider: string;
  /** Null for a provider that was asked nothing of late. */
  readonly environment: Environment | null;
  readonly attempts: number;
  readonly submitted: number;
  readonly rejected: number;
  readonly unclear: number;
  readonly unknownNow: number;
  readonly oldestUnknownSeconds: number | null;
  readonly needsOperator: number;
  readonly p95Ms: number | null;
  readonly lastEventAt: Date | null;
  readonly eventsWaiting: number;
  readonly oldestEventSeconds: number | null;
  readonly eventsUnmatched: number;
  /** The state of the circuit breaker of each worker that is alive, by the worker's id. */
  readonly circuits: Readonly<Record<string, CircuitState>> | null;
}

const providers = namedOfPlatform(
  'operator_providers',
  [],
  `
    SELECT provider, environment, attempts_1h::integer AS attempts, submitted_1h::integer AS submitted,
      rejected_1h::integer AS rejected, unclear_1h::integer AS unclear, unknown_now::integer AS "unknownNow",
      oldest_unknown_seconds AS "oldestUnknownSeconds", needs_operator::integer AS "needsOperator", p95_ms AS "p95Ms",
      last_event_at AS "lastEventAt", events_waiting::integer AS "eventsWaiting", oldest_event_seconds AS "oldestEventSeconds",
      events_unmatched::integer AS "eventsUnmatched", circuits
    FROM ops.providers_page()`,
);

/** The providers of ops.provider_health. */
export function listProviders(call: OperatorCall): Promise<ProviderHealth[]> {
  return readList(call, providers, {});
}

/** A subscriber's endpoint that refuses deliveries. */
export interface FailingEndpoint extends OfTenant {
  readonly subscriptionId: string;
  readonly enabled: boolean;
  readonly failingSince: Date;
  readonly failures: number;
  readonly lastFailedAt: Date;
  readonly lastStatusCode: number | null;
  readonly lastError: string | null;
  readonly waiting: number;
  readonly nextAttemptAt: Date | null;
  readonly what: string;
  readonly takenBy: string | null;
}

const endpoints = namedOfPlatform(
  'operator_endpoints',
  ['business', 'since', 'id', 'take'],
  `
    SELECT subscription_id AS "subscriptionId", ${tenantColumns}, enabled, failing_since AS "failingSince", failures,
      last_failed_at AS "lastFailedAt", last_status_code AS "lastStatusCode", last_error AS "lastError",
      waiting::integer AS waiting, next_attempt_at AS "nextAttemptAt", what, taken_by AS "takenBy"
    FROM ops.endpoints_page(@business, @since::timestamptz, @id, @take)`,
);

/** The endpoints of ops.endpoint_health, those first that have failed for longest. */
export function listFailingEndpoints(
  call: OperatorCall,
  { businessId: business, after, take }: OperatorPage,
): Promise<FailingEndpoint[]> {
  const [since = null, id = null] = after?.split(' ') ?? [];
  return readList(call, endpoints, { business, since, id, take });
}

export const endpointPosition = ({ failingSince, subscriptionId }: FailingEndpoint): string =>
  `${failingSince.toISOString()} ${subscriptionId}`;

/** A line of the log of what operators did. */
export interface LoggedAction extends OfTenantOrNone {
  readonly id: string;
  readonly at: Date;
  readonly who: string;
  readonly person: string;
  readonly action: string;
  readonly subjectId: string | null;
  readonly reason: string;
  readonly detail: unknown;
  readonly affected: number;
  readonly outcome: string | null;
  readonly outcomeAt: Date | null;
}

const actions = namedOfPlatform(
  'operator_actions',
  ['business', 'subject', 'before', 'take'],
  `
    SELECT id, at, who, person, action, ${tenantColumns}, subject_id AS "subjectId", reason, detail, affected, outcome,
      outcome_at AS "outcomeAt"
    FROM ops.actions_page(@business, @subject, @before::uuid, @take)`,
);

/** The lines of ops.action_log, the newest first. */
export function listActions(
  call: OperatorCall,
  subject: string | null,
  { businessId: business, after: before, take }: OperatorPage,
): Promise<LoggedAction[]> {
  return readList(call, actions, { business, subject, before, take });
}
