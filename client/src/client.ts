import { operations, type Operation, type Operations } from './generated/operations.gen.ts';
import { prepare, type RequestParts, type OperationName } from './request.ts';
import { send, Unreadable, type Sending } from './send.ts';

export interface ClientOptions {
  /** Where the service is, for example `https://payouts.example.com`. */
  readonly baseUrl: string;
  /** `pos_<environment>_…`; only the registration needs none. */
  readonly apiKey?: string | undefined;
  /** The longest that one attempt may take, in milliseconds; 30,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** How many times a request is sent again at most; 4 by default, 0 for never. */
  readonly maxRetries?: number | undefined;
  /** No attempt begins later than this after the first one, in milliseconds; 60,000 by default. */
  readonly retryForMs?: number | undefined;
  /** In the place of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Ends every call that is under way. */
  readonly signal?: AbortSignal | undefined;
}

/** What differs for one call. */
export type CallOptions = Pick<ClientOptions, 'timeoutMs' | 'maxRetries' | 'retryForMs' | 'signal'>;

/** What an operation takes: `body`, `path`, `query` and `headers`. */
export type Input<Name extends OperationName> = Omit<Operations[Name]['data'], 'url'>;

/** What an operation answers. */
export type Answer<Name extends OperationName> =
  Operations[Name]['responses'][keyof Operations[Name]['responses']];

type Call<Taken, Answered> = [object] extends [Taken]
  ? (input?: Taken, options?: CallOptions) => Promise<Answered>
  : (input: Taken, options?: CallOptions) => Promise<Answered>;

/** The answer of a request that only tries, where the operation has one of its own. */
type DryRun<Name extends OperationName> = Extract<Answer<Name>, { readonly dry_run: true }>;

/** An operation as a method. What a dry run answers is told apart by what the body asks for. */
type Method<Name extends OperationName> = [DryRun<Name>] extends [never]
  ? Call<Input<Name>, Answer<Name>>
  : Call<Input<Name> & { body: { dry_run?: false } }, Exclude<Answer<Name>, DryRun<Name>>> &
      Call<Input<Name> & { body: { dry_run: true } }, DryRun<Name>> &
      Call<Input<Name>, Answer<Name>>;

/** A list that comes in pages. */
export type PagedName = {
  [Name in OperationName]: Operations[Name]['responses'] extends {
    readonly 200: { readonly next_cursor: string | null };
  }
    ? Name
    : never;
}[OperationName];

type Rows<Page> = {
  [Field in keyof Page]: Page[Field] extends readonly (infer Row)[] ? Row : never;
}[keyof Page];

/** One row of a list. */
export type Item<Name extends PagedName> = Rows<Answer<Name>>;

interface Besides {
  /** Every row of a list, page by page as they are asked for. */
  all<Name extends PagedName>(
    name: Name,
    input?: Input<Name>,
    options?: CallOptions,
  ): AsyncGenerator<Item<Name>, void>;
  /** Every page of a list. */
  pages<Name extends PagedName>(
    name: Name,
    input?: Input<Name>,
    options?: CallOptions,
  ): AsyncGenerator<Answer<Name>, void>;
  /**
   * The answer with its headers and its body unread, for what the method hides: the status, a
   * `Location`, a large file as a stream. `timeoutMs` then ends with the headers. Errors are thrown as
   * by the method.
   */
  raw<Name extends OperationName>(
    name: Name,
    input: Input<Name>,
    options?: CallOptions,
  ): Promise<Response>;
  /** The same client with other options, for example another key. */
  with(options: Partial<ClientOptions>): PayoutClient;
}

/** One method for each operation of the API, under its operationId, and what is made from them. */
export type PayoutClient = Besides & { readonly [Name in OperationName]: Method<Name> };

/** The answer's body: JSON as a value, CSV as text, another file as a Blob. */
async function readBody(name: OperationName, response: Response): Promise<unknown> {
  if (response.status === 204 || response.status === 304) return undefined;
  const { files = [] }: Operation = operations[name];
  const [type = ''] = (response.headers.get('Content-Type') ?? '').toLowerCase().split(';');
  if (files.includes(type.trim()))
    return type.startsWith('text/') ? response.text() : response.blob();
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new Unreadable('The answer is no JSON.');
  }
}

function sendingOf(base: ClientOptions, own: CallOptions): Sending {
  const signals = [base.signal, own.signal].filter((signal) => signal !== undefined);
  return {
    // Called as a function of its own: a browser's fetch refuses to be another object's method.
    fetch: base.fetch ?? ((...request) => fetch(...request)),
    timeoutMs: own.timeoutMs ?? base.timeoutMs ?? 30_000,
    maxRetries: own.maxRetries ?? base.maxRetries ?? 4,
    retryForMs: own.retryForMs ?? base.retryForMs ?? 60_000,
    signal: signals.length === 0 ? undefined : AbortSignal.any(signals),
  };
}

/**
 * A client of the service. It holds no connection and no state but its options. Throws TypeError when
 * `baseUrl` is no http or https URL.
 */
export function createPayoutClient(options: ClientOptions): PayoutClient {
  const { protocol } = new URL(options.baseUrl);
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new TypeError('baseUrl must be an http or https URL.');
  }
  const base = { baseUrl: options.baseUrl.replace(/\/+$/, ''), apiKey: options.apiKey };

  const perform = async <Value>(
    name: OperationName,
    input: RequestParts,
    own: CallOptions,
    read: (response: Response) => Promise<Value>,
  ): Promise<Value> => send(prepare(name, input, base), sendingOf(options, own), read);

  const call = (name: OperationName, input: RequestParts, own: CallOptions): Promise<unknown> =>
    perform(name, input, own, async (response) => readBody(name, response));

  async function* pages(
    name: OperationName,
    input: RequestParts = {},
    own: CallOptions = {},
  ): AsyncGenerator<Record<string, unknown>, void> {
    for (let query: object = { ...input.query }; ;) {
      const page = await call(name, { ...input, query }, own);
      const answered = page as Record<string, unknown>; // every operation with `items` answers one
      yield answered;
      const { next_cursor: cursor } = answered;
      if (typeof cursor !== 'string') return;
      query = { ...input.query, cursor };
    }
  }

  async function* all(name: OperationName, input?: RequestParts, own?: CallOptions) {
    const { items = '' }: Operation = operations[name];
    for await (const page of pages(name, input, own)) yield* page[items] as unknown[];
  }

  const methods = Object.keys(operations).map((name) => [
    name,
    (input: RequestParts = {}, own: CallOptions = {}) => call(name as OperationName, input, own),
  ]);
  const besides = {
    all,
    pages,
    raw: (name: OperationName, input: RequestParts, own: CallOptions = {}) =>
      perform(name, input, own, async (response) => response),
    with: (changed: Partial<ClientOptions>) => createPayoutClient({ ...options, ...changed }),
  };
  // The methods are made from the table of which their types are made.
  return { ...Object.fromEntries(methods), ...besides } as PayoutClient;
}
