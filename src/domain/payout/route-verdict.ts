import type { Call } from '../../process/services.ts';
import type { FieldError } from '../../errors/domain-error.ts';
import { describePayments, type DescribedPayment, type PaymentSource } from '../route/payments.ts';
import { choose, openRoutes, type Routes } from '../route/rails.ts';
import type { RouteRefusal } from './gates.ts';

/** What the routes of a tenant say of a payout, and what they were judged by. */
export interface RouteVerdict {
  /** The version of the list; null where the tenant has no routes. */
  readonly routing: number | null;
  readonly refusal: RouteRefusal | null;
  readonly details: readonly FieldError[];
  /** Of the beneficiary and of the bank account, by which the create statement notices a change. */
  readonly revision: number | null;
  readonly accountVersion: number | null;
  /** Whom the routes lead to, by the name that they have for it; null where they lead to nobody. */
  readonly provider: string | null;
}

/** For a tenant that is not known to have routes. */
export const unrouted: RouteVerdict = {
  routing: null,
  refusal: null,
  details: [],
  revision: null,
  accountVersion: null,
  provider: null,
};

/** Whom a tenant without routes pays with, by its name; null where no provider is configured. */
export const usualProvider = ({ scope, services }: Call): string | null =>
  services.providers.forEnvironment(scope.environment)?.name ?? null;

/** The problems of a file that are about the payee's address. */
const addressProblems = new Set(['address_missing', 'town_missing', 'country_missing']);

function judge(
  routes: Routes,
  described: DescribedPayment | null,
): Pick<RouteVerdict, 'refusal' | 'details' | 'provider'> {
  // Earlier gates refuse a payout whose payee or account is not there.
  if (described === null) return { refusal: null, details: [], provider: null };
  const routed = choose(routes, described.payment);
  if (routed.kind === 'none') return { refusal: 'missing', details: [], provider: null };
  const provider = routed.kind === 'away' ? routed.provider : routed.rail.name;
  if (routed.kind !== 'unwritable') return { refusal: null, details: [], provider };
  const details = routed.faults.map(({ field, code, message }) => ({ field, code, message }));
  const lacksAddress = details.some(({ code }) => addressProblems.has(code));
  return { refusal: lacksAddress ? 'address' : 'unfit', details, provider };
}

/**
 * Judges payouts by the routes of the tenant, in the order given: three statements, which a tenant without
 * routes is spared. What is read is encrypted, so the create statement cannot judge by itself. It notices
 * when any of it has changed.
 */
export async function judgeRoutes(
  call: Call,
  payouts: readonly Omit<PaymentSource, 'version'>[],
): Promise<RouteVerdict[]> {
  const { pool } = call.services;
  const routes = await openRoutes(call, pool);
  if (routes.list.length === 0) return payouts.map(() => unrouted);
  const sources = payouts.map((payout) => ({ ...payout, version: null }));
  const described = await describePayments(call, pool, sources);
  return described.map((one) => ({
    routing: routes.version,
    ...judge(routes, one),
    revision: one?.revision ?? null,
    accountVersion: one?.version ?? null,
  }));
}
