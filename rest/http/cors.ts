import type { RequestHandler } from 'express';
import { idempotencyKeyHeader } from './idempotency-key.ts';

/** How long a browser may remember the answer to a preflight. */
const preflightSeconds = 600;

const exposed = [
  'Deprecation',
  'Idempotent-Replayed',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Api-Version',
  'X-Request-Id',
].join(', ');

const allowed = [
  'Authorization',
  'Content-Type',
  idempotencyKeyHeader,
  'Last-Event-ID',
  'Prefer',
  'X-Api-Version',
  'X-Request-Id',
];

/**
 * Lets pages of the listed origins call the API from a browser; of others, none. The key comes in a
 * header, so credentials in the browser's sense (cookies) are never allowed. A preflight is answered
 * here and is not counted: it carries no key.
 * @param origins exact origins, for example `https://app.example.com`
 */
export function createCors(origins: readonly string[]): RequestHandler {
  const known = new Set(origins);
  return (request, response, next) => {
    if (known.size > 0) response.vary('Origin');
    const origin = request.headers.origin;
    if (origin === undefined || !known.has(origin)) {
      next();
      return;
    }
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', exposed);
    if (request.method !== 'OPTIONS' || !('access-control-request-method' in request.headers)) {
      next();
      return;
    }
    response.setHeader('Access-Control-Allow-Methods', 'GET, POST, PUT, PATCH, DELETE');
    response.setHeader('Access-Control-Allow-Headers', allowed.join(', '));
    response.setHeader('Access-Control-Max-Age', preflightSeconds);
    response.status(204).end();
  };
}
