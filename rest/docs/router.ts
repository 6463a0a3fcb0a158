import { Router, type Request, type Response } from 'express';
import { HttpError } from '../http/http-error.ts';
import { facts } from '../route/handler.ts';
import { sendAsset, type Asset } from '../look/asset.ts';
import { keptFrom } from '../look/built.ts';
import { loadSite, type Site } from './served.ts';

const methods = ['GET', 'HEAD', 'OPTIONS'];

/** The template of an address for log and metrics; a path that does not exist may hold anything. */
function routeOf(path: string): string {
  if (path.startsWith('/docs/guides/')) return '/docs/guides/:guide';
  return path.startsWith('/docs/reference/') ? '/docs/reference/:tag' : path;
}

/** Whether the caller has what the tag names (RFC 9110, section 13.1.2). */
function hasAlready(request: Request, tag: string): boolean {
  const tags = (request.get('if-none-match') ?? '').split(',');
  return tags.some((given) => ['*', tag].includes(given.trim().replace(/^W\//, '')));
}

/**
 * Answers with a page. A browser asks each time whether it is still the same, and gets 304 when it is,
 * so that a page and the assets that it names are of one version.
 */
function sendDocument(request: Request, response: Response, { bytes, type, version }: Asset): void {
  response.setHeader('Content-Type', type);
  response.setHeader('Cache-Control', 'no-cache');
  const tag = `"${version}"`;
  response.setHeader('ETag', tag);
  if (hasAlready(request, tag)) {
    response.status(304).end();
    return;
  }
  response.setHeader('Content-Length', bytes.length);
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

/** The document at a path: of a guide the Markdown for a caller that prefers it. */
function documentFor(request: Request, response: Response, site: Site, path: string): Asset | null {
  const page = site.documents.get(path);
  const markdown = site.documents.get(`${path}.md`);
  if (page === undefined || markdown === undefined) return page ?? null;
  response.setHeader('Vary', 'Accept');
  return request.accepts(['text/html', 'text/markdown']) === 'text/markdown' ? markdown : page;
}

/** Whether a method is answered by the caller; OPTIONS is answered here, others are refused. */
function isRead(request: Request, response: Response): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return true;
  response.setHeader('Allow', methods.join(', '));
  if (request.method !== 'OPTIONS')
    throw new HttpError(405, `This path takes ${methods.join(', ')}.`);
  response.status(204).end();
  return false;
}

function sendHtml(response: Response, status: number, page: string): void {
  response.status(status).setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader('Cache-Control', 'no-cache');
  response.end(page);
}

/**
 * The documents under /docs, /llms.txt, and the way there from /. They are read with the first request, so that a
 * process which nobody reads keeps nothing of them.
 * @param server the public address of the service
 */
export function createDocs(server: string): Router {
  const site = keptFrom(() => loadSite(server));
  const router = Router({ caseSensitive: true });

  router.all('/', (request, response) => {
    facts(response).route = '/';
    if (isRead(request, response)) response.redirect(302, '/docs');
  });
  router.all('/docs/search', async (request, response) => {
    facts(response).route = '/docs/search';
    if (!isRead(request, response)) return;
    const { q } = request.query;
    const { search } = await site();
    sendHtml(response, 200, search(typeof q === 'string' ? q : ''));
  });
  router.all('/docs/assets/:file', async (request, response, next) => {
    const asset = (await site()).assets.get(request.params.file);
    if (asset === undefined) {
      next();
      return;
    }
    facts(response).route = '/docs/assets/:file';
    if (isRead(request, response)) sendAsset(request, response, asset);
  });
  router.all(['/llms.txt', '/docs', '/docs/*path'], async (request, response) => {
    const path = request.path.replace(/\/$/, '');
    const whole = await site();
    const found = documentFor(request, response, whole, path);
    if (found === null) {
      sendHtml(response, 404, whole.notFound);
      return;
    }
    facts(response).route = routeOf(path);
    if (isRead(request, response)) sendDocument(request, response, found);
  });
  return router;
}
