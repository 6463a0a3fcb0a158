import { Router } from 'express';
import { readBuilt } from '../look/built.ts';
import { facts } from '../route/handler.ts';

const path = '/v1/openapi.json';

/** Serves the OpenAPI document; reading it needs no key. */
export function createOpenApi(): Router {
  let made: Promise<string> | null = null;
  const router = Router();
  router.get(path, async (_request, response) => {
    facts(response).route = path;
    const document = await (made ??= readBuilt('openapi.json'));
    response.type('json').send(document);
  });
  return router;
}
