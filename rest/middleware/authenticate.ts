import type { Request, RequestHandler, Response } from 'express';
import type { Pool } from 'pg';
import type { Attempt, Authenticate } from '../../src/access/authenticate.ts';
import type { AuthenticateSession } from '../../src/access/session/authenticate.ts';
import { holderOfTenant } from '../../src/access/admission/admission.ts';
import type { AuthenticationFailures } from '../../src/access/rate-limit/failures.ts';
import type { LimitState } from '../../src/access/rate-limit/limit.ts';
import { createTenantLimit } from '../../src/access/rate-limit/tenant.ts';
import { isOperator, operatorId } from '../../src/access/scope.ts';
import { DomainError } from '../../src/errors/domain-error.ts';
import type { Services } from '../../src/process/services.ts';
import { facts } from '../route/handler.ts';
import { meansSession, requireActingFor, shownSession } from '../auth/console-request.ts';
import { poolOfUnknownKeys, type Admission } from './admission.ts';

/**
 * Puts the limit that applies to the request into the answer: RateLimit and RateLimit-Policy as
 * structured fields (draft-ietf-httpapi-ratelimit-headers), and Retry-After where it was refused.
 */
export function setLimitHeaders(response: Response, limit: LimitState): void {
  const { policy, quota, windowSeconds, remaining, resetSeconds, refused } = limit;
  response.setHeader('RateLimit-Policy', `"${policy}";q=${quota};w=${windowSeconds}`);
  response.setHeader('RateLimit', `"${policy}";r=${remaining};t=${resetSeconds}`);
  if (refused) response.setHeader('Retry-After', resetSeconds);
}

/** Announces a limit that does not refuse the request at hand. */
function announce(response: Response, limit: LimitState): void {
  setLimitHeaders(response, { ...limit, refused: false });
}

/**
 * Puts the limit of a client without a key on every answer of the API, before anything can fail: the
 * refusal of a malformed head and the answer to a preflight have headers of a limit too.
 */
export function createAnnounce(failures: AuthenticationFailures): RequestHandler {
  return (request, response, next) => {
    if (request.url.startsWith('/v1') || request.url.startsWith('/graphql')) {
      announce(response, failures.state(facts(response).clientAddress));
    }
    next();
  };
}

/** How the two kinds of credentials are looked at. */
interface Credentials {
  readonly authenticate: Authenticate;
  readonly sessions: AuthenticateSession;
}

/** What a request shows of its caller. */
interface Shown {
  readonly isSession: boolean;
  /** Whether it worked recently on this process. */
  readonly recognised: boolean;
  readonly attempt: (ofUnknown: () => Pool) => Promise<Attempt>;
}

/** The key of a request, else its session; null for neither. Throws forbidden for a session of a foreign page. */
function shownCredential(
  request: Request,
  { authenticate, sessions }: Credentials,
  publicUrl: string,
): Shown | null {
  const header = request.headers.authorization;
  if (header !== undefined) {
    return {
      isSession: false,
      get recognised() {
        return authenticate.recognises(header);
      },
      attempt: (ofUnknown) => authenticate.attempt(header, ofUnknown),
    };
  }
  const session = shownSession(request, publicUrl);
  if (session === null) return null;
  const { token, counts } = session;
  return {
    isSession: true,
    get recognised() {
      return sessions.recognises(token);
    },
    attempt: (ofUnknown) => sessions.attempt(token, counts, ofUnknown),
  };
}

/**
 * Finds out who calls and counts the request, before anything else is done for it. So every answer
 * carries the rate-limit headers, also that to an unknown path, a refused method or a malformed body.
 * A request without a working key goes on without a caller; an operation that needs one refuses it.
 *
 * An address that showed too many invalid keys is told to wait, without a query. Keys that worked on
 * this process recently are accepted nevertheless: a whole company may share one address, and one
 * program with a revoked key must not lock out the others. Other keys are read within a share of the
 * connections: many guesses at once are under way before the first fails.
 */
export function createIdentify(
  services: Services,
  credentials: Credentials,
  failures: AuthenticationFailures,
  admission: Admission,
): RequestHandler {
  const chargeTenant = createTenantLimit(services);

  return async (request, response, next) => {
    const { clientAddress } = facts(response);
    const limit = failures.state(clientAddress);
    // The headers first announce the limit of callers without a key, until another limit counts the
    // request.
    announce(response, limit);
    const shown = shownCredential(request, credentials, services.config.PUBLIC_URL);
    if (shown === null) {
      if (meansSession(request)) facts(response).refusal = 'ended';
      next();
      return;
    }
    if (limit.refused && !shown.recognised) {
      setLimitHeaders(response, limit);
      throw new DomainError('too_many_requests', {
        message:
          'Too many requests with an invalid API key or session from this address; correct the key or sign in again, and wait for Retry-After.',
      });
    }
    const attempt = await shown.attempt(() => poolOfUnknownKeys(admission, response));
    if ('refused' in attempt) {
      // A page that is left open goes on asking after its session ended, and must not keep the others of its
      // office from signing in.
      if (attempt.wasThere !== true) failures.record(clientAddress);
      announce(response, failures.state(clientAddress));
      facts(response).refusal = attempt.refused;
      next();
      return;
    }
    const { caller, tier } = attempt;
    if (shown.isSession) requireActingFor(request, caller);
    const holder = isOperator(caller) ? operatorId(caller.operator) : caller.tenantId;
    Object.assign(facts(response), {
      caller,
      scope: isOperator(caller) ? null : caller,
      holder: holderOfTenant(holder, tier),
      countMore: (units: number) => chargeTenant.more(holder, tier, units),
    });
    const counted = chargeTenant(holder, tier);
    const charged = counted instanceof Promise ? await counted : counted;
    setLimitHeaders(response, charged);
    if (charged.refused) throw new DomainError('RATE_LIMITED');
    next();
  };
}
