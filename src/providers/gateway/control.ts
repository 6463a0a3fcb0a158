import { z } from 'zod';
import type { SimulatedEvent } from '../../values/simulated-events.ts';
import type { SandboxClient } from './client.ts';
import { wirePayout } from './wire.ts';

/**
 * What the sandbox can make happen at its provider (decisions 8). No other provider has this; what
 * follows reaches the service as the provider's own signed events.
 */
export interface SandboxControl {
  /**
   * Makes an event happen to a payout that the provider has. Throws ProviderError: `rejected` when
   * the payout is unknown or its status does not permit the event.
   */
  simulate(providerPayoutId: string, event: SimulatedEvent): Promise<void>;
  /**
   * Lifts the hold of a submission that the provider's compliance refused (verdict `held`), and of
   * its payee; announced by the event `released` for the held reference. Throws ProviderError.
   */
  releaseHeld(reference: string): Promise<void>;
}

const timeoutMs = 10_000;

export function createSandboxControl(client: SandboxClient): SandboxControl {
  return {
    async simulate(providerPayoutId, event) {
      await client.ask(
        {
          method: 'POST',
          path: `/control/payouts/${encodeURIComponent(providerPayoutId)}/events`,
          body: { event },
          definite: [404, 409],
          answer: wirePayout,
        },
        AbortSignal.timeout(timeoutMs),
      );
    },
    async releaseHeld(reference) {
      await client.ask(
        {
          method: 'POST',
          path: '/control/releases',
          body: { reference },
          answer: z.object({ data: z.array(z.unknown()) }),
        },
        AbortSignal.timeout(timeoutMs),
      );
    },
  };
}
