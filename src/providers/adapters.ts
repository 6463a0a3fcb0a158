import type { Adapter } from './adapter.ts';
import { adyenAdapter } from './adyen/adapter.ts';
import { gatewayAdapter } from './gateway/adapter.ts';
import { stripeAdapter } from './stripe/adapter.ts';

/**
 * The adapters that may pay in production, by the name that `PROVIDER` gives. A further one is a row
 * here (docs/providers.md). A name is stored on payouts and is part of the path of the
 * provider's events, so it never changes.
 */
export const adapters = {
  gateway: gatewayAdapter,
  adyen: adyenAdapter,
  stripe: stripeAdapter,
} as const satisfies Record<string, Adapter>;
export type AdapterName = keyof typeof adapters;
