import { Router } from 'express';
import { HttpError } from './http-error.ts';

interface Endpoint {
  readonly method: string;
  readonly path: string;
}

/**
 * Answers what the endpoints before it left over: OPTIONS on a known path with the methods it has,
 * another method with 405 and the same list (RFC 9110, section 15.5.6). Unknown paths pass.
 */
export function createMethodCheck(endpoints: readonly Endpoint[]): Router {
  const methodsByPath = new Map<string, Set<string>>();
  for (const { method, path } of endpoints) {
    const methods = methodsByPath.get(path) ?? new Set(['OPTIONS']);
    methods.add(method.toUpperCase());
    // Express answers HEAD with the handler of GET.
    if (method === 'get') methods.add('HEAD');
    methodsByPath.set(path, methods);
  }
  const router = Router({ caseSensitive: true });
  for (const [path, methods] of methodsByPath) {
    const allow = [...methods].toSorted().join(', ');
    router.all(path, (request, response) => {
      response.setHeader('Allow', allow);
      if (request.method !== 'OPTIONS') {
        throw new HttpError(405, `This path takes ${allow}.`);
      }
      response.status(204).end();
    });
  }
  return router;
}
