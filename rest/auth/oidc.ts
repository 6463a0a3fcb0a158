import type { RequestHandler, Response } from 'express';
import { z } from 'zod';
import { admitSignIn } from '../../src/access/rate-limit/sign-in.ts';
import { beginningSeconds, beginOidc, finishOidc } from '../../src/access/oidc/sign-in.ts';
import { DomainError } from '../../src/errors/domain-error.ts';
import type { ErrorCode } from '../../src/errors/catalogue.ts';
import type { Services } from '../../src/process/services.ts';
import { facts, failureOfError } from '../route/handler.ts';
import { beginSession, browserOf, shareOf } from './answers.ts';
import { cookieText, readCookie } from './cookie.ts';

const beginningCookie = '__Host-payouts_oidc';

/** Back to the console, with a word for its page where it failed. */
function goBack(response: Response, services: Services, problem: string | null): void {
  const { PUBLIC_URL } = services.config;
  const path = problem === null ? '/console/' : `/console/sign-in?error=${problem}`;
  response.redirect(303, PUBLIC_URL + path);
}

/** How the console names what a request of its own would be told by a code. */
const problems: Partial<Record<ErrorCode, string>> = {
  too_many_requests: 'too_many',
  forbidden: 'no_member',
};

/** A browser shows what it is answered here, so whatever goes wrong is told by the sign-in page. */
function toldByPage(services: Services, handler: RequestHandler): RequestHandler {
  return async (request, response, next) => {
    if (services.config.OIDC_ISSUER === null) {
      throw new DomainError('not_found', { message: 'There is no such endpoint.' });
    }
    try {
      await handler(request, response, next);
    } catch (error) {
      const { code } = failureOfError(services, facts(response).requestId, error);
      goBack(response, services, problems[code] ?? 'unavailable');
    }
  };
}

async function enter(services: Services, response: Response): Promise<Services> {
  const share = shareOf(response, services);
  const { clientAddress, reportLimit } = facts(response);
  await admitSignIn(share, clientAddress, reportLimit);
  return share;
}

const startQuery = z.object({ as: z.enum(['member', 'operator']).nullable().catch(null) });

/** `GET /auth/oidc/start`: sends the browser to the company's page. */
export function startOidc(services: Services): RequestHandler {
  return toldByPage(services, async (request, response) => {
    const share = await enter(services, response);
    const { as } = startQuery.parse({ as: request.query['as'] ?? null });
    try {
      const { url, sealed } = await beginOidc(share, as);
      response.setHeader('Set-Cookie', cookieText(beginningCookie, sealed, beginningSeconds));
      response.redirect(303, url);
    } catch (error) {
      services.log.error(
        { request_id: facts(response).requestId, message: String(error) },
        'the issuer of OIDC_ISSUER does not answer as it should',
      );
      goBack(response, services, 'unavailable');
    }
  });
}

/** `GET /auth/oidc/callback`: where the company's page sends the browser back. */
export function finishOidcSignIn(services: Services): RequestHandler {
  return toldByPage(services, async (request, response) => {
    const share = await enter(services, response);
    const at = request.originalUrl.indexOf('?');
    const result = await finishOidc(share, {
      search: at < 0 ? '' : request.originalUrl.slice(at),
      sealed: readCookie(request, beginningCookie),
      browser: browserOf(request, response),
    });
    const over = cookieText(beginningCookie, '', 0);
    if ('refused' in result) {
      const { refused, why } = result;
      services.log.warn(
        { request_id: facts(response).requestId, refused, message: why },
        "somebody was not signed in by their company's page",
      );
      response.setHeader('Set-Cookie', over);
      goBack(response, services, refused);
      return;
    }
    response.setHeader('Set-Cookie', [over, await beginSession(request, share, result)]);
    goBack(response, services, null);
  });
}
