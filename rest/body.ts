import type { IncomingMessage } from 'node:http';
import { DomainError } from '../src/errors/domain-error.ts';
import { HttpError } from './http-error.ts';

/** Largest body of a request (decisions 1). */
const bodyLimit = 1024 * 1024;

/** Deepest nesting of a JSON body: what walks one afterwards may be recursive. */
const depthLimit = 32;

/**
 * Reads the raw bytes of a request up to `limit`. Throws HttpError with 413 over it; the rest is then
 * not kept, but taken off the connection until the request's time is up, since a caller that is
 * still sending would not see the answer of a closed one.
 */
export async function readBytes(request: IncomingMessage, limit = bodyLimit): Promise<Buffer> {
  const tooLarge = () => new HttpError(413, `The body is larger than ${limit} bytes.`);
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Without the option, leaving the loop early would destroy the connection with the answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      const bytes = chunk as Buffer; // no encoding is set, so a chunk is never a string
      size += bytes.length;
      if (size > limit) throw tooLarge();
      chunks.push(bytes);
    }
  } catch (error) {
    if (error instanceof HttpError) throw error;
    // The caller went away in the middle: no fault of ours, and nobody hears the answer.
    throw new DomainError('bad_request', { message: 'The body ended early.', cause: error });
  }
  return Buffer.concat(chunks);
}

const jsonType = /^application\/json\s*(;\s*charset=(utf-8|"utf-8")\s*)?$/i;

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
 * for bytes that are not UTF-8 JSON or nest too deeply, and for a body where the operation takes none.
 */
export async function readJsonBody(
  request: IncomingMessage,
  expected: boolean,
  limit = bodyLimit,
): Promise<unknown> {
  const bytes = await readBytes(request, limit);
  if (bytes.length === 0) return undefined;
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
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch (error) {
    throw new DomainError('bad_request', { message: 'The body is not valid JSON.', cause: error });
  }
}
