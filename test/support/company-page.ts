import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** The page of a company on which its people sign in, by OpenID Connect. */
export interface CompanyPage {
  /** The settings with which the service sends people there. */
  readonly env: Readonly<Record<string, string>>;
  /** Whoever comes next is signed in at once, with these claims. Their subject is `sub`, else their address. */
  claims: Record<string, unknown>;
  /** Puts another ID token into the place of the page's own. */
  forge: (idToken: string) => string;
  /** Lets the service in, which has its address only once it is started. */
  open(publicUrl: string): void;
  close(): Promise<void>;
}

const client = { id: 'payouts', secret: 'a secret of the company' };

/** Starts a certified provider (https://www.npmjs.com/package/oidc-provider) in this process. */
export async function startCompanyPage(): Promise<CompanyPage> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const page: CompanyPage = {
    env: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: client.id,
      OIDC_CLIENT_SECRET: client.secret,
    },
    claims: {},
    forge: (idToken) => idToken,
    open(publicUrl) {
      const provider = makeProvider(issuer, `${publicUrl}/auth/oidc/callback`, () => page.claims);
      provider.use(async (context, next) => {
        await next();
        const body = context.body as Record<string, unknown> | undefined;
        if (typeof body?.['id_token'] === 'string') {
          body['id_token'] = page.forge(body['id_token']);
        }
        // An issuer may list whatever it can do for some client.
        if (body?.['id_token_signing_alg_values_supported'] !== undefined) {
          body['id_token_signing_alg_values_supported'] = ['RS256', 'HS256', 'none'];
        }
      });
      const answer = provider.callback();
      server.on('request', (request, response) => {
        if (request.url?.startsWith('/interaction/') !== true) {
          void answer(request, response);
          return;
        }
        // Somebody signs in and agrees at once.
        void (async () => {
          const known = page.claims['sub'] ?? page.claims['email'];
          const accountId = typeof known === 'string' ? known : 'somebody';
          const grant = new provider.Grant({ accountId, clientId: client.id });
          grant.addOIDCScope('openid email profile');
          const result = {
            login: { accountId },
            consent: { grantId: await grant.save() },
          };
          await provider.interactionFinished(request, response, result);
        })();
      });
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return page;
}

function makeProvider(
  issuer: string,
  redirectUri: string,
  claims: () => Record<string, unknown>,
): Provider {
  return new Provider(issuer, {
    clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [redirectUri] }],
    pkce: { required: () => true },
    conformIdTokenClaims: false,
    claims: { openid: ['sub'], email: ['email', 'email_verified', 'groups'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, ...claims() }),
    }),
    ttl: { Interaction: 60, Session: 60, Grant: 60, AccessToken: 60, IdToken: 60 },
  });
}
