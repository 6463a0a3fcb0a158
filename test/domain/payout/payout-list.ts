import {
  choosePayoutList,
  type PayoutListPlan,
  type PayoutOrder,
} from '../../../src/domain/payout/list/choose.ts';
import { payoutListFilter, type PayoutListFilter } from '../../../src/domain/payout/list/filter.ts';
import { listPosition, readPayoutList } from '../../../src/domain/payout/list/read.ts';
import type { Call } from '../../../src/process/services.ts';
import { parseInput } from '../../../src/values/validate.ts';

/** The plan of a list, from a filter as a caller gives it. */
function planList(filter: object, order: PayoutOrder | null = null): PayoutListPlan {
  return choosePayoutList(parseInput(payoutListFilter, filter), order, Date.now());
}

/** Up to `take` payouts that changed at or after a time, oldest change first, and where they end. */
export async function changedPayouts(
  call: Call,
  filter: Partial<PayoutListFilter> & { readonly updatedSince: string },
  after: string | null,
  take: number,
) {
  const plan = planList(filter);
  const { rows } = await readPayoutList(call, plan, {
    after,
    before: null,
    take,
    backwards: false,
  });
  const last = rows.at(-1);
  return {
    ids: rows.map(({ id }) => id),
    end: last === undefined ? null : listPosition(plan, last),
  };
}
