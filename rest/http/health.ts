import { Router } from 'express';
import type { Readiness } from '../../src/db/ready.ts';

/** Liveness and readiness (src/db/ready.ts says what makes a process not ready). */
export function createHealth(readiness: Readiness): Router {
  const router = Router();
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    const problem = await readiness.problem();
    if (problem !== null) {
      response.status(503).json({ status: 'not ready', reason: problem });
      return;
    }
    const warnings = readiness.warnings();
    response.json({ status: 'ready', ...(warnings.length > 0 && { warnings }) });
  });
  return router;
}
