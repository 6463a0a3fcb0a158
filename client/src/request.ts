import {
  apiVersion,
  operations,
  type Operation,
  type Operations,
} from './generated/operations.gen.ts';
import { newKey } from './key.ts';

export type OperationName = keyof Operations;

/** What a caller gives of a request, by where it goes. */
export interface RequestParts {
  readonly body?: unknown;
  readonly path?: object;
  readonly query?: object;
  readonly headers?: object;
}

/** A request as it is sent, the same on every attempt. */
export interface Prepared {
  readonly name: OperationName;
  readonly method: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | Blob | undefined;
  /** The key that makes it take effect once; null where it has none, or one for each row. */
  readonly idempotencyKey: string | null;
  readonly keyed: boolean;
  /** Sending it again changes nothing more: it only reads, or is keyed. */
  readonly repeatable: boolean;
}

/** What the operations have in paths, queries and headers; a query may have a list of it. */
type Plain = string | number | boolean;

function entriesOf(given: object | undefined): [string, Plain | readonly Plain[]][] {
  const all: Readonly<Record<string, Plain | readonly Plain[] | null | undefined>> = { ...given };
  return Object.entries(all).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, value]],
  );
}

/** An id with its slashes and such escaped; `..` would ask for another path. */
function segment(name: string, value: Plain = ''): string {
  const text = String(value);
  if (text === '' || text === '.' || text === '..') {
    throw new TypeError(`path.${name} must be an id, not "${text}".`);
  }
  return encodeURIComponent(text);
}

function urlOf(baseUrl: string, template: string, { path, query }: RequestParts): string {
  const ids: Readonly<Record<string, Plain>> = { ...path };
  const filled = template.replace(/\{(\w+)\}/g, (_match, name: string) => segment(name, ids[name]));
  const search = new URLSearchParams();
  for (const [name, value] of entriesOf(query)) {
    for (const one of [value].flat()) search.append(name, String(one));
  }
  const text = search.toString();
  return `${baseUrl}${filled}${text === '' ? '' : `?${text}`}`;
}

interface Keyed {
  readonly body: unknown;
  readonly idempotencyKey: string | null;
}

/** The body with a key of its own where the operation takes one and the caller gave none. */
function withKey(field: string, { body, headers }: RequestParts): Keyed {
  const sent = entriesOf(headers).find(([name]) => name.toLowerCase() === 'idempotency-key');
  const fields: Readonly<Record<string, Plain>> = { ...(body as object | undefined) };
  const given = fields[field] ?? (field === 'idempotency_key' ? sent?.[1] : undefined);
  if (given !== undefined) return { body, idempotencyKey: String(given) };
  const key = newKey();
  return { body: { ...fields, [field]: key }, idempotencyKey: key };
}

/** Bodies are JSON, but for a CSV file, which is text, and for a file as it is. */
function contentOf(body: unknown): { type: string | null; content: string | Blob | undefined } {
  if (body === undefined) return { type: null, content: undefined };
  if (typeof body === 'string') return { type: 'text/csv', content: body };
  if (body instanceof Blob) return { type: body.type, content: body };
  return { type: 'application/json', content: JSON.stringify(body) };
}

/**
 * Makes the request of an operation, with a key where it takes one. Throws TypeError for an id that
 * does not fit into a path.
 */
export function prepare(
  name: OperationName,
  given: RequestParts,
  { baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string | undefined },
): Prepared {
  const { method, path, key }: Operation = operations[name];
  const keyed =
    key === undefined || key === 'rows'
      ? { body: given.body, idempotencyKey: null }
      : withKey(key, given);
  const { type, content } = contentOf(keyed.body);
  const headers = new Headers({ Accept: '*/*', 'X-Api-Version': apiVersion });
  if (apiKey !== undefined) headers.set('Authorization', `Bearer ${apiKey}`);
  if (type !== null) headers.set('Content-Type', type);
  for (const [header, value] of entriesOf(given.headers)) headers.set(header, String(value));
  return {
    name,
    method,
    url: urlOf(baseUrl, path, given),
    headers,
    body: content,
    idempotencyKey: keyed.idempotencyKey,
    keyed: key !== undefined,
    repeatable: key !== undefined || method === 'GET',
  };
}
