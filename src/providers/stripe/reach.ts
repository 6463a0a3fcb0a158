import { sepaCountries } from '../../reference/sepa.ts';
import { paidScheme, type PaidScheme } from '../capabilities.ts';
import type { Network } from './settings.ts';

/** Stripe counts these in a unit of its own, so nothing is paid in them. */
export const countedOtherwise: readonly string[] = ['ISK', 'UGX'];

/** What the financial account holds, and where it may pay to; null where that is not known. */
export interface StripeReach {
  /** ISO 4217. */
  readonly currencies: readonly string[] | null;
  /** ISO 3166-1 alpha-2. */
  readonly countries: readonly string[] | null;
}

interface NetworkReach {
  readonly currency: string | null;
  readonly countries: readonly string[] | null;
}

/** The one currency of each network, and where it pays to; null where it pays in any, or to any. */
const networks: Readonly<Record<Network, NetworkReach>> = {
  ach: { currency: 'USD', countries: ['US'] },
  fedwire: { currency: 'USD', countries: ['US'] },
  fps: { currency: 'GBP', countries: ['GB'] },
  rtp: { currency: 'USD', countries: ['US'] },
  sepa: { currency: 'EUR', countries: sepaCountries },
  swift: { currency: null, countries: null },
};

/** What is paid by each network. The preferred ones do not limit it: where none of them reaches, Stripe chooses. */
export function paidBy({ currencies, countries }: StripeReach): PaidScheme[] {
  const held = currencies?.filter((currency) => !countedOtherwise.includes(currency)) ?? null;
  return Object.entries(networks).flatMap(([network, reach]) => {
    if (reach.currency !== null && held?.includes(reach.currency) === false) return [];
    const reached = reach.countries?.filter((country) => countries?.includes(country) ?? true);
    if (reached?.length === 0) return [];
    return paidScheme(network, {
      currencies: reach.currency === null ? held : [reach.currency],
      exceptCurrencies: reach.currency === null ? countedOtherwise : [],
      countries: reached ?? countries,
    });
  });
}
