import { Router, type ErrorRequestHandler, type RequestHandler } from 'express';
import { DomainError } from '../../src/errors/domain-error.ts';
import { facts, failureOfError, unavailableSeconds, type RestParts } from '../route/handler.ts';
import { checkHead, collectHeaders, noStore } from '../http/hardening.ts';
import { HttpError } from '../http/http-error.ts';
import { createAssets } from './assets.ts';
import { PageFailure } from './failure.ts';
import { textsFor } from './languages.ts';
import { createOperations, type Operations } from './operations.ts';
import { failurePage } from './pages/ended.ts';
import { createPages, uploadWaitMs } from './pages.ts';
import { viewOf, type PageParts } from './request.ts';

/** What Express passes to an error handler, as the page that tells of it. */
function pageFailureOf(parts: PageParts, requestId: string, error: unknown): PageFailure {
  if (error instanceof PageFailure) return error;
  if (error instanceof HttpError) {
    return error.status === 413
      ? new PageFailure('tooLarge')
      : new PageFailure('badRequest', error.status);
  }
  if (error instanceof DomainError && error.code === 'bad_request') {
    return new PageFailure('badRequest');
  }
  // Logged with its request id, which the page shows too.
  const { code } = failureOfError(parts.services, requestId, error);
  return new PageFailure(code === 'service_unavailable' ? 'away' : 'ours');
}

function answerErrors(parts: PageParts): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const { requestId } = facts(response);
    const { kind, status } = pageFailureOf(parts, requestId, error);
    if (status === 408) response.setHeader('Connection', 'close');
    if (kind === 'away') response.setHeader('Retry-After', unavailableSeconds);
    if (kind === 'busy') response.setHeader('Retry-After', uploadWaitMs / 1_000);
    const wait = Number(response.getHeader('Retry-After') ?? 60);
    const page = failurePage(viewOf(parts, request, '', ''), { kind, wait, requestId });
    response.status(status).type('html').send(page);
  };
}

/** The template of a path that no page has claimed, since the path may hold a token. */
const markRoute: RequestHandler = (_request, response, next) => {
  facts(response).route = '/collect/*';
  next();
};

const varyByLanguage: RequestHandler = (_request, response, next) => {
  response.setHeader('Vary', 'Accept-Language');
  next();
};

/**
 * The hosted pages `/collect/<token>`, on which a payee gives its details. They take no API key and
 * no cookie: the token in the address opens one form and nothing else. The pages show GraphQL
 * operations as HTML; every rule is in the operations.
 */
export function createCollect(
  rest: RestParts,
  operations: Operations = createOperations(rest),
): Router {
  const { router: assets, versions } = createAssets();
  const { services } = rest;
  const texts = textsFor(services.config.TAX_DOCUMENT_MAX_MB);
  const parts: PageParts = { services, operations, assets: versions, texts };
  const router = Router({ caseSensitive: true });
  router.use(markRoute, collectHeaders, noStore, varyByLanguage, checkHead);
  router.use('/assets', assets);
  router.use(createPages(parts));
  router.use(() => {
    throw new PageFailure('noPage');
  });
  router.use(answerErrors(parts));
  return router;
}
