import type { RequestHandler } from 'express';
import { PageFailure } from './failure.ts';

/** Answers every method but these with 405 and the list (RFC 9110, section 15.5.6). */
export function only(...methods: readonly string[]): RequestHandler {
  return (request, response, next) => {
    if (methods.includes(request.method)) {
      next();
      return;
    }
    response.setHeader('Allow', methods.join(', '));
    throw new PageFailure('method');
  };
}
