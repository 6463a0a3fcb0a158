import { setTimeout as wait } from 'node:timers/promises';
import { Router, type RequestHandler, type Response } from 'express';
import { Context } from '../../schema/context.ts';
import { prepareDocument } from '../../schema/prepared/document.ts';
import { startPasskeySignIn, usePasskey } from '../../src/access/passkey/sign-in.ts';
import { endSession } from '../../src/access/session/end.ts';
import { openJoined, requestLink, useLink } from '../../src/access/session/link.ts';
import { nameLink } from '../../src/access/session/named-link.ts';
import { DomainError } from '../../src/errors/domain-error.ts';
import type { Services } from '../../src/process/services.ts';
import { linkBody, noBody, passkeyBody, tokenBody } from '../contracts/sign-in.ts';
import { HttpError } from '../http/http-error.ts';
import { failureFromGraphql } from '../http/envelope.ts';
import { facts, sendFailure, type RestParts } from '../route/handler.ts';
import { answerSession, browserOf, readSignIn, shareOf } from './answers.ts';
import { finishOidcSignIn, startOidc } from './oidc.ts';
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

const joinDocument = `
  mutation JoinByInvitation($token: String!) {
    joined: memberJoin(token: $token) { membershipId userId }
  }`;

/** Accepts an invitation. Null when it was refused, and the refusal was sent. */
function createJoin(parts: RestParts) {
  const document = prepareDocument(joinDocument);
  return async (response: Response, token: string) => {
    const { requestId: id, clientAddress, reportLimit, allowance } = facts(response);
    const about = { id, clientAddress, reportLimit, allowance, ownDocument: true };
    const context = new Context(parts.services, null, about);
    const { data, errors } = await parts.run(document, { token }, context);
    const [error] = errors ?? [];
    // The document asks for these fields.
    if (error === undefined) return data?.['joined'] as { membershipId: string; userId: string };
    sendFailure(parts.services, response, failureFromGraphql(error));
    return null;
  };
}

/**
 * `POST /auth/link/consume`: signs in with the token of such a link, or of an invitation, which is thereby
 * accepted. Who is interrupted between the two is a member and asks for a link.
 */
function consumeLink(parts: RestParts): RequestHandler {
  const join = createJoin(parts);
  const { services } = parts;
  return async (request, response) => {
    const { token } = await readSignIn(request, response, services, tokenBody);
    const browser = browserOf(request, response);
    const share = shareOf(response, services);
    const session = await useLink(share, token, browser);
    const joined = session === null ? await join(response, token) : null;
    const opened = session ?? (joined === null ? null : await openJoined(share, joined, browser));
    if (opened !== null) await answerSession(request, response, share, opened);
  };
}

/** `POST /auth/link/name`: whom a link signs in, for the page that asks before it uses the link. */
function showLink(services: Services): RequestHandler {
  return async (request, response) => {
    const { token } = await readSignIn(request, response, services, tokenBody);
    response.status(200).json({ link: await nameLink(shareOf(response, services).pool, token) });
  };
}

/** `GET /auth/ways`: how people sign in here, for the page that asks them. */
function tellWays(services: Services): RequestHandler {
  return (_request, response) => {
    const { OIDC_ISSUER: issuer, SMTP_URL: smtpUrl } = services.config;
    response.status(200).json({ link: smtpUrl !== null, passkey: true, oidc: issuer !== null });
  };
}

/** `POST /auth/passkey/options`: what the browser needs to sign with a passkey. */
function passkeyOptions(services: Services): RequestHandler {
  return async (request, response) => {
    await readSignIn(request, response, services, noBody);
    response.status(200).json(await startPasskeySignIn(shareOf(response, services)));
  };
}

/** `POST /auth/passkey/sign-in`: signs in with what the browser then answers. */
function passkeySignIn(services: Services): RequestHandler {
  return async (request, response) => {
    const body = await readSignIn(request, response, services, passkeyBody);
    const share = shareOf(response, services);
    const session = await usePasskey(share, body.response, browserOf(request, response));
    await answerSession(request, response, share, session);
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
export function createAuth(parts: RestParts): Router {
  const { services } = parts;
  const posts: Readonly<Record<string, RequestHandler>> = {
    '/link': askForLink(services),
    '/link/consume': consumeLink(parts),
    '/link/name': showLink(services),
    '/passkey/options': passkeyOptions(services),
    '/passkey/sign-in': passkeySignIn(services),
    '/sign-out': signOut(services),
  };
  const router = Router({ caseSensitive: true });
  router.use((request, response, next) => {
    facts(response).route = `/auth${request.path}`;
    next();
  });
  const gets: Readonly<Record<string, RequestHandler>> = {
    '/oidc/callback': finishOidcSignIn(services),
    '/oidc/start': startOidc(services),
    '/ways': tellWays(services),
  };
  for (const [path, handler] of Object.entries(posts)) router.post(path, handler);
  for (const [path, handler] of Object.entries(gets)) router.get(path, handler);
  router.use((request, response) => {
    const method = Object.hasOwn(posts, request.path) ? 'POST' : 'GET';
    const known = method === 'POST' || Object.hasOwn(gets, request.path);
    // A path may be anything, and a log has templates of paths only.
    if (!known) facts(response).route = '/auth/*';
    if (!known) throw new DomainError('not_found', { message: 'There is no such endpoint.' });
    response.setHeader('Allow', method);
    throw new HttpError(405, `This takes ${method}.`);
  });
  return router;
}
