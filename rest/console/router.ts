import { fileURLToPath } from 'node:url';
import { Router, type Request, type Response } from 'express';
import { consoleHeaders } from '../http/hardening.ts';
import { HttpError } from '../http/http-error.ts';
import { facts } from '../route/handler.ts';
import { readConsoleFiles, type ConsoleFile } from './files.ts';

/** Where `npm run prepare` puts the built console. */
const folder = fileURLToPath(new URL('../../generated/console/', import.meta.url));

const notBuilt = 'The console is not built: run npm run prepare.';

function send(request: Request, response: Response, file: ConsoleFile): void {
  const encoding = request.acceptsEncodings([...file.encoded.keys()]);
  const shorter = encoding === false ? undefined : file.encoded.get(encoding);
  const bytes = shorter ?? file.bytes;
  if (file.encoded.size > 0) response.setHeader('Vary', 'Accept-Encoding');
  if (shorter !== undefined && encoding !== false) response.setHeader('Content-Encoding', encoding);
  response.setHeader('Content-Type', file.type);
  response.setHeader('Content-Length', bytes.length);
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

/**
 * The console under /console: the files that its build made, which have the digest of their content in
 * their names and may be kept for good, and for every other address its one page, which is asked for
 * anew each time, so that it names files of the version that serves it. The page is the same for
 * everybody; what it shows comes from /graphql. The files are read with the first request.
 */
export function createConsole(from = folder): Router {
  let reading: Promise<ReadonlyMap<string, ConsoleFile>> | null = null;
  const router = Router({ caseSensitive: true });
  router.use((request, response, next) => {
    facts(response).route = '/console/*';
    if (request.method === 'GET' || request.method === 'HEAD') {
      next();
      return;
    }
    response.setHeader('Allow', 'GET, HEAD');
    throw new HttpError(405, 'This path takes GET, HEAD.');
  });
  router.use(consoleHeaders);
  router.use(async (request, response) => {
    const files = await (reading ??= readConsoleFiles(from));
    const asset = files.get(request.path.slice(1));
    if (asset !== undefined && request.path.startsWith('/assets/')) {
      response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
      send(request, response, asset);
      return;
    }
    const page = files.get('index.html');
    response.setHeader('Cache-Control', 'no-store');
    if (page === undefined) {
      reading = null;
      response.status(404).type('text/plain').send(notBuilt);
    } else if (request.path.startsWith('/assets/')) {
      response.status(404).type('text/plain').send('There is no such file.');
    } else {
      send(request, response, page);
    }
  });
  return router;
}
