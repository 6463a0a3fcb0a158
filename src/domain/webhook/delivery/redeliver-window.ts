import { z } from 'zod';
import { requirePermission } from '../../../access/scope.ts';
import { inTransaction } from '../../../db/pool.ts';
import { DomainError } from '../../../errors/domain-error.ts';
import { dateTime, text } from '../../../values/fields.ts';
import { enqueue } from '../../../queue/queue.ts';
import type { Call } from '../../../process/services.ts';
import { parseInput } from '../../../values/validate.ts';
import { deliveredTypes } from '../../event/types.ts';
import { maximumReplay, replayWindow, type Replay } from './replay-store.ts';

/** The statuses of deliveries that have ended. One that is pending is on its way already. */
export const endedStatuses = ['dead', 'delivered', 'canceled'] as const;

const input = z
  .strictObject({
    createdSince: dateTime,
    createdBefore: dateTime,
    status: z.enum(endedStatuses).nullish(),
    eventType: z.enum(deliveredTypes).nullish(),
    payoutId: text().nullish(),
    limit: z.int().min(1).max(maximumReplay).nullish(),
    dryRun: z.boolean().nullish(),
  })
  .refine((window) => Date.parse(window.createdSince) < Date.parse(window.createdBefore), {
    path: ['createdBefore'],
    message: 'Must be later than the beginning of the window.',
    params: { code: 'invalid_value' },
  });

/** As a caller gives it; times are ISO 8601 date-times. */
export interface RedeliverWindowInput {
  readonly createdSince: string;
  readonly createdBefore: string;
  readonly status?: string | null | undefined;
  readonly eventType?: string | null | undefined;
  readonly payoutId?: string | null | undefined;
  readonly limit?: number | null | undefined;
  readonly dryRun?: boolean | null | undefined;
}

export interface RedeliveredWindow extends Replay {
  /** True when this only says what would be sent. */
  readonly dryRun: boolean;
}

/**
 * Sends again the deliveries that were planned in a window of time and have one status, `dead` by
 * default. Each keeps its event's id and its earlier attempts, and gets a fresh budget of attempts.
 * They are spread over time and run after the tenant's other deliveries. Deliveries beyond the limit
 * are counted; the same call made again takes them. A repeated call sends nothing twice: what the
 * first planned is pending, and what was delivered again is left alone for an hour.
 *
 * Throws validation_failed, conflict (no subscription, or a disabled one), forbidden.
 */
export async function redeliverWindow(
  call: Call,
  given: RedeliverWindowInput,
): Promise<RedeliveredWindow> {
  const { scope, services } = call;
  requirePermission(scope, 'webhooks:write');
  const window = parseInput(input, given);
  const dryRun = window.dryRun ?? false;
  const replay = await inTransaction(services.pool, async (client) => {
    const planned = await replayWindow(client, scope, {
      since: new Date(window.createdSince),
      before: new Date(window.createdBefore),
      status: window.status ?? 'dead',
      eventType: window.eventType ?? null,
      payoutId: window.payoutId ?? null,
      limit: window.limit ?? maximumReplay,
      dryRun,
    });
    if (planned !== null && !dryRun && planned.count > 0) {
      // One job finds what is due soon. Thousands of jobs in this transaction would delay others.
      await enqueue(client, 'sweep_webhooks', { after: null }, { jobKey: 'sweep_webhooks' });
    }
    return planned;
  });
  if (replay !== null) return { ...replay, dryRun };
  throw new DomainError('conflict', {
    message:
      'There is no enabled webhook subscription to deliver to; POST or PATCH /v1/webhook-subscriptions first.',
  });
}
