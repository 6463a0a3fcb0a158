import type { Services } from '../../process/services.ts';
import { RateLimitSlices, type Reserve, type Spent } from './budget.ts';
import type { LimitState } from './limit.ts';
import { removeExpiredLimits, reserveQuota, reserveWholeQuota } from './store.ts';
import { quotaOf, type Tier } from './tier.ts';

/** Window of the tenants' limit. */
const windowSeconds = 60;
const maxBudgets = 10_000;
const sweepMilliseconds = 60_000;

export interface ChargeTenant {
  /** Counts one request. */
  (tenantId: string, tier: Tier): LimitState | Promise<LimitState>;
  /**
   * Counts `units` more for a request that was counted as one: all of them, or none where it is
   * refused. With the request they are a whole window at most, so that no call is too large to be ever admitted.
   */
  more(tenantId: string, tier: Tier, units: number): Promise<LimitState>;
}

/**
 * Makes the function that counts one request of a tenant. All API processes share the quota. Each
 * takes a part of it and spends that part without a statement, so a request of a busy tenant costs a
 * look into a map. See `budget.ts`.
 */
export function createTenantLimit(
  services: Pick<Services, 'pool' | 'config' | 'log'>,
  now: () => number = () => performance.now(),
): ChargeTenant {
  const { pool, config, log } = services;
  const budgets = new Map<string, RateLimitSlices>();
  let sweepAt = now() + sweepMilliseconds;

  function sweep(at: number): void {
    sweepAt = at + sweepMilliseconds;
    for (const [tenantId, budget] of budgets) if (budget.idle) budgets.delete(tenantId);
    // Nobody waits for it, and the next sweep removes what this one could not.
    removeExpiredLimits(pool).catch((error: unknown) => {
      log.warn(
        { message: String(error) },
        'windows of rate limits that have ended could not be deleted',
      );
    });
  }

  function budgetOf(tenantId: string): RateLimitSlices {
    let budget = budgets.get(tenantId);
    if (budget === undefined) {
      const reserve: Reserve = {
        slice: (asked) => reserveQuota(pool, tenantId, asked),
        whole: (asked) => reserveWholeQuota(pool, tenantId, asked),
      };
      budget = new RateLimitSlices(reserve, windowSeconds, now);
      // The oldest gives way; all it loses is the rest of its slice.
      const [oldest] = budgets.keys();
      if (budgets.size >= maxBudgets && oldest !== undefined) budgets.delete(oldest);
      budgets.set(tenantId, budget);
    }
    return budget;
  }

  const stateOf = (quota: number, spent: Spent): LimitState => ({
    policy: 'tenant',
    quota,
    windowSeconds,
    ...spent,
  });

  function charge(tenantId: string, tier: Tier): LimitState | Promise<LimitState> {
    const at = now();
    if (at >= sweepAt) sweep(at);
    const quota = quotaOf(tier, config);
    const spent = budgetOf(tenantId).spend(quota);
    return spent instanceof Promise
      ? spent.then((later) => stateOf(quota, later))
      : stateOf(quota, spent);
  }

  return Object.assign(charge, {
    async more(tenantId: string, tier: Tier, units: number): Promise<LimitState> {
      const quota = quotaOf(tier, config);
      return stateOf(quota, await budgetOf(tenantId).spendWhole(quota, Math.min(units, quota - 1)));
    },
  });
}
