import { z } from 'zod';
import type { Role } from '../../access/roles.ts';
import { list } from './schemas.ts';
import { setting } from './setting.ts';

/** The compiler keeps them in step with the roles that there are. */
const known = {
  owner: true,
  admin: true,
  preparer: true,
  approver: true,
  developer: true,
  viewer: true,
} as const satisfies Record<Role, true>;

const isRole = (text: string): text is Role => Object.hasOwn(known, text);

/** `group=role` pairs. A group's name may hold an equals sign. */
const groupRoles = list.transform((pairs, context) => {
  const mapped = new Map<string, Role>();
  for (const pair of pairs) {
    const at = pair.lastIndexOf('=');
    const role = pair.slice(at + 1);
    if (at > 0 && isRole(role)) mapped.set(pair.slice(0, at), role);
    else
      context.addIssue(
        `each must be <group>=<role>, with one of the roles ${Object.keys(known).join(', ')}`,
      );
  }
  return mapped;
});

/** The sign-in of a company (OpenID Connect). */
export const oidcSettings = {
  OIDC_ISSUER: setting({
    schema: z.url(),
    fallback: null,
    description:
      "Issuer of a company's sign-in (OpenID Connect), for example `https://login.example.com`; `/.well-known/openid-configuration` is found below it. Its redirect URI is `<PUBLIC_URL>/auth/oidc/callback`. Absent: there is none.",
  }),
  OIDC_CLIENT_ID: setting({
    schema: z.string().min(1),
    fallback: null,
    description: 'Id under which the service is registered there. Required with `OIDC_ISSUER`.',
  }),
  OIDC_CLIENT_SECRET: setting({
    schema: z.string().min(1),
    fallback: null,
    description: 'Secret of that registration. Required with `OIDC_ISSUER`.',
  }),
  OIDC_DOMAINS: setting({
    schema: list.transform((domains) => domains.map((domain) => domain.toLowerCase())),
    fallback: null,
    description:
      'Domains, separated by commas, for whose e-mail addresses the issuer speaks. Somebody with another address is not signed in by it. Required with `OIDC_ISSUER`.',
  }),
  OIDC_VERIFIED_CLAIM: setting({
    schema: z.string().min(1),
    fallback: 'email_verified',
    description:
      'Claim of the ID token that is true where the issuer has verified the e-mail address. Nobody is signed in without it. An issuer without `email_verified` may have another claim that says the same.',
  }),
  OIDC_ROLE_CLAIM: setting({
    schema: z.string().min(1),
    fallback: 'groups',
    description: 'Claim of the ID token that lists the groups of a person.',
  }),
  OIDC_ROLES: setting({
    schema: groupRoles,
    fallback: null,
    description:
      'What each group may do at most, as `<group>=<role>`, separated by commas; of several groups the first in this order counts. A session then has no more rights than the role of the group and that of the member, and somebody of no group is not signed in. Absent: the role of the member alone counts.',
  }),
} as const;

/** The settings without which an issuer is of no use. */
export function missingOidcSettings(values: Readonly<Record<string, unknown>>): string[] {
  if (values['OIDC_ISSUER'] === null || values['OIDC_ISSUER'] === undefined) return [];
  const needed = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_DOMAINS'];
  return needed.filter((name) => values[name] === null);
}
