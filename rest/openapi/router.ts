import { Router } from 'express';
import { keptFrom, readBuilt } from '../look/built.ts';
import { facts } from '../route/handler.ts';

const path = '/v1/openapi.json';

/** Serves the OpenAPI document; reading it needs no key. */
export function createOpenApi(): Router {
  const document = keptFrom(() => readBuilt('openapi.json'));
  const router = Router();
  router.get(path, async (_request, response) => {
    facts(response).route = path;
    response.type('json').send(await document());
  });
  return router;
}
