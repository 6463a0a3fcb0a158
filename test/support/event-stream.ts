import { patience } from './patience.ts';

/** A block of a stream of server-sent events, and what its `data` says where that is JSON. */
export interface SentEvent {
  readonly id: string | null;
  readonly event: string | null;
  readonly comment: string | null;
  // What a test asked for; naming its shape for each query would repeat the schema.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any;
}

export interface EventReader {
  readonly status: number;
  readonly headers: Headers;
  /** Of an answer that is no stream. */
  readonly text: () => Promise<string>;
  /** Every block that has come so far. */
  readonly seen: readonly SentEvent[];
  /** The id that a browser would send as Last-Event-ID. */
  readonly lastId: () => string | null;
  /** The next block that satisfies the test; null at the end of the stream. */
  next(test: (sent: SentEvent) => boolean): Promise<SentEvent | null>;
  /** Resolves when the server has ended the answer. */
  ended(): Promise<void>;
  close(): Promise<void>;
}

function blockOf(text: string): SentEvent {
  const fields = new Map<string, string>();
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':');
    fields.set(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const data = fields.get('data') ?? '';
  return {
    id: fields.get('id') ?? null,
    event: fields.get('event') ?? null,
    comment: fields.get('') ?? null,
    data: data === '' ? null : JSON.parse(data),
  };
}

interface Asked {
  readonly key: string | undefined;
  readonly query: string;
  readonly variables?: Record<string, unknown>;
  readonly lastId?: string | null;
  readonly headers?: Record<string, string>;
}

/** Opens a subscription as a browser's program does it, with `fetch`. */
export async function openEvents(
  baseUrl: string,
  { key, query, variables = {}, lastId = null, headers = {} }: Asked,
): Promise<EventReader> {
  const ending = new AbortController();
  const answer = await fetch(`${baseUrl}/graphql`, {
    method: 'POST',
    headers: {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(lastId === null ? {} : { 'last-event-id': lastId }),
      ...headers,
    },
    body: JSON.stringify({ query, variables }),
    signal: AbortSignal.any([ending.signal, patience()]),
  });
  const streams = (answer.headers.get('content-type') ?? '').startsWith('text/event-stream');
  const seen: SentEvent[] = [];
  let told = 0;
  const blocks = streams ? readBlocks(answer) : null;
  const take = async (): Promise<boolean> => {
    const next = await blocks?.next();
    if (next === undefined || next.done === true) return false;
    seen.push(next.value);
    return true;
  };
  return {
    status: answer.status,
    headers: answer.headers,
    text: () => answer.text(),
    seen,
    lastId: () => seen.findLast(({ id }) => id !== null)?.id ?? null,
    async next(test) {
      for (;;) {
        for (; told < seen.length;) {
          const sent = seen[told];
          told += 1;
          if (sent !== undefined && test(sent)) return sent;
        }
        if (!(await take())) return null;
      }
    },
    async ended() {
      while (await take());
    },
    async close() {
      ending.abort();
      await blocks?.return(undefined).catch(() => undefined);
    },
  };
}

async function* readBlocks(answer: Response): AsyncGenerator<SentEvent, void, void> {
  let text = '';
  for await (const part of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      yield blockOf(text.slice(0, end));
      text = text.slice(end + 2);
    }
  }
}
