import express, {
  type ErrorRequestHandler,
  type Express,
  type RequestHandler,
  type Response,
  Router,
} from 'express';
import type { createGraphql } from '../schema/server.ts';
import { currentApiVersion } from '../src/values/api-version.ts';
import { createAdmission } from '../src/access/admission/admission.ts';
import type { Authenticate } from '../src/access/authenticate.ts';
import { createAuthenticateSession } from '../src/access/session/authenticate.ts';
import { AuthenticationFailures } from '../src/access/rate-limit/failures.ts';
import { healthParts } from '../src/process/health.ts';
import { createReadiness, type Readiness } from '../src/db/ready.ts';
import { credentialOf, isOperator, operatorId, type Caller } from '../src/access/scope.ts';
import { catalogue } from '../src/errors/catalogue.ts';
import { DomainError } from '../src/errors/domain-error.ts';
import { newId } from '../src/values/ids.ts';
import { clientAddress } from '../src/net/client-address.ts';
import type { Services } from '../src/process/services.ts';
import { isTracing } from '../src/process/tracing.ts';
import { createAdmit, createAddressShare, createProviderShare } from './middleware/admission.ts';
import { createAuth } from './auth/router.ts';
import { createDocs } from './docs/router.ts';
import { createCollect } from './collect/router.ts';
import { createConsole } from './console/router.ts';
import { createCors } from './http/cors.ts';
import { failureOf, type Failure } from './http/envelope.ts';
import { createExports, exportOperations } from './files/exports.ts';
import { createGraphqlHandler, graphqlPath, sendGraphqlFailure } from './graphql.ts';
import {
  createHandler,
  facts,
  failureOfError,
  sendFailure,
  type RequestFacts,
  type RestParts,
} from './route/handler.ts';
import { apiHeaders, checkHead, documentHeaders, noStore, parseQuery } from './http/hardening.ts';
import { HttpError } from './http/http-error.ts';
import { createAnnounce, createIdentify, setLimitHeaders } from './middleware/authenticate.ts';
import { traceRequests } from './middleware/trace.ts';
import { boundRest } from './http/rest-of-body.ts';
import { createMethodCheck } from './http/methods.ts';
import { createProviderWebhooks } from './provider-webhooks.ts';
import { createRegistration } from './registration/router.ts';
import { createHealth } from './http/health.ts';
import { createOpenApi } from './openapi/router.ts';
import { routes } from './routes/table.ts';
import { createTaxDocuments, taxDocumentOperations } from './files/tax-documents.ts';

/** The form in which a caller's own request id is kept. */
const requestIdPattern = /^[A-Za-z0-9._:-]{8,128}$/;

/** Sets request id and API version, and logs one line when the answer is sent: no body, header or path. */
function begin(services: Services): RequestHandler {
  return (request, response, next) => {
    const started = process.hrtime.bigint();
    const given = request.get('x-request-id') ?? '';
    const requestId = requestIdPattern.test(given) ? given : newId('request');
    const begun: RequestFacts = {
      requestId,
      clientAddress: clientAddress(
        request.socket.remoteAddress,
        request.get('x-forwarded-for'),
        services.config.TRUSTED_PROXIES,
      ),
      caller: null,
      refusal: 'missing',
      hasLink: false,
      scope: null,
      holder: null,
      countMore: null,
      allowance: null,
      streamsSince: null,
      reportLimit: (limit) => setLimitHeaders(response, limit),
      route: null,
    };
    Object.assign(response.locals, begun);
    boundRest(request, response, () => !isKnown(response));
    response.setHeader('X-Request-Id', requestId);
    response.setHeader('X-Api-Version', currentApiVersion);
    response.on('close', () => {
      const { caller, scope } = facts(response);
      const route = facts(response).route ?? fixedRoute(request.originalUrl);
      const status = response.writableFinished ? response.statusCode : 499;
      const millisecondsTo = (end: bigint) => Math.round(Number(end - started) / 1e4) / 100;
      const ended = process.hrtime.bigint();
      const { method } = request;
      // A stream was answered when it began: how long its reader stays says nothing of the service.
      const milliseconds = millisecondsTo(facts(response).streamsSince ?? ended);
      services.metrics?.request({ route, method, status, milliseconds });
      services.log.info(
        {
          request_id: requestId,
          method,
          route,
          status,
          tenant_id: scope?.tenantId ?? null,
          actor: actorId(caller),
          ms: millisecondsTo(ended),
        },
        'request',
      );
    });
    next();
  };
}

/** Whether a key, a session or the link of a form says who sends the request. */
const isKnown = (response: Response): boolean =>
  facts(response).caller !== null || facts(response).hasLink;

const fixedPaths = ['/healthz', '/readyz'];

/** The route of a request that no handler has named: its path where that is a constant, else `none`. */
const fixedRoute = (url: string): string =>
  fixedPaths.find((path) => path === url.split('?', 1)[0]) ?? 'none';

/** Who asked, for the log: the id of a key, a session or an operator. */
function actorId(caller: Caller | null): string | null {
  if (caller === null) return null;
  if (isOperator(caller)) return operatorId(caller.operator);
  return caller.actor.type === 'member' ? credentialOf(caller.actor) : caller.actor.type;
}

const checkApiVersion: RequestHandler = (request, _response, next) => {
  const asked = request.get('x-api-version');
  if (asked !== undefined && asked !== currentApiVersion) {
    throw new DomainError('bad_request', {
      message: `Unknown X-Api-Version; the current one is ${currentApiVersion}.`,
    });
  }
  next();
};

/** The failure and its status. An HttpError is a `bad_request` with a status of its own. */
function judge(services: Services, requestId: string, error: unknown): [Failure, number] {
  if (error instanceof HttpError) return [failureOf('bad_request', error.message), error.status];
  const failure = failureOfError(services, requestId, error);
  return [failure, catalogue[failure.code].status];
}

function answerErrors(services: Services): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const [failure, status] = judge(services, facts(response).requestId, error);
    // The rest of the body is still on its way, and nothing will read it.
    if (status === 408) response.setHeader('Connection', 'close');
    if (request.path === graphqlPath) sendGraphqlFailure(response, failure, status);
    else sendFailure(services, response, failure, status);
  };
}

/** Endpoints that are not in the route table. */
const otherEndpoints = [
  { method: 'get', path: '/healthz' },
  { method: 'get', path: '/readyz' },
  { method: 'get', path: '/v1/openapi.json' },
  { method: 'post', path: '/provider-webhooks/:provider' },
];

/** The routes of the table. OPTIONS passes: Express would answer it with fewer methods than a path has. */
function createRoutes(parts: RestParts): RequestHandler {
  const router = Router({ caseSensitive: true });
  for (const row of routes) router[row.method](row.path, createHandler(row, parts));
  return (request, response, next) => {
    if (request.method === 'OPTIONS') next();
    else router(request, response, next);
  };
}

/**
 * The HTTP surface: REST under /v1, GraphQL, provider events, documents, health. Health, documents
 * and provider events stand before `identify`: they take no key and are not counted.
 */
export function createApp(
  services: Services,
  authenticate: Authenticate,
  graphql: ReturnType<typeof createGraphql>,
  readiness: Readiness = createReadiness(services.pool, services.watch, healthParts(services)),
): Express {
  const parts: RestParts = { services, run: graphql.run };
  const failures = new AuthenticationFailures(services.config.FAILED_AUTHENTICATION_LIMIT);
  const admission = createAdmission(services);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.set('query parser', parseQuery);
  app.use(begin(services));
  if (isTracing()) app.use(traceRequests);
  app.use(apiHeaders);
  app.use(createAnnounce(failures));
  app.use(createHealth(readiness));
  app.use('/collect', createAddressShare(admission), createCollect(parts));
  app.use('/registration', createAddressShare(admission), createRegistration(parts));
  app.use(checkHead);
  app.use('/console', createConsole());
  app.use(['/docs', '/llms.txt'], documentHeaders);
  app.use(createDocs(services.config.PUBLIC_URL));
  app.use(noStore);
  app.use('/provider-webhooks', createProviderShare(admission), createProviderWebhooks(parts));
  app.use(createCors(services.config.CORS_ORIGINS));
  app.use('/auth', createAddressShare(admission), createAuth(parts));
  const sessions = createAuthenticateSession(services.pool, services.config);
  app.use(createIdentify(services, { authenticate, sessions }, failures, admission));
  app.use(createAdmit(admission));
  app.all(graphqlPath, createGraphqlHandler(services, graphql));
  app.use('/v1', checkApiVersion);
  app.use(createOpenApi());
  app.use(createExports(parts));
  app.use(createTaxDocuments(parts));
  app.use(createRoutes(parts));
  // In the order of the handlers, since `/v1/beneficiaries/:id` matches the export's path too.
  app.use(
    createMethodCheck([
      ...otherEndpoints,
      ...exportOperations,
      ...taxDocumentOperations,
      ...routes,
    ]),
  );
  app.use(() => {
    throw new DomainError('not_found', { message: 'There is no such endpoint.' });
  });
  app.use(answerErrors(services));
  return app;
}
