import type { IncomingMessage } from 'node:http';
import type { Allowance } from '../../src/access/admission/admission.ts';
import { DomainError } from '../../src/errors/domain-error.ts';
import { readExactJson } from '../../src/values/exact-json.ts';
import { HttpError } from './http-error.ts';

/** Deepest nesting of a JSON body, since code that walks one may be recursive. */
const depthLimit = 32;

/**
 * Least average bytes of a part of a JSON body; commas and colons separate parts. A body of little
 * but structure takes many times as long to parse and to check as one of the same size in strings.
 */
const bytesOfPart = 30;

/**
 * Twice the parts of a bulk of a thousand full rows. A body of five megabytes could hold a million,
 * which JSON.parse alone needs half a second for, and nothing else runs meanwhile.
 */
const mostParts = 200_000;

/** Most commas and colons in the body of a caller without a key: enough for a form, not for rows. */
export const keylessParts = 1_000;

/** Bytes of the largest body of a caller without a key, but for a file on the form of a payee. */
export const keylessBytes = 64 * 1024;

/** How long a body may take to arrive; a file from a phone gets more (see server.ts). */
const bodySeconds = 30;

/** The least speed of a body. */
export interface UploadPace {
  readonly bytesPerSecond: number;
  /** Seconds after which the speed counts. */
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
  limit: number,
  seconds = bodySeconds,
  pace: UploadPace | null = null,
): Promise<Buffer> {
  const tooLarge = () => new HttpError(413, `The body is larger than ${limit} bytes.`);
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (Number(length ?? 0) > limit) throw tooLarge();
  // RFC 9112, section 6.3: without either, a request has no body.
  if (length === undefined && encoding === undefined) return Buffer.alloc(0);
  // Uses listeners, since an iterator over the stream costs as much as all other work on a body.
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  const take = (chunk: Buffer): void => {
    size += chunk.length;
    if (size <= limit) chunks.push(chunk);
    else reject(tooLarge());
  };
  // The caller closed the connection. That is no error of the service.
  const endedEarly = (cause?: unknown): void => {
    reject(new DomainError('bad_request', { message: 'The body ended early.', cause }));
  };
  request.on('data', take);
  request.once('end', () => {
    // Every request is closed in the end, and an error costs a look at the stack.
    request.off('close', endedEarly);
    resolve(Buffer.concat(chunks));
  });
  request.on('error', endedEarly);
  request.once('close', endedEarly);
  // The connection may have closed before the listeners were added.
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
  { bytesPerSecond, afterSeconds }: UploadPace,
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

const csvType = /^text\/csv\s*(;\s*(charset=(utf-8|"utf-8")|header=present)\s*)*$/i;

/** Whether the body of a request is a CSV file (RFC 4180, section 3) in UTF-8. */
export function isCsv(request: IncomingMessage): boolean {
  return csvType.test(request.headers['content-type'] ?? '');
}

/**
 * Reads a JSON body; undefined when there is none. Throws `bad_request` for another content type,
 * for bytes that are not UTF-8 JSON, nest too deeply or have more than `maxParts` commas and colons,
 * and for a body where the operation takes none; `validation_failed` for what would be read as
 * something else than was sent (see `readExactJson`); `too_many_requests` for a large one where the
 * caller has others under way.
 * @param allowance what the caller may have under way
 */
export async function readJsonBody(
  request: IncomingMessage,
  expected: boolean,
  limit: number,
  allowance: Allowance | null = null,
  maxParts = Math.min(mostParts, limit / bytesOfPart),
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
  return readExactJson(bytes, depthLimit, maxParts);
}
