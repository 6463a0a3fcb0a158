import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

const bodyLimitBytes = 64 * 1024;

/** A refusal as it goes over the wire: `{error: {code, message}}`. */
export class WireError extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Record<string, string>;
  constructor(status: number, code: string, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.name = 'WireError';
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** The raw body. Throws WireError 413 over the limit, and the socket's error when it is cut. */
function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= bodyLimitBytes) chunks.push(chunk);
      else {
        // The rest is read and thrown away, so that the caller can read the answer.
        chunks.length = 0;
        reject(
          new WireError(413, 'body_too_large', `A body has at most ${bodyLimitBytes} bytes.`, {
            connection: 'close',
          }),
        );
      }
    });
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => reject(new Error('The caller cut the connection.')));
  });
}

/** The body as JSON. Throws WireError 400 when it is not. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const body = await readBody(request);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new WireError(400, 'malformed_json', 'The body is not JSON.');
  }
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.length,
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(bytes);
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Whether the request carries the API key. Digests are compared, so that the time does not reveal its length. */
export function isAuthorized(request: IncomingMessage, apiKey: string): boolean {
  const given = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(sha256(given), sha256(apiKey));
}
