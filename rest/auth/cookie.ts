import type { IncomingMessage } from 'node:http';

/**
 * The cookie of a session. `__Host-` makes browsers take it over an encrypted connection only (or from this
 * machine), for every path, and from no other host of the domain
 * (https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis, section 4.1.3.2).
 */
const sessionCookie = '__Host-payouts_session';

/** The value of a cookie; null without it. */
export function readCookie(request: IncomingMessage, name: string): string | null {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return null;
}

/** The text of Set-Cookie, for a cookie that no script reads and no foreign page's request brings along. */
export function cookieText(name: string, value: string, maxAgeSeconds: number): string {
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; Secure; HttpOnly; SameSite=Lax`;
}

/** The token of the session that a request brings; null without one. */
export const readSessionToken = (request: IncomingMessage): string | null =>
  readCookie(request, sessionCookie);

/** Keeps the token of a session in the browser, until the session ends at the latest. */
export const keepSession = (token: string, expiresAt: Date): string =>
  cookieText(
    sessionCookie,
    token,
    Math.max(0, Math.ceil((expiresAt.getTime() - Date.now()) / 1_000)),
  );

/** Makes the browser forget its session. */
export const forgetSession = cookieText(sessionCookie, '', 0);
