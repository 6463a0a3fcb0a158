import type { Call } from '../../process/services.ts';
import { readBooks } from '../ledger/books.ts';
import type { Shortage } from '../ledger/shortage.ts';

/** A payout that a dry run would approve, with its amount in minor units of `currency`. */
interface Approved {
  readonly currency: string;
  readonly amountMinor: bigint;
}

/**
 * What a dry run may still promise to payouts that `auto` approves. It says what the real request would be refused for,
 * and what the payouts before it in the request would take; it reserves nothing.
 */
export interface DryFunds {
  /** What the first currency lacks that does not cover its payouts; null where all are covered. */
  shortageOf(approved: readonly Approved[]): Shortage | null;
  /** Takes off what these would reserve. */
  take(approved: readonly Approved[]): void;
}

/** The funds of a tenant whose ledger is enforced, at this moment; null for one that may approve any amount. */
export async function dryFundsOf({ services, scope }: Call): Promise<DryFunds | null> {
  const { mode, balances } = await readBooks(services.pool, scope);
  // A sandbox draws nothing down.
  if (mode !== 'enforced' || scope.environment === 'sandbox') return null;
  const left = new Map(balances.map((one) => [one.currency, one.availableMinor]));
  const leftAfter = (approved: readonly Approved[]) => {
    const after = new Map(left);
    for (const { currency, amountMinor } of approved) {
      after.set(currency, (after.get(currency) ?? 0n) - amountMinor);
    }
    return after;
  };
  return {
    shortageOf(approved) {
      const after = leftAfter(approved);
      // The order in which the real request reserves.
      const asked = [...new Set(approved.map(({ currency }) => currency))].toSorted();
      const currency = asked.find((one) => (after.get(one) ?? 0n) < 0n);
      if (currency === undefined) return null;
      return {
        currency,
        available_minor: Number(left.get(currency) ?? 0n),
        shortfall_minor: Number(-(after.get(currency) ?? 0n)),
      };
    },
    take(approved) {
      for (const [currency, minor] of leftAfter(approved)) left.set(currency, minor);
    },
  };
}
