import type { IDToken } from 'openid-client';
import type { PoolClient } from 'pg';
import { z } from 'zod';
import { inTransaction } from '../../db/pool.ts';
import { retryOnError } from '../../db/retry.ts';
import type { Services } from '../../process/services.ts';
import { email as emailField, emailDomain } from '../../values/fields.ts';
import { invitedMeanwhile } from '../registration/prove.ts';
import type { Role } from '../roles.ts';
import type { SignInAs } from '../session/link.ts';
import { openSession, type Browser, type OpenedSession } from '../session/open.ts';
import { personOfCompany } from './identity.ts';
import { loadOidc, oidcProvider, scope } from './provider.ts';

/** Seconds that somebody has for their company's page. */
export const beginningSeconds = 600;

/** What the browser keeps, encrypted, between the redirect and the way back. */
const beginning = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  as: z.enum(['member', 'operator']).nullable(),
  /** Milliseconds since 1970. */
  until: z.number(),
});

const place = { tenantId: '', row: 'sign-in', field: 'oidc' } as const;

const redirectUri = ({ PUBLIC_URL }: Services['config']): string =>
  `${PUBLIC_URL}/auth/oidc/callback`;

export interface BegunSignIn {
  /** The page of the company to which the browser goes. */
  readonly url: string;
  /** For a cookie, so that only this browser comes back. */
  readonly sealed: string;
}

/** Begins to sign in with the company's page: with PKCE, a state and a nonce. Rejects when the issuer is away. */
export async function beginOidc(services: Services, as: SignInAs | null): Promise<BegunSignIn> {
  const provider = await oidcProvider(services);
  const oidc = await loadOidc();
  const verifier = oidc.randomPKCECodeVerifier();
  const [state, nonce] = [oidc.randomState(), oidc.randomNonce()];
  const url = oidc.buildAuthorizationUrl(provider, {
    redirect_uri: redirectUri(services.config),
    scope,
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  const until = Date.now() + beginningSeconds * 1_000;
  const kept = JSON.stringify({ state, nonce, verifier, as, until });
  return {
    url: url.href,
    sealed: services.keyring.encrypt(kept, place).toString('base64url'),
  };
}

/** Why somebody is not signed in, for the page to which they come back. */
export type OidcRefusal =
  /** The way back is not the one that began in this browser, or took too long. */
  | 'not_begun'
  /** The company's page, or what it said, is not in order. */
  | 'not_confirmed'
  /** The address is not of a domain for which the company speaks. */
  | 'other_domain'
  /** None of the groups may do anything here. */
  | 'no_role'
  /** Nobody with this address is a member. */
  | 'no_member'
  /** The member with this address is bound to another identity of the company. */
  | 'other_identity';

export type OidcResult = OpenedSession | { readonly refused: OidcRefusal; readonly why?: string };

function unseal(services: Services, sealed: string): z.output<typeof beginning> | null {
  try {
    const text = services.keyring.decrypt(Buffer.from(sealed, 'base64url'), place);
    const begun = beginning.parse(JSON.parse(text));
    return begun.until > Date.now() ? begun : null;
  } catch {
    return null;
  }
}

/** The address for which the company speaks; null where it does not, or did not check it. */
function addressOf(
  claims: IDToken,
  { OIDC_DOMAINS, OIDC_VERIFIED_CLAIM }: Services['config'],
): string | null {
  const address = emailField.safeParse(claims['email']);
  // Some issuers write it as a text. One that says nothing may let people choose their own address.
  const verified = claims[OIDC_VERIFIED_CLAIM];
  if (!address.success || (verified !== true && verified !== 'true')) return null;
  const domains = OIDC_DOMAINS ?? [];
  return domains.includes(emailDomain(address.data) ?? '') ? address.data : null;
}

/** The role of the first group in the order of the setting; null where no group has one. */
function limitOf(
  claims: IDToken,
  { OIDC_ROLE_CLAIM, OIDC_ROLES }: { OIDC_ROLE_CLAIM: string; OIDC_ROLES: Map<string, Role> },
): Role | null {
  const claim = claims[OIDC_ROLE_CLAIM];
  const groups = new Set(Array.isArray(claim) ? claim : [claim]);
  for (const [group, role] of OIDC_ROLES) if (groups.has(group)) return role;
  return null;
}

/**
 * Signs in whom the company's page sent back: the member or operator who is bound to the issuer and subject, or the
 * first time the one who is known here by their e-mail address. Nobody becomes a member by it.
 * @param search the query of the way back, with its question mark
 * @param sealed what the browser kept; null where it has nothing
 */
export async function finishOidc(
  services: Services,
  { search, sealed, browser }: { search: string; sealed: string | null; browser: Browser },
): Promise<OidcResult> {
  const begun = sealed === null ? null : unseal(services, sealed);
  if (begun === null) return { refused: 'not_begun' };
  let claims: IDToken | undefined;
  try {
    const provider = await oidcProvider(services);
    const { authorizationCodeGrant } = await loadOidc();
    const url = new URL(redirectUri(services.config) + search);
    const tokens = await authorizationCodeGrant(provider, url, {
      pkceCodeVerifier: begun.verifier,
      expectedState: begun.state,
      expectedNonce: begun.nonce,
      idTokenExpected: true,
    });
    claims = tokens.claims();
  } catch (error) {
    return { refused: 'not_confirmed', why: error instanceof Error ? error.message : 'unknown' };
  }
  return claims === undefined
    ? { refused: 'not_confirmed' }
    : admit(services, claims, begun.as, browser);
}

async function admit(
  { pool, config }: Services,
  claims: IDToken,
  as: SignInAs | null,
  browser: Browser,
): Promise<OidcResult> {
  const address = addressOf(claims, config);
  if (address === null) return { refused: 'other_domain' };
  const { OIDC_ROLES, OIDC_ROLE_CLAIM } = config;
  const roleLimit = OIDC_ROLES === null ? null : limitOf(claims, { OIDC_ROLES, OIDC_ROLE_CLAIM });
  if (OIDC_ROLES !== null && roleLimit === null) return { refused: 'no_role' };
  const open = async (client: PoolClient): Promise<OidcResult> => {
    const identity = { issuer: claims.iss, subject: claims.sub, address };
    const person = await personOfCompany(client, identity, as);
    if (typeof person === 'string') return { refused: person };
    return openSession(client, config, person, { by: 'oidc', browser, roleLimit });
  };
  return retryOnError(invitedMeanwhile, () => inTransaction(pool, open));
}
