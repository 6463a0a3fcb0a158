import type { Request } from 'express';

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}

/**
 * Whether a form was sent by a page of another site. What opens a form is the token in its address
 * and no cookie, so a foreign page that could send one would have to hold the link already; this
 * refuses it all the same, so that nobody fills in the form through a page that is not ours.
 *
 * Browsers tell by Sec-Fetch-Site where the connection is secure or local. Elsewhere the Origin is
 * compared. An Origin of `null` says nothing: our own pages send it, since they keep the address
 * from referrers (Fetch, "append a request Origin header").
 */
export function isForeign(request: Request, publicUrl: string): boolean {
  const site = request.get('sec-fetch-site');
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const origin = request.get('origin');
  if (origin === undefined || origin === 'null') return false;
  if (origin === originOf(publicUrl)) return false;
  const host = URL.canParse(origin) ? new URL(origin).host : null;
  return host === null || host !== request.get('host');
}
