import type { Request } from 'express';
import { isOperator, type Caller } from '../../src/access/scope.ts';
import { DomainError } from '../../src/errors/domain-error.ts';
import { readSessionToken } from './cookie.ts';

/** No form and no link of another page can send it, and a script of another origin only where CORS permits. */
const consoleHeader = 'x-payouts-console';

/** What the console sends in that header: a request of its person, or one that it makes by itself. */
const values = { person: '1', background: 'background' } as const;

/** For whom the page acts that sends a request, so that it does nothing elsewhere after a switch in another tab. */
const actingForHeader = 'x-payouts-acting-for';

/** A file that a page leads to by a link, which has no headers of ours: an export, and the statement of a period. */
const filePath = /^\/v1\/(?:exports\/[^/]+|funding\/entries\/export)$/;

/**
 * Whether a page of this service sent the request. Browsers add `Origin` to each POST and let no page choose it. Behind
 * a proxy that changes the host the public URL is compared; without one, as on a developer's machine, also
 * the host that was asked, if the browser says that the page is of the same origin.
 */
function isOwnPage(request: Request, publicUrl: string): boolean {
  const origin = request.get('origin');
  if (origin === undefined || !URL.canParse(origin)) return false;
  if (origin === new URL(publicUrl).origin) return true;
  const sameOrigin = request.get('sec-fetch-site') === 'same-origin';
  return sameOrigin && new URL(origin).host === request.get('host');
}

/** Throws forbidden unless a page of this service sent the request. */
export function requireOwnPage(request: Request, publicUrl: string): void {
  const header = request.get(consoleHeader);
  const isOurs = header === values.person || header === values.background;
  if (isOurs && isOwnPage(request, publicUrl)) return;
  throw new DomainError('forbidden', {
    message: `Only pages of ${new URL(publicUrl).origin} sign in and use a session: a request has their Origin and the header X-Payouts-Console.`,
  });
}

/** A session that a request shows. */
export interface ShownSession {
  readonly token: string;
  /** Whether its person made the request, and not the page by itself. */
  readonly counts: boolean;
}

/**
 * The session that a request shows: on GraphQL with the header of the console, and to load a file by a link of our
 * own page. A cookie that comes along with anything else is not looked at. Throws
 * forbidden where the request is not of our own page.
 */
export function shownSession(request: Request, publicUrl: string): ShownSession | null {
  const token = readSessionToken(request);
  if (token === null) return null;
  if (filePath.test(request.path)) {
    const reads = request.method === 'GET' || request.method === 'HEAD';
    const ours = request.get('sec-fetch-site') === 'same-origin';
    return reads && ours ? { token, counts: true } : null;
  }
  const header = request.get(consoleHeader);
  if (request.path !== '/graphql' || header === undefined) return null;
  requireOwnPage(request, publicUrl);
  return { token, counts: header === values.person };
}

/** Whether a request without a credential comes from a page, whose person has to sign in, and not from a program without a key. */
export const meansSession = (request: Request): boolean =>
  filePath.test(request.path)
    ? request.get('sec-fetch-site') === 'same-origin'
    : request.path === '/graphql' && request.get(consoleHeader) !== undefined;

/** For whom a session acts, as pages send it back: a business in an environment, or the operators. */
const actingFor = (caller: Caller): string =>
  isOperator(caller) ? 'operator' : `${caller.businessId}/${caller.environment}`;

/** Throws conflict where the page that sent the request was loaded for another business or environment. */
export function requireActingFor(request: Request, caller: Caller): void {
  const expected = request.get(actingForHeader);
  if (expected === undefined || expected === actingFor(caller)) return;
  throw new DomainError('conflict', {
    message: `The session was switched to ${actingFor(caller)}, and this page is of ${expected.slice(0, 60)}. Load the page again.`,
  });
}
