import type { RequestHandler } from 'express';
import { traced } from '../../src/process/tracing.ts';
import { facts } from '../route/handler.ts';

/**
 * Answers each request in a span of its own, below that of the caller's `traceparent`. It has the route's
 * template and not the path, which may hold a token.
 */
export const traceRequests: RequestHandler = (request, response, next) => {
  const { method } = request;
  const parent = request.get('traceparent');
  void traced({ name: method, kind: 'server', parent }, async (note) => {
    const answered = new Promise((resolve) => response.once('close', resolve));
    next();
    await answered;
    const route = facts(response).route ?? 'none';
    const status = response.statusCode;
    note({
      name: `${method} ${route}`,
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
      },
      failed: status >= 500,
    });
  });
};
