import type { Emitted, Emitter } from './emitter.ts';
import { WireError } from './http.ts';
import { payoutMoves } from './model.ts';
import type { Failure, Payout, PayoutAction } from './model.ts';
import { newRailRef } from './operations.ts';
import type { OperationsContext } from './operations.ts';
import { nextStep, planFor } from './plan.ts';
import type { PayoutEventRequest } from './requests.ts';

export interface Life {
  /** Schedules the next step of the plan. A step that is scheduled already is scheduled again. */
  schedule(payoutId: string): void;
  /** Makes an event happen to a payout now. Throws WireError 404 and 409. */
  act(payoutId: string, request: PayoutEventRequest): Promise<Emitted>;
  /** Whether nothing more will happen to this payout by itself. */
  isQuiet(payoutId: string): boolean;
  stop(): void;
}

const dayMs = 86_400_000;

const usualFailures = {
  fail: { code: 'provider_rejected', message: 'The provider refused the payout.' },
  return: { code: 'account_closed', message: 'The account is closed.' },
} as const;

function failureAfter(
  payout: Payout,
  planned: Failure | null,
  request: PayoutEventRequest,
): Failure | null {
  if (request.event !== 'fail' && request.event !== 'return') return payout.failure;
  return request.failure ?? planned ?? usualFailures[request.event];
}

function estimateAfter(payout: Payout, request: PayoutEventRequest, now: number): string | null {
  if (request.event !== 'estimate') return payout.expected_delivery_date;
  return request.expected_delivery_date ?? new Date(now + dayMs).toISOString();
}

/** Takes each payout through the plan of its destination's ending, with one timer for each payout. */
export function createLife(
  context: OperationsContext,
  emitter: Emitter,
  stepDelayMs: number,
): Life {
  const timers = new Map<string, NodeJS.Timeout>();
  const acting = new Map<string, number>();
  let stopped = false;

  function planOf(payout: Payout) {
    return planFor(context.book.recipient(payout.recipient_id)?.destination_last4 ?? '');
  }

  function planned(payoutId: string): PayoutAction | null {
    const booked = context.book.payout(payoutId);
    if (booked === undefined) return null;
    return nextStep(planOf(booked.payout), booked.progress, booked.payout.status);
  }

  function countActing(payoutId: string, change: 1 | -1): void {
    const count = (acting.get(payoutId) ?? 0) + change;
    if (count === 0) acting.delete(payoutId);
    else acting.set(payoutId, count);
  }

  async function act(payoutId: string, request: PayoutEventRequest): Promise<Emitted> {
    const payout = context.book.payout(payoutId)?.payout;
    if (payout === undefined) throw new WireError(404, 'not_found', 'There is no such payout.');
    const move = payoutMoves[request.event];
    if (!move.from.includes(payout.status)) {
      throw new WireError(409, 'not_permitted', `A ${payout.status} payout permits no such event.`);
    }
    countActing(payoutId, 1);
    try {
      return await emitter.emit(move.eventType, {
        payout_id: payout.id,
        reference: payout.reference,
        status: move.to ?? payout.status,
        rail_ref: request.event === 'disburse' ? newRailRef() : payout.rail_ref,
        expected_delivery_date: estimateAfter(payout, request, emitter.now()),
        failure: failureAfter(payout, planOf(payout).failure, request),
      });
    } finally {
      countActing(payoutId, -1);
      schedule(payoutId);
    }
  }

  function schedule(payoutId: string): void {
    clearTimeout(timers.get(payoutId));
    timers.delete(payoutId);
    if (stopped || planned(payoutId) === null) return;
    const timer = setTimeout(() => {
      timers.delete(payoutId);
      const step = planned(payoutId);
      // A step that a control call overtook is refused, and that call schedules the next one. After a
      // failed write every answer is an error, so nothing is reported here.
      if (step !== null) act(payoutId, { event: step }).catch(() => undefined);
    }, stepDelayMs);
    timers.set(payoutId, timer);
  }

  return {
    schedule,
    act,
    isQuiet: (payoutId) => !timers.has(payoutId) && !acting.has(payoutId),
    stop() {
      stopped = true;
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
