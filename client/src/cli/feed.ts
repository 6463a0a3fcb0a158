import type { Item, PayoutClient } from '../client.ts';

export type FedEvent = Item<'listEvents'>;

export interface FeedOptions {
  /** Of these types alone; every type without it. */
  readonly types?: readonly string[] | undefined;
  /** Recorded at this time or later; without it only what comes from now on. */
  readonly since?: string | undefined;
  /** Milliseconds between two looks. */
  readonly everyMs: number;
  readonly signal: AbortSignal;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
}

/** From now on by the service's clock: behind the newest event that there is. */
async function newest(client: PayoutClient): Promise<{ since: string; id: string | null }> {
  const { events } = await client.listEvents({ query: { limit: 1 } });
  const [event] = events;
  return { since: event?.recorded_at ?? '1970-01-01T00:00:00Z', id: event?.id ?? null };
}

/** Events as they come, each once, in the order in which they were recorded; until the signal. */
export async function* followEvents(
  client: PayoutClient,
  { types, since: from, everyMs, signal }: FeedOptions,
): AsyncGenerator<FedEvent, void> {
  const start = from === undefined ? await newest(client) : { since: from, id: null };
  let { since } = start;
  /** Of the last time, which the next look begins with. */
  let seen = new Map<string, string>(start.id === null ? [] : [[start.id, since]]);
  const type = types as NonNullable<Parameters<PayoutClient['listEvents']>[0]>['query'] extends {
    type?: infer Types;
  }
    ? Types
    : never; // the service refuses a type that it does not know
  while (!signal.aborted) {
    const query = { since, limit: 100, ...(types === undefined ? {} : { type }) };
    for await (const event of client.all('listEvents', { query }, { signal })) {
      if (seen.has(event.id)) continue;
      seen.set(event.id, event.recorded_at);
      since = event.recorded_at;
      yield event;
      if (signal.aborted) return;
    }
    seen = new Map([...seen].filter(([, at]) => at === since));
    await pause(everyMs, signal);
  }
}
