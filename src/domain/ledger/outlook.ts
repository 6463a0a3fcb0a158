import type { Call } from '../../process/services.ts';
import { readBooks } from './books.ts';

/** Whether the funds would cover the approval of a payout, in minor units of `currency`. */
export interface FundingOutlook {
  readonly currency: string;
  /** Posted funds, less what is held, less what the payouts before it in the same request would take. */
  readonly availableMinor: bigint;
  /** What would be missing; 0 where the funds cover it. */
  readonly shortfallMinor: bigint;
}

/**
 * Whether the posted funds would cover the approval of each of these payouts, one after the other, at this
 * moment. It is information in either mode of a tenant, and reserves nothing.
 */
export async function fundingOutlook(
  { scope, services }: Call,
  payouts: readonly { readonly currency: string; readonly amountMinor: bigint }[],
): Promise<FundingOutlook[]> {
  const { balances } = await readBooks(services.pool, scope);
  const left = new Map(balances.map((one) => [one.currency, one.availableMinor]));
  return payouts.map(({ currency, amountMinor }) => {
    const available = left.get(currency) ?? 0n;
    const shortfall = amountMinor > available ? amountMinor - available : 0n;
    // As at the creation, what the funds do not cover takes nothing from those after it.
    if (shortfall === 0n) left.set(currency, available - amountMinor);
    return { currency, availableMinor: available, shortfallMinor: shortfall };
  });
}
