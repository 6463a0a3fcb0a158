import { setTimeout as wait } from 'node:timers/promises';
import { Router, type RequestHandler } from 'express';
import { endSession } from '../../src/access/session/end.ts';
import { requestLink, useLink } from '../../src/access/session/link.ts';
import { DomainError } from '../../src/errors/domain-error.ts';
import type { Services } from '../../src/process/services.ts';
import { linkBody, tokenBody } from '../contracts/sign-in.ts';
import { HttpError } from '../http/http-error.ts';
import { facts } from '../route/handler.ts';
import { answerSession, browserOf, readSignIn, shareOf } from './answers.ts';
import { requireOwnPage } from './console-request.ts';
import { forgetSession, readSessionToken } from './cookie.ts';

/**
 * How long the answer takes to a wish for a link. The work for a known address takes some milliseconds more
 * than for an unknown one, and the answer must not tell which it is.
 */
const linkAnswerMs = 200;

/** `POST /auth/link`: mails a link to sign in. */
function askForLink(services: Services): RequestHandler {
  return async (request, response) => {
    const { email, as = null } = await readSignIn(request, response, services, linkBody);
    const work = requestLink(shareOf(response, services), email, as);
    await Promise.all([work, wait(linkAnswerMs)]);
    response.status(202).json({});
  };
}

/** `POST /auth/link/consume`: signs in with the token of such a link. */
function consumeLink(services: Services): RequestHandler {
  return async (request, response) => {
    const { token } = await readSignIn(request, response, services, tokenBody);
    const browser = browserOf(request, response);
    const session = await useLink(shareOf(response, services), token, browser);
    if (session === null) throw new DomainError('not_found', { message: 'The link is unknown.' });
    answerSession(response, session);
  };
}

/** `POST /auth/sign-out`: ends the browser's session. Repeating it changes nothing. */
function signOut(services: Services): RequestHandler {
  return async (request, response) => {
    requireOwnPage(request, services.config.PUBLIC_URL);
    const token = readSessionToken(request);
    if (token !== null) await endSession(shareOf(response, services).pool, token);
    response.setHeader('Set-Cookie', forgetSession);
    response.status(204).end();
  };
}

/**
 * The requests that make and end a session, by JSON. They are for the pages of this service, so they are not
 * in the document of the API; whatever needs no cookie of its own is GraphQL. See docs/signing-in.md.
 */
export function createAuth(services: Services): Router {
  const router = Router({ caseSensitive: true });
  router.use((request, response, next) => {
    facts(response).route = `/auth${request.path}`;
    next();
  });
  router.post('/link', askForLink(services));
  router.post('/link/consume', consumeLink(services));
  router.post('/sign-out', signOut(services));
  router.use((request, response) => {
    const known = ['/link', '/link/consume', '/sign-out'].includes(request.path);
    // A path may be anything, and a log has templates of paths only.
    if (!known) facts(response).route = '/auth/*';
    if (!known) throw new DomainError('not_found', { message: 'There is no such endpoint.' });
    response.setHeader('Allow', 'POST');
    throw new HttpError(405, 'Signing in takes POST.');
  });
  return router;
}
