import type { Payout } from '../../../generated/prisma/client.ts';
import { crashPoint } from '../../process/crash-point.ts';
import { DatabaseAway } from '../../db/line.ts';
import { deadlocked, lostConnection, violatesUnique } from '../../db/errors.ts';
import { retryOnConflict } from '../../db/retry.ts';
import { catalogue, type ErrorCode } from '../../errors/catalogue.ts';
import { DomainError, type FieldError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { fundingInsufficient, shortageOf, type Shortage } from '../ledger/shortage.ts';
import {
  claimedByAnother,
  insertPayouts,
  type CreateOutcome,
  type NewPayout,
} from './create-store.ts';
import type { DryFunds } from './dry-funds.ts';
import { compareEchoes } from './echo.ts';
import { gates, routeRefusals, type Gate } from './gates.ts';
import type { BeneficiaryEcho } from './input.ts';
import { readPayouts } from './read.ts';
import { judgeRoutes, unrouted, usualProvider, type RouteVerdict } from './route-verdict.ts';

/** A payout that passed the checks that need no database. */
export type PreparedPayout = Omit<NewPayout, 'echoDiffers' | 'echoRevision' | 'route'> & {
  readonly echo: BeneficiaryEcho | null;
};

export type RowResult =
  | { readonly kind: 'created' | 'replayed'; readonly payout: Payout }
  /** A dry run that no check refused, with the provider that the payout would be handed to. */
  | { readonly kind: 'passed'; readonly provider: string | null }
  | { readonly kind: 'failed'; readonly error: DomainError };

interface Mode {
  readonly dryRun: boolean;
  /** All or none. */
  readonly atomic: boolean;
  /** By what a dry run judges the approvals that the real request would make; null where it judges none. */
  readonly funds: DryFunds | null;
}

const pauseMs = 50;

/**
 * Creates payouts, no two with the same key or predecessor, and gives the result of each, in order. Every
 * payout is created here: single, bulk, replacement and dry run. A conflict with another create is
 * tried again; PAYOUT_CONCURRENCY_CONFLICT is the result of a row that lost each time. Throws the error
 * of a database that stays away.
 */
export async function createRows(
  call: Call,
  payouts: readonly PreparedPayout[],
  mode: Mode,
): Promise<RowResult[]> {
  const results = new Map<string, RowResult>();
  let open = payouts;
  let lost = null as Error | null;
  await retryOnConflict(async () => {
    if (open.length === 0) return results;
    const attempted = await attempt(call, open, mode);
    const { shortage } = attempted;
    lost = attempted.lost;
    if (shortage !== null) return settleShort(call, open, mode, shortage, results);
    const settled = await conclude(call, open, attempted);
    for (const [id, result] of settled) results.set(id, result);
    open =
      mode.atomic && settled.size < open.length ? open : open.filter(({ id }) => !settled.has(id));
    return open.length === 0 ? results : null;
  }, pauseMs);
  if (lost !== null) throw lost;
  return payouts.map(
    ({ id }) =>
      results.get(id) ?? {
        kind: 'failed',
        error: new DomainError('PAYOUT_CONCURRENCY_CONFLICT'),
      },
  );
}

/**
 * The results of payouts that together need more than is available. All or none: those that `auto` would approve
 * in that currency are refused, and one that existed before is still shown. Otherwise each half is created by
 * itself, the first one first, so that those are refused for which nothing is left.
 */
async function settleShort(
  call: Call,
  payouts: readonly PreparedPayout[],
  mode: Mode,
  shortage: Shortage,
  results: Map<string, RowResult>,
): Promise<Map<string, RowResult>> {
  if (mode.atomic || payouts.length === 1) {
    const error = fundingInsufficient(shortage);
    const auto = payouts.filter(({ decision }) => decision !== null).length;
    const checked = await createRows(call, payouts, { dryRun: true, atomic: false, funds: null });
    for (const [i, { id, decision, currency }] of payouts.entries()) {
      const result = checked[i];
      if (result === undefined) continue;
      // Of several, the policy may have let pass any of those that wait for nobody.
      const drew = decision !== null || payouts.length === 1 || auto === 0;
      const short = result.kind === 'passed' && drew && currency === shortage.currency;
      results.set(id, short ? { kind: 'failed', error } : result);
    }
    return results;
  }
  const middle = payouts.length >> 1;
  for (const half of [payouts.slice(0, middle), payouts.slice(middle)]) {
    const made = await createRows(call, half, mode);
    for (const [i, { id }] of half.entries()) {
      const result = made[i];
      if (result !== undefined) results.set(id, result);
    }
  }
  return results;
}

interface Attempt {
  readonly outcomes: readonly CreateOutcome[];
  /** What the routes say of the payouts, in their order. */
  readonly routes: readonly RouteVerdict[];
  /** Set when the connection was lost. Whether the commit took effect shows when it is tried again. */
  readonly lost: Error | null;
  /** Set when the payouts that `auto` approves need more than is available. */
  readonly shortage: Shortage | null;
}

async function attempt(
  call: Call,
  prepared: readonly PreparedPayout[],
  mode: Mode,
): Promise<Attempt> {
  const { scope, services } = call;
  const echoes = await compareEchoes(call, prepared);
  const usual = usualProvider(call);
  const described = (routes: readonly RouteVerdict[]): NewPayout[] =>
    prepared.map((payout, i) => ({
      ...payout,
      echoDiffers: echoes[i]?.echoDiffers ?? false,
      echoRevision: echoes[i]?.echoRevision ?? null,
      route: routes[i] ?? { ...unrouted, provider: usual },
    }));
  const again = (lost: Error | null): Attempt => ({
    outcomes: prepared.map(() => ({ kind: 'again' })),
    routes: [],
    lost,
    shortage: null,
  });
  try {
    crashPoint('create_before_commit');
    const keyHours = services.config.IDEMPOTENCY_HOURS;
    const insert = (routes: readonly RouteVerdict[]) =>
      insertPayouts(services.pool, scope, described(routes), { ...mode, keyHours });
    let routes: readonly RouteVerdict[] = [];
    let outcomes = await insert(routes);
    if (outcomes.some(({ kind }) => kind === 'unrouted')) {
      routes = await judgeRoutes(call, prepared);
      outcomes = await insert(routes);
    }
    crashPoint('create_after_commit');
    return { outcomes, routes, lost: null, shortage: dryShortage(prepared, outcomes, mode) };
  } catch (error) {
    // A cut connection is replaced and tried again; a database that is known to be away is not waited for.
    if (lostConnection(error) && !(error instanceof DatabaseAway)) return again(error);
    // Another create had the predecessor or a key first, or the two waited for each other: check again.
    const replaced = violatesUnique(error, 'payout_tenant_id_replaces_payout_id_key');
    if (replaced || deadlocked(error) || claimedByAnother(error)) return again(null);
    const shortage = shortageOf(error);
    if (shortage !== null) return { ...again(null), shortage };
    throw error;
  }
}

/** Whether a dry run would be refused for lack of funds, where the real request would reserve them. */
function dryShortage(
  payouts: readonly PreparedPayout[],
  outcomes: readonly CreateOutcome[],
  { atomic, funds }: Mode,
): Shortage | null {
  if (funds === null) return null;
  const isRefused = outcomes.some(
    (o) => o.kind !== 'passed' && !(o.kind === 'existing' && o.sameContent),
  );
  // All or none: with one refused, nothing is reserved.
  if (atomic && isRefused) return null;
  const approved = payouts.filter(
    ({ decision }, i) => decision !== null && outcomes[i]?.kind === 'passed',
  );
  const shortage = funds.shortageOf(approved);
  if (shortage === null) funds.take(approved);
  return shortage;
}

/** The results for the caller, by payout id. Outcomes that are tried again have none. */
async function conclude(
  call: Call,
  payouts: readonly PreparedPayout[],
  { outcomes, routes }: Attempt,
): Promise<Map<string, RowResult>> {
  const existing = outcomes.flatMap((o) =>
    o.kind === 'existing' && o.sameContent ? [o.payoutId] : [],
  );
  const originals = await readPayouts(call, existing);
  const usual = { ...unrouted, provider: usualProvider(call) };
  const settled = new Map<string, RowResult>();
  for (const [i, { id }] of payouts.entries()) {
    const outcome = outcomes[i];
    if (outcome === undefined || outcome.kind === 'again' || outcome.kind === 'unrouted') continue;
    settled.set(id, toResult(id, outcome, originals, routes[i] ?? usual));
  }
  return settled;
}

function toResult(
  ownId: string,
  outcome: Exclude<CreateOutcome, { kind: 'again' | 'unrouted' }>,
  originals: ReadonlyMap<string, Payout>,
  route: RouteVerdict,
): RowResult {
  switch (outcome.kind) {
    case 'created':
      return { kind: 'created', payout: outcome.payout };
    case 'passed':
      return { kind: 'passed', provider: route.provider };
    case 'refused':
      return { kind: 'failed', error: refusal(outcome, route) };
    case 'existing': {
      const payout = originals.get(outcome.payoutId);
      if (payout === undefined) {
        return { kind: 'failed', error: new DomainError('IDEMPOTENCY_KEY_REUSED') };
      }
      // The id is this call's: the commit took effect although its answer was lost.
      return { kind: outcome.payoutId === ownId ? 'created' : 'replayed', payout };
    }
  }
}

/** What a gate says of the input that it is about. */
const detailsOf = ({ code, message = catalogue[code].meaning, detail }: Gate): FieldError[] =>
  detail === undefined ? [] : [{ ...detail, message }];

/** What precedes a reason that the database gives. */
const toldBefore: Partial<Record<ErrorCode, string>> = {
  BANK_ACCOUNT_RAIL_REJECTED: 'The payout rail refused this account',
  PAYOUT_BLOCKED_BY_POLICY: 'The approval policy blocks the payout',
};

function refusal(
  { gate: number, railRejectionReason }: Extract<CreateOutcome, { kind: 'refused' }>,
  route: RouteVerdict,
): DomainError {
  const gate = gates[number];
  if (gate === undefined) throw new Error(`no gate ${number}`);
  const told = toldBefore[gate.code];
  const message =
    told === undefined || railRejectionReason === null
      ? gate.message
      : `${told}: ${railRejectionReason}`;
  const { details } =
    route.refusal !== null && routeRefusals[route.refusal] === gate.code
      ? route
      : { details: detailsOf(gate) };
  return new DomainError(gate.code, { details, ...(message !== undefined && { message }) });
}
