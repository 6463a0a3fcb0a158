import type { Config } from '../../process/config.ts';

/**
 * Which rate limit a tenant has: `thin` for the sandbox of a business whose profile is
 * incomplete; `generous` for a submitted or accepted profile, and for production always.
 */
export type Tier = 'thin' | 'generous';

/** A tenant's tier as SQL, over the aliases of its row and of its business. */
export const tierSql = (tenant: string, business: string): string => `
      CASE WHEN ${tenant}.environment = 'sandbox' AND ${business}.profile_status = 'incomplete'
        THEN 'thin' ELSE 'generous' END`;

/** Requests a minute of a tenant in this tier. */
export function quotaOf(
  tier: Tier,
  config: Pick<Config, 'RATE_LIMIT_THIN' | 'RATE_LIMIT_GENEROUS'>,
): number {
  return tier === 'thin' ? config.RATE_LIMIT_THIN : config.RATE_LIMIT_GENEROUS;
}
