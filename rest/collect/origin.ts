import type { Request } from 'express';

function originOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).origin : null;
}

/**
 * Whether a form was sent by a page of another site. The token in the form's address opens it, and no
 * cookie does, so a foreign page would need the link already. It is refused nevertheless, so that
 * nobody fills in the form through a page that is not ours.
 *
 * Browsers send Sec-Fetch-Site where the connection is secure or local. Elsewhere the Origin is
 * compared. An Origin of `null` proves nothing: our own pages send it, since they keep their address
 * out of referrers (Fetch, "append a request Origin header").
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
