import type { Payout } from '../../../generated/prisma/client.ts';
import { requirePermission } from '../../access/scope.ts';
import { DomainError, invalid } from '../../errors/domain-error.ts';
import { inBulk, type Call } from '../../process/services.ts';
import { mapInTurns } from '../../concurrency/event-loop.ts';
import { preparePayout } from './create.ts';
import { fundingOutlook, type FundingOutlook } from '../ledger/outlook.ts';
import { createRows, type PreparedPayout, type RowResult } from './create-rows.ts';
import { dryFundsOf } from './dry-funds.ts';
import type { PayoutCreateInput } from './input.ts';

export interface BulkInput {
  /** A row is null when REST or GraphQL found it malformed. */
  readonly payouts: readonly (PayoutCreateInput | null | undefined)[];
  readonly mode?: 'partial' | 'atomic' | null | undefined;
  readonly dryRun?: boolean | null | undefined;
}

export interface BulkRow {
  readonly index: number;
  /** The row's key; null for a row that was refused by its shape. */
  readonly idempotencyKey: string | null;
  /**
   * `replayed`: the payout existed before. `not_attempted`: the row is valid but was not created,
   * because another row of its atomic request failed; its key is not used up.
   */
  readonly status: 'created' | 'replayed' | 'failed' | 'not_attempted';
  /** Null for a failed row, one that was not attempted, and in a dry run. */
  readonly payout: Payout | null;
  /** Null unless the row failed. */
  readonly error: DomainError | null;
  /** Of a row that a dry run would create: whether the funds would cover it. Null otherwise. */
  readonly funding: FundingOutlook | null;
}

/**
 * Creates up to PAYOUT_BULK_ROWS payouts, each under its own idempotency key. The mode `partial`
 * creates those that pass the checks, `atomic` all or none. The same request sent again completes
 * what is missing and duplicates nothing. Two rows with one key need the same content and make one
 * payout. A predecessor can be named by one row only. Throws forbidden, `validation_failed` for the
 * number of rows, and `RATE_LIMITED` or `too_many_requests` for a caller who asks for too much.
 * Everything else is the result of a row.
 */
export async function createPayoutsInBulk(call: Call, input: BulkInput): Promise<BulkRow[]> {
  requirePermission(call.scope, 'payouts:write');
  const count = input.payouts.length;
  const maximumBulkRows = call.services.config.PAYOUT_BULK_ROWS;
  if (count < 1 || count > maximumBulkRows) {
    const message = `must have 1 to ${maximumBulkRows} rows`;
    throw invalid([{ field: 'payouts', code: count < 1 ? 'too_short' : 'too_long', message }]);
  }
  return inBulk(call, count, () => createAll(call, input));
}

async function createAll(call: Call, input: BulkInput): Promise<BulkRow[]> {
  const atomic = input.mode === 'atomic';
  const plan = await planRows(call, input.payouts);
  const refusedEarly = plan.rows.some((row) => 'error' in row);
  // All or none: when one row is refused already, the others are checked and not written.
  const nothing = atomic && refusedEarly;
  const funds = input.dryRun === true && !nothing ? await dryFundsOf(call) : null;
  const results = await createRows(call, plan.payouts, {
    dryRun: input.dryRun === true || nothing,
    atomic: atomic && !nothing,
    funds,
  });
  const byId = new Map(plan.payouts.map((payout, i) => [payout.id, results[i]]));
  const keys = new Map(plan.payouts.map(({ id, idempotencyKey }) => [id, idempotencyKey]));
  const outlooks =
    input.dryRun === true
      ? await outlooksOf(call, plan.payouts, results)
      : new Map<string, never>();
  const bulk = plan.rows.map((row, index) => ({
    ...toBulkRow(index, row, byId),
    idempotencyKey: 'error' in row ? null : (keys.get(row.payoutId) ?? null),
    funding: 'error' in row || row.repeats ? null : (outlooks.get(row.payoutId) ?? null),
  }));
  return atomic && bulk.some((row) => row.status === 'failed') ? bulk.map(leftWithOthers) : bulk;
}

/** Whether the funds would cover the payouts that a dry run would create, by their ids. */
async function outlooksOf(
  call: Call,
  payouts: readonly PreparedPayout[],
  results: readonly RowResult[],
): Promise<Map<string, FundingOutlook>> {
  const passed = payouts.filter((_payout, i) => results[i]?.kind === 'passed');
  const outlooks = await fundingOutlook(call, passed);
  return new Map(
    outlooks.flatMap((outlook, i) => {
      const payout = passed[i];
      return payout === undefined ? [] : [[payout.id, outlook] as const];
    }),
  );
}

type PlannedRow =
  | { readonly error: DomainError }
  | { readonly payoutId: string; readonly repeats: boolean };

interface Plan {
  readonly rows: readonly PlannedRow[];
  /** The payouts for the database. No two have the same key or the same predecessor. */
  readonly payouts: readonly PreparedPayout[];
}

async function planRows(call: Call, given: BulkInput['payouts']): Promise<Plan> {
  const payouts: PreparedPayout[] = [];
  const byKey = new Map<string, PreparedPayout>();
  const predecessors = new Set<string>();
  const rows = await mapInTurns(given, (row, index): PlannedRow => {
    try {
      const { payout } = preparePayout(call, requireRow(row));
      const earlier = byKey.get(payout.idempotencyKey);
      if (earlier !== undefined) {
        if (!earlier.requestHash.equals(payout.requestHash)) {
          return { error: new DomainError('IDEMPOTENCY_KEY_REUSED') };
        }
        return { payoutId: earlier.id, repeats: true };
      }
      const { replacesPayoutId } = payout;
      if (replacesPayoutId !== null && predecessors.has(replacesPayoutId)) {
        return { error: new DomainError('PREDECESSOR_ALREADY_REPLACED') };
      }
      if (replacesPayoutId !== null) predecessors.add(replacesPayoutId);
      byKey.set(payout.idempotencyKey, payout);
      payouts.push(payout);
      return { payoutId: payout.id, repeats: false };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return { error: atRow(index, error) };
    }
  });
  return { rows, payouts };
}

function requireRow(row: PayoutCreateInput | null | undefined): PayoutCreateInput {
  if (row === null || row === undefined) {
    throw invalid([{ field: '', code: 'invalid_type', message: 'The row is malformed.' }]);
  }
  if (row.dryRun !== undefined && row.dryRun !== null) {
    const message = 'A dry run is asked for the whole request, not for a row.';
    throw invalid([{ field: 'dryRun', code: 'unknown_field', message }]);
  }
  return row;
}

/** The field errors of a row name the path from the root of the request: `payouts[3].amountMinor`. */
function atRow(index: number, error: DomainError): DomainError {
  if (error.details.length === 0) return error;
  return new DomainError(error.code, {
    message: error.message,
    details: error.details.map((detail) => ({
      ...detail,
      field: `payouts[${index}]${detail.field === '' ? '' : `.${detail.field}`}`,
    })),
  });
}

function toBulkRow(
  index: number,
  row: PlannedRow,
  byId: ReadonlyMap<string, RowResult | undefined>,
): Omit<BulkRow, 'funding' | 'idempotencyKey'> {
  if ('error' in row) return { index, status: 'failed', payout: null, error: row.error };
  const result = byId.get(row.payoutId);
  if (result === undefined) throw new Error('every planned row has a result');
  if (result.kind === 'failed') {
    return { index, status: 'failed', payout: null, error: result.error };
  }
  const status = row.repeats || result.kind === 'replayed' ? 'replayed' : 'created';
  return { index, status, payout: result.kind === 'passed' ? null : result.payout, error: null };
}

/**
 * The result of a valid row in an atomic request that was refused. A payout that existed before is
 * still shown: a caller who believed it refused would pay it again under a new key.
 */
function leftWithOthers(row: BulkRow): BulkRow {
  const exists = row.status === 'replayed' && row.payout !== null;
  if (row.status === 'failed' || exists) return row;
  return { ...row, status: 'not_attempted', payout: null, error: null, funding: null };
}
