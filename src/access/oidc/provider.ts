import type { Configuration } from 'openid-client';
import { oncePerProcess } from '../../process/once.ts';
import type { Config } from '../../process/config.ts';

/** Loaded when somebody first signs in this way. */
export const loadOidc = () => import('openid-client');

/** What is asked for: who somebody is, and their e-mail address. */
export const scope = 'openid email profile';

async function discover(config: Config): Promise<Configuration> {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret, NODE_ENV } = config;
  if (issuer === null || id === null || secret === null) throw new Error('there is no issuer');
  // Production refuses an issuer without TLS at its start; a test has one on its own machine, and the mark of the
  // package is a warning to everybody else.
  // oxlint-disable-next-line typescript/no-deprecated
  const { allowInsecureRequests, discovery, enableNonRepudiationChecks } = await loadOidc();
  const plain = NODE_ENV !== 'production' && new URL(issuer).protocol === 'http:';
  // The package trusts the connection to the token endpoint alone, unless it is told to look at the signature: with a
  // public key of the issuer, by an algorithm that the issuer names, so neither `none` nor a shared secret will do.
  const execute = [enableNonRepudiationChecks, ...(plain ? [allowInsecureRequests] : [])];
  const options = { timeout: 10, execute };
  return discovery(new URL(issuer), id, secret, undefined, options);
}

const known = oncePerProcess(() => ({ found: null as Promise<Configuration> | null }));

/** The endpoints and keys of the issuer, asked for once; again where that failed. Rejects when it is away. */
export function oidcProvider(services: { readonly config: Config }): Promise<Configuration> {
  const kept = known(services);
  kept.found ??= discover(services.config).catch((error: unknown) => {
    kept.found = null;
    throw error;
  });
  return kept.found;
}
