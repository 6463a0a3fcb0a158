import type { IncomingMessage } from 'node:http';
import type { Allowance } from '../src/access/admission.ts';
import { DomainError } from '../src/errors/domain-error.ts';
import { HttpError } from './http-error.ts';

/** Largest body of a request (decisions 1). */
const bodyLimit = 1024 * 1024;

/** Deepest nesting of a JSON body: what walks one afterwards may be recursive. */
const depthLimit = 32;

/** How long a body may take to arrive; a file from a phone gets more (see http-server.ts). */
const bodySeconds = 30;

/** The slowest that a body may be. */
export interface Pace {
  readonly bytesPerSecond: number;
  /** From when on it is looked at. */
  readonly afterSeconds: number;
}

/**
 * Reads the raw bytes of a request up to `limit`. Throws HttpError with 413 over it; the rest is then
 * not kept, but taken off the connection until the request's time is up, since a caller that is
 * still sending would not see the answer of a closed one. Throws HttpError with 408 when the body has
 * not arrived within `seconds`, or is slower than `pace` on the average since its beginning.
 */
export async function readBytes(
  request: IncomingMessage,
  limit = bodyLimit,
  seconds = bodySeconds,
  pace: Pace | null = null,
): Promise<Buffer> {
  const tooLarge = () => new HttpError(413, `The body is larger than ${limit} bytes.`);
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (Number(length ?? 0) > limit) throw tooLarge();
  // RFC 9112, section 6.3: without either, a request has no body.
  if (length === undefined && encoding === undefined) return Buffer.alloc(0);
  // Listeners, since an iterator over the stream costs as much as all else that is done to a body.
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  const take = (chunk: Buffer): void => {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
    else reject(tooLarge());
  };
  // The caller went away in the middle: no fault of ours, and nobody hears the answer.
  const endedEarly = (cause?: unknown): void => {
    reject(new DomainError('bad_request', { message: 'The body ended early.', cause }));
  };
  request.on('data', take);
  request.once('end', () => resolve(Buffer.concat(chunks)));
  request.on('error', endedEarly);
  request.once('close', endedEarly);
  // It may have gone away before anybody listened.
  if (request.destroyed) endedEarly();
  const late = () => reject(new HttpError(408, 'The body did not arrive in time.'));
  const timer = setTimeout(late, seconds * 1_000);
  const watch = pace === null ? undefined : watchPace(pace, () => size, late);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
  }
}

function watchPace(
  { bytesPerSecond, afterSeconds }: Pace,
  size: () => number,
  tooSlow: () => void,
): NodeJS.Timeout {
  const began = performance.now();
  const look = () => {
    const elapsed = (performance.now() - began) / 1_000;
    if (elapsed >= afterSeconds && size() < bytesPerSecond * elapsed) tooSlow();
  };
  return setInterval(look, Math.min(1, afterSeconds) * 1_000);
}

const jsonType = /^application\/json\s*(;\s*charset=(utf-8|"utf-8")\s*)?$/i;

const utf8 = new TextDecoder('utf-8', { fatal: true });

const csvType = /^text\/csv\s*(;\s*(charset=(utf-8|"utf-8")|header=present)\s*)*$/i;

/** Whether the body of a request is a CSV file (RFC 4180, section 3) in UTF-8. */
export function isCsv(request: IncomingMessage): boolean {
  return csvType.test(request.headers['content-type'] ?? '');
}

const [quote, backslash] = [0x22, 0x5c];
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);

/** How deep brackets and braces nest outside strings; for JSON that is its depth. */
function depthOf(bytes: Buffer): number {
  let [depth, deepest] = [0, 0];
  let inString = false;
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i] ?? 0;
    if (inString) {
      if (byte === backslash) i += 1;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (opening.has(byte)) {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (closing.has(byte)) depth -= 1;
  }
  return deepest;
}

/**
 * Reads a JSON body; undefined when there is none. Throws `bad_request` for another content type,
 * for bytes that are not UTF-8 JSON or nest too deeply, and for a body where the operation takes none;
 * `too_many_requests` for a large one where the caller has others under way.
 * @param allowance what the caller may have under way
 */
export async function readJsonBody(
  request: IncomingMessage,
  expected: boolean,
  limit = bodyLimit,
  allowance: Allowance | null = null,
): Promise<unknown> {
  const bytes = await readBytes(request, limit);
  if (bytes.length === 0) return undefined;
  await allowance?.admitBody(bytes.length);
  if (!expected) {
    throw new DomainError('bad_request', { message: 'This operation takes no body.' });
  }
  if (!jsonType.test(request.headers['content-type'] ?? '')) {
    throw new DomainError('bad_request', { message: 'The content type must be application/json.' });
  }
  if (depthOf(bytes) > depthLimit) {
    throw new DomainError('bad_request', { message: 'The body is nested too deeply.' });
  }
  try {
    return JSON.parse(utf8.decode(bytes)) as unknown;
  } catch (error) {
    throw new DomainError('bad_request', { message: 'The body is not valid JSON.', cause: error });
  }
}
