import type { BookedPayout } from './book.ts';
import { faultsSchema, type Faults } from './faults.ts';
import { WireError } from './http.ts';
import type { Emitter } from './emitter.ts';
import type { Life } from './life.ts';
import { lieInList, lieInPayout, lieInRecipient } from './lies.ts';
import { checkName } from './name-check.ts';
import { enroll, submit } from './operations.ts';
import type { OperationsContext } from './operations.ts';
import {
  parseBody,
  parseKey,
  nameCheckRequest,
  payoutEventRequest,
  payoutRequest,
  recipientEventRequest,
  recipientRequest,
  releaseRequest,
} from './requests.ts';
import { actOnRecipient, release } from './compliance.ts';
import type { Bank } from './bank/bank.ts';
import { bankRoutes } from './bank/routes.ts';
import { found, type SimulatorAnswer, type SimulatorCall, type Route } from './route.ts';
import { wirePayout, wireRecipient } from './wire.ts';

export interface RouteContext extends OperationsContext {
  readonly emitter: Emitter;
  readonly life: Life;
  readonly faults: Faults;
  /** Null where the simulator is no bank. */
  readonly bank: Bank | null;
}

async function postRecipient(context: RouteContext, call: SimulatorCall): Promise<SimulatorAnswer> {
  const key = parseKey(call.headers['idempotency-key']);
  const taken = await enroll(context, key, parseBody(recipientRequest, call.body));
  const body = lieInRecipient(context.faults.lieIn('recipients'), wireRecipient(taken.resource));
  return { status: taken.replayed ? 200 : 201, body };
}

async function postPayout(context: RouteContext, call: SimulatorCall): Promise<SimulatorAnswer> {
  const key = parseKey(call.headers['idempotency-key']);
  const taken = await submit(context, key, parseBody(payoutRequest, call.body));
  const { id } = taken.resource.payout;
  if (!taken.replayed && context.faults.current().early_event) {
    const { firstTry } = await context.life.act(id, { event: 'acknowledge' });
    await firstTry;
  } else if (!taken.replayed) context.life.schedule(id);
  const body = lieInPayout(context.faults.lieIn('submissions'), wirePayout(taken.resource));
  return { status: taken.replayed ? 200 : 201, body };
}

function getPayout(context: RouteContext, call: SimulatorCall): SimulatorAnswer {
  const booked = context.book.payout(call.id);
  if (booked === undefined) throw new WireError(404, 'not_found', 'There is no such payout.');
  return found(lieInPayout(context.faults.lieIn('lookups'), wirePayout(booked)));
}

function getRecipient(context: RouteContext, call: SimulatorCall): SimulatorAnswer {
  const recipient = context.book.recipient(call.id);
  if (recipient === undefined) throw new WireError(404, 'not_found', 'There is no such recipient.');
  return found(wireRecipient(recipient));
}

function findPayouts(context: RouteContext, call: SimulatorCall): SimulatorAnswer {
  const reference = call.query.get('reference');
  if (reference === null || reference === '') {
    throw new WireError(400, 'invalid_request', 'The query parameter reference is required.');
  }
  const payouts = context.book.payoutsByReference(reference).map(wirePayout);
  return found({ data: lieInList(context.faults.lieIn('lookups'), payouts) });
}

function ledgerLine(context: RouteContext, { key, payout }: BookedPayout) {
  const recipient = context.book.recipient(payout.recipient_id);
  return {
    payout_id: payout.id,
    idempotency_key: key,
    reference: payout.reference,
    recipient_id: payout.recipient_id,
    amount_minor: payout.amount_minor,
    currency: payout.currency,
    destination_last4: recipient?.destination_last4 ?? null,
    destination_sha256: recipient?.destination_sha256 ?? null,
    status: payout.status,
    accepted_at: payout.created_at,
  };
}

/** Every route of the simulator, in one table. */
const routes: readonly Route<RouteContext>[] = [
  { method: 'GET', path: '/healthz', open: true, handle: () => found({ status: 'ok' }) },
  { method: 'POST', path: '/recipients', target: 'recipients', handle: postRecipient },
  {
    method: 'POST',
    path: '/name-checks',
    target: 'lookups',
    handle: (_context, call) => found(checkName(parseBody(nameCheckRequest, call.body))),
  },
  { method: 'GET', path: '/recipients/:id', target: 'lookups', handle: getRecipient },
  { method: 'POST', path: '/payouts', target: 'payouts', handle: postPayout },
  { method: 'GET', path: '/payouts', target: 'lookups', handle: findPayouts },
  { method: 'GET', path: '/payouts/:id', target: 'lookups', handle: getPayout },
  {
    method: 'GET',
    path: '/control/faults',
    handle: (context) => found(context.faults.current()),
  },
  {
    method: 'PUT',
    path: '/control/faults',
    handle: (context, call) => {
      context.faults.replace(parseBody(faultsSchema, call.body));
      return found(context.faults.current());
    },
  },
  {
    method: 'DELETE',
    path: '/control/faults',
    handle: (context) => {
      context.faults.replace(faultsSchema.parse({}));
      return { status: 204 };
    },
  },
  {
    method: 'POST',
    path: '/control/payouts/:id/events',
    handle: async (context, call) => {
      await context.life.act(call.id, parseBody(payoutEventRequest, call.body));
      return getPayout(context, call);
    },
  },
  {
    method: 'POST',
    path: '/control/recipients/:id/events',
    handle: async (context, call) => {
      const request = parseBody(recipientEventRequest, call.body);
      await actOnRecipient(context, context.emitter, call.id, request);
      return getRecipient(context, call);
    },
  },
  {
    method: 'POST',
    path: '/control/releases',
    handle: async (context, call) => {
      const request = parseBody(releaseRequest, call.body);
      return found({ data: await release(context, context.emitter, request) });
    },
  },
  {
    method: 'GET',
    path: '/control/ledger',
    handle: (context) =>
      found({
        data: Array.from(context.book.allPayouts(), (booked) => ledgerLine(context, booked)),
      }),
  },
  ...bankRoutes.map((route): Route<RouteContext> => ({
    ...route,
    handle(context, call) {
      if (context.bank === null) throw new WireError(404, 'not_found', 'There is no bank here.');
      return route.handle(context.bank, call);
    },
  })),
];

export type Match =
  | { readonly route: Route<RouteContext>; readonly id: string }
  | { readonly allow: readonly string[] };

/** The route of a method and path, or the methods that the path has (none: an unknown path). */
export function matchRoute(method: string, path: string): Match {
  const segments = path.split('/');
  const candidates = routes.flatMap((route) => {
    const pattern = route.path.split('/');
    const fits =
      pattern.length === segments.length &&
      pattern.every((part, index) => part === ':id' || part === segments[index]);
    return fits ? [{ route, id: segments[pattern.indexOf(':id')] ?? '' }] : [];
  });
  return (
    candidates.find(({ route }) => route.method === method) ?? {
      allow: candidates.map(({ route }) => route.method),
    }
  );
}
