import type { Config } from '../../process/config.ts';

/**
 * What a passkey is bound to (https://www.w3.org/TR/webauthn-3/, section 5.1.2): the host of the public URL, and the origin of
 * our pages. A passkey does not work after the service has moved to another host.
 */
export function relyingParty({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>) {
  const { hostname, origin } = new URL(PUBLIC_URL);
  return { rpID: hostname, origin };
}
