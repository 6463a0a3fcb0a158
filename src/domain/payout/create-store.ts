import type { Payout } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { raisedDetail } from '../../db/errors.ts';
import type { Queryable } from '../../db/pool.ts';
import { wakeAfter } from '../../queue/outbox.ts';
import { createManyPayouts, createOnePayout } from './commands.gen.ts';
import { wireDecision, type NewDecision } from './decision-store.ts';
import { keptByColumn, keptOf, type KeptFields } from './fields.ts';
import { firstRouteGate } from './gates.ts';
import type { RouteVerdict } from './route-verdict.ts';

export interface NewPayout extends Readonly<KeptFields> {
  readonly id: string;
  readonly requestHash: Buffer;
  /** Minor units of `currency`. */
  readonly amountMinor: bigint;
  /** The same amount as a decimal string of major units. */
  readonly amount: string;
  readonly metadata: Record<string, string> | null;
  /** Null for a payout that waits for a decision. */
  readonly decision: NewDecision | null;
  readonly echoDiffers: boolean;
  /** Revision of the beneficiary that the echo was compared with; null without an echo. */
  readonly echoRevision: number | null;
  /** What the tenant's routes say of it. */
  readonly route: RouteVerdict;
  /** The row of a submitted batch that it is made of; null for one of none. All of a call are of one batch, or of none. */
  readonly madeOf: BatchRow | null;
}

/** A row of a batch of payouts (../payout-batch). */
interface BatchRow {
  readonly batchId: string;
  /** Its number, from 1. */
  readonly batchRow: number;
}

export type CreateOutcome =
  | { readonly kind: 'created'; readonly payout: Payout }
  | { readonly kind: 'existing'; readonly payoutId: string; readonly sameContent: boolean }
  /** `gate` is the number of the first gate that refused. */
  | { readonly kind: 'refused'; readonly gate: number; readonly railRejectionReason: string | null }
  /** No gate refused it, and it was not written: in a dry run, or because another row was refused. */
  | { readonly kind: 'passed' }
  /** The tenant has routes, and by these it was not judged yet. */
  | { readonly kind: 'unrouted' }
  /** Another caller claimed the key first, or the beneficiary changed after the echo was compared: try again. */
  | { readonly kind: 'again' };

type CreateRow = Awaited<ReturnType<typeof createManyPayouts>>[number];

const stateOf = ({ decision }: NewPayout) => (decision === null ? 'pending_approval' : 'approved');

function wireRow(payout: NewPayout, n: number): object {
  const { decision, route } = payout;
  return {
    n,
    id: payout.id,
    ...keptByColumn(payout),
    request_hash: payout.requestHash.toString('hex'),
    amount_minor: Number(payout.amountMinor), // at most twelve digits
    amount: payout.amount,
    metadata: payout.metadata,
    echo_differs: payout.echoDiffers,
    echo_revision: payout.echoRevision,
    routing: route.routing,
    route_refusal: route.refusal,
    routed_revision: route.revision,
    routed_version: route.accountVersion,
    provider: route.provider,
    batch_id: payout.madeOf?.batchId ?? null,
    batch_row: payout.madeOf?.batchRow ?? null,
    state: stateOf(payout),
    decision: decision === null ? null : wireDecision(decision),
  };
}

interface CreateMode {
  readonly dryRun: boolean;
  /** All or none. */
  readonly atomic: boolean;
  /** Hours after which an idempotency key is free again. */
  readonly keyHours: number;
}

/**
 * Creates payouts of which no two have the same key or predecessor. The outcomes have the order given.
 * Throws a unique violation when another create replaced a predecessor first, and what `claimedByAnother` and
 * `batchNotSubmitted` tell.
 */
export async function insertPayouts(
  client: Queryable,
  scope: Scope,
  payouts: readonly NewPayout[],
  { dryRun, atomic, keyHours }: CreateMode,
): Promise<CreateOutcome[]> {
  const common = {
    actor: scope.actor,
    sandbox: scope.environment === 'sandbox',
    dryRun,
    business: scope.businessId,
    keyHours,
  };
  const { tenantId } = scope;
  const wire = payouts.map(wireRow);
  const [only] = wire;
  const found =
    wire.length === 1 && only !== undefined && payouts[0]?.madeOf === null
      ? (await createOnePayout(client, tenantId, { ...common, payout: only })).map((row) => ({
          ...row,
          n: 0,
        }))
      : await createManyPayouts(client, tenantId, { ...common, atomic, payouts: wire });
  const byNumber = new Map(found.map((row) => [row.n, row]));
  const outcomes = payouts.map((payout, n) => {
    const row = byNumber.get(n);
    if (row === undefined) throw new Error('the create function answers every row');
    return toOutcome(scope, payout, row);
  });
  const approves = outcomes.some((o) => o.kind === 'created' && o.payout.state === 'approved');
  if (approves) wakeAfter(client);
  return outcomes;
}

/** Whether payouts were not created all or none, since another caller claimed one of their keys meanwhile. */
export const claimedByAnother = (error: unknown): boolean => raisedDetail(error, 'PO001') !== null;

/** Whether payouts were not made of a batch because it is not submitted, or not any more. */
export const batchNotSubmitted = (error: unknown): boolean => raisedDetail(error, 'PO003') !== null;

function toOutcome(scope: Scope, payout: NewPayout, row: CreateRow): CreateOutcome {
  const { n: _n, refusal, stale, unrouted, railRejectionReason, existingId, ...more } = row;
  const { sameContent, passed, createdAt, ...decided } = more;
  if (existingId !== null) {
    return { kind: 'existing', payoutId: existingId, sameContent: sameContent === true };
  }
  if (unrouted && (refusal === null || refusal >= firstRouteGate)) return { kind: 'unrouted' };
  if (stale) return { kind: 'again' };
  if (refusal !== null) return { kind: 'refused', gate: refusal, railRejectionReason };
  if (createdAt === null) return passed ? { kind: 'passed' } : { kind: 'again' };
  const standing = passed ? approvedByPolicy(createdAt) : {};
  return {
    kind: 'created',
    payout: { ...known(scope, payout, createdAt), ...standing, ...decided, createdAt },
  };
}

/** What a payout has that its policy let pass: it was created and approved at once. */
const approvedByPolicy = (now: Date) => ({
  state: 'approved',
  transitionCount: 2,
  approvedAt: now,
});

/** The columns of a new payout that are as they were given, or as they are for each new one. */
function known(scope: Scope, payout: NewPayout, now: Date): Omit<Payout, keyof CreateRow> {
  const state = stateOf(payout);
  return {
    ...keptOf(payout),
    tenantId: scope.tenantId,
    id: payout.id,
    amountMinor: payout.amountMinor,
    amount: payout.amount,
    state,
    createdBy: { ...scope.actor },
    transitionCount: 1,
    liveAttemptId: null,
    provider: null,
    providerPayoutId: null,
    railRef: null,
    failureCode: null,
    failureMessage: null,
    estimatedArrivalAt: null,
    estimateMadeAt: null,
    estimateCount: 0,
    batchId: payout.madeOf?.batchId ?? null,
    batchRow: payout.madeOf?.batchRow ?? null,
    approvedAt: state === 'approved' ? now : null,
    disbursedAt: null,
    settledAt: null,
  };
}
