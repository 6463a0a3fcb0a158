import type { PayoutBatchRow } from '../../../generated/prisma/client.ts';
import type { Actor } from '../../access/scope.ts';
import { onOrderOf } from '../../access/system.ts';
import { mapInTurns } from '../../concurrency/event-loop.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { crashPoint } from '../../process/crash-point.ts';
import type { Call } from '../../process/services.ts';
import { createRows, type PreparedPayout } from '../payout/create-rows.ts';
import { batchNotSubmitted } from '../payout/create-store.ts';
import { prepareRow } from './prepare.ts';
import { findMade, noteRows, readRowsToMake, type Found } from './store.ts';

/** Payouts of one transaction, which then takes well under a second; fewer where a bulk may have no more. */
const payoutsAtATime = 500;

/**
 * Makes the payouts of a submitted batch, in the order of its rows, as those who added them. Of a row that is refused by
 * now it is written down why. Resolves with false where the batch was canceled meanwhile. Throws where others were in the
 * way each time: the job then comes again.
 */
export async function makePayouts(call: Call, batchId: string): Promise<boolean> {
  const take = Math.min(payoutsAtATime, call.services.config.PAYOUT_BULK_ROWS);
  let busy = 0;
  for (let after = 0; ;) {
    const chunk = await readRowsToMake(call, batchId, after, take);
    const last = chunk.at(-1);
    if (last === undefined) break;
    const made = await findMade(
      call,
      batchId,
      chunk.map(({ n }) => n),
    );
    await noteRows(call, batchId, [...made.keys()].map(asMade));
    const left = chunk.filter(({ n }) => !made.has(n));
    for (const group of Map.groupBy(left, ({ addedBy }) => JSON.stringify(addedBy)).values()) {
      const found = await makeSome(call, batchId, group);
      if (found === null) return false;
      crashPoint('payout_batch_chunk');
      const settled = found.filter(({ error }) => error?.code !== 'PAYOUT_CONCURRENCY_CONFLICT');
      busy += found.length - settled.length;
      await noteRows(call, batchId, settled);
    }
    after = last.n;
  }
  if (busy > 0) throw new Error(`${busy} payouts of a batch could not be made yet`);
  crashPoint('payout_batch_made');
  return true;
}

const asMade = (n: number): Found => ({ n, status: 'made', error: null, provider: null });

/** Makes the payouts of rows that one actor added. Resolves with what became of each; null for a canceled batch. */
async function makeSome(
  call: Call,
  batchId: string,
  group: readonly PayoutBatchRow[],
): Promise<Found[] | null> {
  const [first] = group;
  if (first === undefined) return [];
  // A JSON column; the command that added the row wrote it.
  const scope = onOrderOf(call.scope, first.addedBy as unknown as Actor);
  const prepared = await mapInTurns(group, (row): PreparedPayout | DomainError => {
    const one = prepareRow({ ...call, scope }, row);
    return one instanceof DomainError ? one : { ...one, madeOf: { batchId, batchRow: row.n } };
  });
  const payouts = prepared.filter((one): one is PreparedPayout => !(one instanceof DomainError));
  try {
    const mode = { dryRun: false, atomic: false, funds: null };
    const results = payouts.length === 0 ? [] : await createRows({ ...call, scope }, payouts, mode);
    const made = new Map(payouts.map(({ id }, index) => [id, results[index]]));
    return prepared.map((one, index): Found => {
      const n = group[index]?.n ?? 0;
      const refusal = refusalOf(one, made, batchId);
      return refusal === null ? asMade(n) : { n, status: 'failed', error: refusal, provider: null };
    });
  } catch (error) {
    if (batchNotSubmitted(error)) return null;
    throw error;
  }
}

/** Why no payout was made of a row; null where one was, also by an earlier run. */
function refusalOf(
  one: PreparedPayout | DomainError,
  made: ReadonlyMap<string, Awaited<ReturnType<typeof createRows>>[number] | undefined>,
  batchId: string,
): DomainError | null {
  if (one instanceof DomainError) return one;
  const result = made.get(one.id);
  if (result?.kind === 'failed') return result.error;
  if (result?.kind === 'created') return null;
  // The key is the row's own, so another payout of it is somebody's who guessed it.
  const own = result?.kind === 'replayed' && result.payout.batchId === batchId;
  return own ? null : new DomainError('IDEMPOTENCY_KEY_REUSED');
}
