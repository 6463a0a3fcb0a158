import type { Config } from '../../config.ts';

/**
 * Which cap a tenant has (specification 7.2): `thin` for the sandbox of a business whose profile is
 * incomplete; `generous` for a submitted or accepted profile, and for production always.
 */
export type Tier = 'thin' | 'generous';

/** Requests a minute of a tenant in this tier. */
export function quotaOf(
  tier: Tier,
  config: Pick<Config, 'RATE_LIMIT_THIN' | 'RATE_LIMIT_GENEROUS'>,
): number {
  return tier === 'thin' ? config.RATE_LIMIT_THIN : config.RATE_LIMIT_GENEROUS;
}
