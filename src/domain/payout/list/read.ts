import type { Payout } from '../../../../generated/prisma/client.ts';
import { firstRow, rows } from '../../../db/pool.ts';
import type { Call } from '../../../process/services.ts';
import type { PageRange } from '../../page-range.ts';
import { changesHorizon } from '../../changes-horizon.ts';
import type { PayoutListPlan } from './choose.ts';
import { payoutOrders, type PayoutOrderField } from './orders.ts';
import {
  countStatement,
  pageStatement,
  sumsStatement,
  windowEndStatement,
  type ListParameter,
} from './statements.ts';

/** A payout with the key that its list is sorted by. */
export type ListedPayout = Payout & { readonly listKey: string };

/**
 * How many payouts one page looks at where conditions remain that its walk does not answer. Among groups
 * each of them may look at so many entries of an index.
 */
const windows = { exact: 10_000, groups: 1_000 };

const isGrouped = (walk: PayoutListPlan['walk']): walk is PayoutOrderField =>
  Object.hasOwn(payoutOrders, walk);

interface CursorBound {
  readonly key: string;
  readonly id: string;
}

/** Where a payout stands in a list. */
export function listPosition(
  { walk }: PayoutListPlan,
  { listKey, id }: Pick<ListedPayout, 'listKey' | 'id'>,
): string {
  return isGrouped(walk) ? `${listKey} ${id}` : id;
}

function boundAt(position: string): CursorBound {
  const space = position.lastIndexOf(' ');
  return { key: position.slice(0, Math.max(space, 0)), id: position.slice(space + 1) };
}

/** Before an id and behind every lower one of its length. */
function justBefore(id: string): string {
  const last = id.length - 1;
  return `${id.slice(0, last)}${String.fromCharCode(id.charCodeAt(last) - 1)}~`;
}

type Values = Readonly<Record<ListParameter, unknown>> & { readonly tenant: string };

/** The parameters of the list's statements; `low` and `high` do not belong to what is read. */
function valuesOf(
  call: Call,
  plan: PayoutListPlan,
  bounds: { readonly low: CursorBound; readonly high: CursorBound },
  sizes: { readonly window: number; readonly take: number },
): Values {
  const { currency, failureCode, provider, beneficiaryId, externalRef, idempotencyKey, replaced } =
    plan.filter;
  return {
    tenant: call.scope.tenantId,
    states: plan.states,
    currency: currency ?? null,
    failureCode: failureCode ?? null,
    provider: provider ?? null,
    beneficiaryId: beneficiaryId ?? null,
    externalRef: externalRef ?? null,
    idempotencyKey: idempotencyKey ?? null,
    replaced: replaced ?? null,
    lowKey: bounds.low.key,
    lowId: bounds.low.id,
    highKey: bounds.high.key,
    highId: bounds.high.id,
    ...sizes,
  };
}

/** The bounds of the whole list. Every id is above '' and below '~'. */
async function wholeOf(call: Call, plan: PayoutListPlan) {
  if (!isGrouped(plan.walk)) return { low: { key: '', id: '' }, high: { key: '', id: '~' } };
  const high = plan.poll ? await changesHorizon(call, plan.high) : plan.high;
  return { low: { key: plan.low, id: '' }, high: { key: high, id: '' } };
}

/**
 * Reads a range of a list. Where conditions remain that the walk does not answer, it looks at a window of
 * payouts: `stoppedAt` is then the end of the window, behind which there may be more.
 */
export async function readPayoutList(
  call: Call,
  plan: PayoutListPlan,
  { after, before, take, backwards }: PageRange,
): Promise<{ readonly rows: ListedPayout[]; readonly stoppedAt: string | null }> {
  const { pool } = call.services;
  const whole = await wholeOf(call, plan);
  const [fromLow, fromHigh] = plan.descending ? [before, after] : [after, before];
  const bounds = {
    low: fromLow === null ? whole.low : boundAt(fromLow),
    high: fromHigh === null ? whole.high : boundAt(fromHigh),
  };
  const window = plan.narrowed ? windows[isGrouped(plan.walk) ? 'groups' : 'exact'] : take;
  const values = valuesOf(call, plan, bounds, { window, take });
  const direction = plan.descending === backwards ? 'ASC' : 'DESC';
  const page = pageStatement(plan.walk, direction);
  const found = await rows<ListedPayout>(pool, page, page.of(values));
  if (!plan.narrowed || found.length === take) return { rows: found, stoppedAt: null };
  const ending = windowEndStatement(plan.walk, direction);
  const end = await firstRow<Pick<ListedPayout, 'listKey' | 'id'>>(pool, ending, ending.of(values));
  if (end === null) return { rows: found, stoppedAt: null };
  // A payout that changed between the two statements has left the window, and another came in at its end, which
  // the page has not looked at.
  const upTo =
    direction === 'ASC'
      ? { highKey: end.listKey, highId: `${end.id}~` }
      : { lowKey: end.listKey, lowId: justBefore(end.id) };
  const again = await rows<ListedPayout>(pool, page, page.of({ ...values, ...upTo }));
  return { rows: again, stoppedAt: again.length === take ? null : listPosition(plan, end) };
}

/**
 * Counts a list up to `most` payouts that its walk looks at. `exact` is false where there are more of them,
 * which the count then leaves out.
 */
export async function countPayoutList(
  call: Call,
  plan: PayoutListPlan,
  most: number,
): Promise<{ readonly count: number; readonly exact: boolean }> {
  const bounds = await wholeOf(call, plan);
  const values = valuesOf(call, plan, bounds, { window: most, take: most });
  const counting = countStatement(plan.walk, plan.narrowed);
  const counted = await firstRow<{ found: number; walked: number }>(
    call.services.pool,
    counting,
    counting.of(values),
  );
  const { found = 0, walked = 0 } = counted ?? {};
  return { count: Math.min(found, most - 1), exact: walked < most };
}

/** What the payouts of a list come to in one currency. */
export interface PayoutSum {
  readonly currency: string;
  readonly count: number;
  /** Minor units of the currency. */
  readonly amountMinor: bigint;
}

/**
 * Adds a list up by currency; null where its walk looks at more than `most` payouts, of which a part would be no
 * answer.
 */
export async function sumPayoutList(
  call: Call,
  plan: PayoutListPlan,
  most: number,
): Promise<PayoutSum[] | null> {
  const bounds = await wholeOf(call, plan);
  const values = valuesOf(call, plan, bounds, { window: most + 1, take: most });
  const adding = sumsStatement(plan.walk);
  const found = await rows<{
    currency: string;
    walked: number;
    count: number;
    amountMinor: string | null;
  }>(call.services.pool, adding, adding.of(values));
  if (found.reduce((sum, { walked }) => sum + walked, 0) > most) return null;
  return found.flatMap(({ currency, count, amountMinor }) =>
    amountMinor === null ? [] : [{ currency, count, amountMinor: BigInt(amountMinor) }],
  );
}
