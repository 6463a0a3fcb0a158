import { namedOfPlatform } from '../../db/named.ts';
import { inTransaction } from '../../db/pool.ts';
import type { OperatorCall } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { act, ofTenant, type Done } from './act.ts';
import { requireTenant } from './action.ts';
import { mailResend, replayOrder, type MailResend, type ReplayOrder } from './input.ts';

/** A collection link whose mail is sent again. */
export interface ResentMail extends Done {
  readonly requestId: string;
  readonly note: string | null;
}

const resend = namedOfPlatform(
  'operator_resend_mail',
  ['who', 'request', 'reason'],
  `SELECT r.request_id AS "requestId", r.note, ${ofTenant}
   FROM ops.resend_mail_by(@who, @request::uuid, @reason) r LEFT JOIN tenant t ON t.id = r.tenant_id`,
);

/**
 * Sends the mail of a live collection request again; the links of earlier mails still work. Throws
 * validation_failed, not_found, conflict for a request that has ended.
 */
export function resendMail(call: OperatorCall, given: MailResend): Promise<ResentMail> {
  const { requestId, reason } = parseInput(mailResend, given);
  return inTransaction(call.services.pool, (client) =>
    act(call, client, {
      command: 'operatorMailResend',
      statement: resend,
      values: { request: requestId },
      reason,
      subjectId: requestId,
    }),
  );
}

/** Dead deliveries that are sent again. */
export interface Replayed extends Done {
  readonly dryRun: boolean;
  readonly count: number;
  readonly remaining: number;
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
  readonly note: string | null;
}

const replay = namedOfPlatform(
  'operator_replay_deliveries',
  ['who', 'tenant', 'since', 'until', 'eventType', 'dryRun', 'limit', 'reason'],
  `SELECT r.replayed AS count, r.remaining::integer AS remaining, r.first_at AS "startsAt", r.last_at AS "endsAt", r.note,
     @dryRun::boolean AS "dryRun", ${ofTenant}
   FROM ops.replay_dead_letters_by(@who, @tenant, @since, @until, @eventType, @dryRun, @limit, interval '10 minutes', @reason) r
   JOIN tenant t ON t.id = @tenant`,
);

/**
 * Sends a tenant's dead deliveries of a window again, oldest first and spread over ten minutes, or only counts them.
 * Throws validation_failed, not_found for the business, conflict without an enabled subscription.
 */
export function replayDeliveries(call: OperatorCall, given: ReplayOrder): Promise<Replayed> {
  const input = parseInput(replayOrder, given);
  const { businessId, environment, createdSince, createdBefore, eventType, dryRun, limit } = input;
  return inTransaction(call.services.pool, async (client) => {
    const { tenantId } = await requireTenant(client, call.operator, businessId, environment);
    return act<Replayed>(call, client, {
      command: 'operatorDeliveriesReplay',
      statement: replay,
      values: {
        tenant: tenantId,
        since: createdSince,
        until: createdBefore,
        eventType: eventType ?? null,
        dryRun,
        limit,
      },
      reason: input.reason,
      subjectId: tenantId,
    });
  });
}
