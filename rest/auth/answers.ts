import type { Request, Response } from 'express';
import type { Browser, OpenedSession } from '../../src/access/session/open.ts';
import { endSession } from '../../src/access/session/end.ts';
import { admitSignIn } from '../../src/access/rate-limit/sign-in.ts';
import type { Services } from '../../src/process/services.ts';
import { parseInput } from '../../src/values/validate.ts';
import type { z } from 'zod';
import { keylessParts, readJsonBody } from '../http/body.ts';
import { facts } from '../route/handler.ts';
import { requireOwnPage } from './console-request.ts';
import { keepSession, readSessionToken } from './cookie.ts';

/** Bytes of the largest body by which somebody signs in. */
const bodyLimit = 32_768;

/** The parts of the process within the share of the caller's address. */
export const shareOf = (response: Response, services: Services): Services =>
  facts(response).allowance?.services ?? services;

export const browserOf = (request: Request, response: Response): Browser => ({
  clientAddress: facts(response).clientAddress,
  userAgent: request.get('user-agent') ?? null,
});

/**
 * What every request to sign in has in common: it is of our own page, it is counted, and its body has the
 * form that is asked for. Throws forbidden, too_many_requests, bad_request, validation_failed.
 */
export async function readSignIn<T extends z.ZodType>(
  request: Request,
  response: Response,
  services: Services,
  contract: T,
): Promise<z.output<T>> {
  requireOwnPage(request, services.config.PUBLIC_URL);
  const { clientAddress, reportLimit } = facts(response);
  await admitSignIn(shareOf(response, services), clientAddress, reportLimit);
  const body = await readJsonBody(request, true, bodyLimit, null, keylessParts);
  return parseInput(contract, body ?? {});
}

/**
 * The cookie of a session that begins in a browser. The one that the browser had ends: nobody could sign out of
 * it any more.
 */
export async function beginSession(
  request: Request,
  services: Services,
  { token, expiresAt }: OpenedSession,
): Promise<string> {
  const before = readSessionToken(request);
  if (before !== null) await endSession(services.pool, before);
  return keepSession(token, expiresAt);
}

/** Signs the browser in. */
export async function answerSession(
  request: Request,
  response: Response,
  services: Services,
  session: OpenedSession,
): Promise<void> {
  const { id, expiresAt } = session;
  response.setHeader('Set-Cookie', await beginSession(request, services, session));
  response.status(200).json({ session: { id, expires_at: expiresAt.toISOString() } });
}
