import { setTimeout as sleep } from 'node:timers/promises';
import type { PayoutClient } from '../../client/src/index.ts';
import type { Receiver } from './receiver.ts';

/** Who asks about the deliveries, and to whom they go. */
interface Deliveries {
  readonly client: PayoutClient;
  readonly receiver: Receiver;
  readonly signal: AbortSignal;
}

const pauseMs = 1_000;

/** Errors that the next attempt has too; a lost connection is none of them. */
const lasting = /^(?:tls|refused_target|dns):/;

/** The lasting error of a delivery; null where there is none. */
async function refusal({ client }: Deliveries): Promise<string | null> {
  const { deliveries } = await client.listWebhookDeliveries({ query: { limit: 20 } });
  const tried = deliveries.find(
    ({ status, attempt_count: attempts }) => status !== 'delivered' && attempts > 0,
  );
  if (tried === undefined) return null;
  const { delivery } = await client.getWebhookDelivery({ path: { deliveryId: tried.id } });
  const error = delivery.attempts.at(-1)?.error ?? '';
  return lasting.test(error) ? error : null;
}

/**
 * Waits for `arrived`, unless the service tells that it cannot deliver: then nothing will arrive for as long as it
 * tries again. Throws an Error that says why, and what mends it.
 */
export async function untilRefused<Value>(
  context: Deliveries,
  arrived: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const done = new AbortController();
  const signal = AbortSignal.any([context.signal, done.signal]);
  const { receiver } = context;
  const refused = async (): Promise<never> => {
    for (;;) {
      await sleep(pauseMs, undefined, { signal });
      const error = await refusal(context);
      if (error === null) continue;
      const mend = error.startsWith('tls:')
        ? ` It does not trust the demo's authority: start it with WEBHOOK_EXTRA_CA_FILE=${receiver.caFile}.`
        : '';
      throw new Error(`The service cannot deliver to ${receiver.url}: ${error}.${mend}`);
    }
  };
  try {
    return await Promise.race([arrived(signal), refused()]);
  } finally {
    done.abort();
  }
}
