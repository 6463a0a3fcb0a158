import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeTenant } from '../support/factory.ts';
import { freePort } from '../support/free-port.ts';
import { startHarness, type Harness } from '../support/harness.ts';
import { holderOf, linkToken } from '../support/sessions.ts';
import { launchChromium } from './chromium.ts';

/*
 * A real browser with a virtual authenticator (https://chromedevtools.github.io/devtools-protocol/tot/WebAuthn/),
 * which signs as a phone or a password manager does.
 */

let harness: Harness;
let browser: Browser;
let url: string;
beforeAll(async () => {
  const port = await freePort();
  url = `http://localhost:${port}`;
  harness = await startHarness({ worker: false, port, env: { PUBLIC_URL: url } });
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await harness.close();
});

interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** Sends a request as a page of the console does: the browser adds Origin and cookie. */
const send = (page: Page, path: string, body: unknown): Promise<Answer> =>
  page.evaluate(
    async ([to, text]) => {
      const headers = { 'content-type': 'application/json', 'x-payouts-console': '1' };
      const answer = await fetch(to, { method: 'POST', headers, body: text });
      const read = await answer.text();
      return { status: answer.status, body: read === '' ? null : JSON.parse(read) };
    },
    [path, JSON.stringify(body)] as const,
  );

const graphql = async (page: Page, query: string, variables: object = {}) =>
  (await send(page, '/graphql', { query, variables })).body;

/** Lets the browser make a passkey, as JSON. */
const create = (page: Page, options: unknown): Promise<object> =>
  page.evaluate(async (given) => {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(given as never);
    const made = await navigator.credentials.create({ publicKey });
    return (made as PublicKeyCredential).toJSON();
  }, options);

/** Lets the browser sign with one. */
const sign = (page: Page, options: unknown): Promise<object> =>
  page.evaluate(async (given) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(given as never);
    const signed = await navigator.credentials.get({ publicKey });
    return (signed as PublicKeyCredential).toJSON();
  }, options);

const authenticator = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const;

/** A browser of a person, with a device that can hold passkeys. */
async function openBrowser(): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', { options: authenticator });
  await page.goto(`${url}/docs`);
  return { context, page };
}

async function signedIn() {
  const tenant = await makeTenant(harness);
  const person = await holderOf(harness, tenant.key);
  const opened = await openBrowser();
  const token = await linkToken(harness, person);
  expect((await send(opened.page, '/auth/link/consume', { token })).status).toBe(200);
  return { ...opened, tenant, person };
}

const optionsMutation = 'mutation { passkeyRegistrationOptions }';
const addMutation = `mutation ($name: String!, $response: JSON!) {
  passkeyRegister(name: $name, response: $response) { id name synced lastUsedAt }
}`;

async function add(page: Page, name: string) {
  const asked = await graphql(page, optionsMutation);
  expect(asked.errors).toBeUndefined();
  const response = await create(page, asked.data.passkeyRegistrationOptions);
  return { response, answer: await graphql(page, addMutation, { name, response }) };
}

const codeOf = (body: Answer['body']): string | undefined =>
  body.errors?.[0].extensions.code ?? body.error?.code;

test('a person adds a passkey, signs out, and signs in with it without an address', async () => {
  const { context, page, person, tenant } = await signedIn();
  const { answer } = await add(page, 'My laptop');
  expect(answer.data.passkeyRegister).toMatchObject({ name: 'My laptop', lastUsedAt: null });
  expect((await send(page, '/auth/sign-out', {})).status).toBe(204);
  expect(codeOf(await graphql(page, '{ viewer { id } }'))).toBe('unauthorized');

  const { body: options } = await send(page, '/auth/passkey/options', {});
  expect(options.allowCredentials ?? []).toEqual([]);
  const response = await sign(page, options);
  expect((await send(page, '/auth/passkey/sign-in', { response })).status).toBe(200);
  const seen = await graphql(
    page,
    '{ viewer { id businessId session { signedInBy } } passkeys { name lastUsedAt } }',
  );
  expect(seen.data).toEqual({
    viewer: {
      id: person.userId,
      businessId: tenant.businessId,
      session: { signedInBy: 'passkey' },
    },
    passkeys: [{ name: 'My laptop', lastUsedAt: expect.any(String) }],
  });
  const [cookie] = await context.cookies();
  expect(cookie).toMatchObject({
    name: '__Host-payouts_session',
    secure: true,
    httpOnly: true,
    sameSite: 'Lax',
    path: '/',
  });
  // The same signature again: its challenge is used up.
  const again = await send(page, '/auth/passkey/sign-in', { response });
  expect([again.status, codeOf(again.body)]).toEqual([401, 'unauthorized']);
  await context.close();
});

test('what is not signed for this service, this challenge and this person opens nothing', async () => {
  const { context, page, person } = await signedIn();
  await add(page, 'Phone');
  const sent = async (change: (response: never, options: never) => unknown) => {
    const { body: options } = await send(page, '/auth/passkey/options', {});
    const response = await sign(page, options);
    return send(page, '/auth/passkey/sign-in', {
      response: change(response as never, options as never),
    });
  };
  type Signed = { id: string; response: Record<string, string> };
  const wrong: ((response: Signed) => unknown)[] = [
    (signed) => ({ ...signed, id: 'AAAA' }),
    (signed) => ({ ...signed, response: { ...signed.response, signature: 'AAAA' } }),
    (signed) => ({ ...signed, response: { ...signed.response, clientDataJSON: 'AAAA' } }),
    () => ({}),
  ];
  for (const change of wrong) {
    const refused = await sent(change);
    expect([refused.status, codeOf(refused.body)]).toEqual([401, 'unauthorized']);
  }
  // A member who was removed has a passkey that works, and nowhere to go.
  await harness.database.pool.query('UPDATE membership SET removed_at = now() WHERE id = $1', [
    person.membershipId,
  ]);
  const refused = await sent((signed) => signed);
  expect([refused.status, codeOf(refused.body)]).toEqual([403, 'forbidden']);
  await context.close();
});

test('a passkey is added soon after signing in, once, and removed by its owner alone', async () => {
  const { context, page, person } = await signedIn();
  const { response, answer } = await add(page, 'First');
  const [first] = [answer.data.passkeyRegister];
  // The same answer again: its challenge is used up.
  const again = await graphql(page, addMutation, { name: 'Copy', response });
  expect(codeOf(again)).toBe('unprocessable_entity');
  const nonsense = await graphql(page, addMutation, { name: 'X', response: { id: 'x' } });
  expect(codeOf(nonsense)).toBe('unprocessable_entity');
  const unnamed = await graphql(page, addMutation, { name: ' ', response: {} });
  expect(codeOf(unnamed)).toBe('validation_failed');

  const stranger = await signedIn();
  const remove = 'mutation ($id: ID!) { passkeyRemove(id: $id) }';
  expect(codeOf(await graphql(stranger.page, remove, { id: first.id }))).toBe('not_found');
  expect((await graphql(stranger.page, '{ passkeys { id } }')).data.passkeys).toEqual([]);
  // The challenge of one session does nothing in another.
  const theirs = (await graphql(stranger.page, optionsMutation)).data.passkeyRegistrationOptions;
  const made = await create(stranger.page, theirs);
  const lent = await graphql(page, addMutation, { name: 'Theirs', response: made });
  expect(codeOf(lent)).toBe('unprocessable_entity');
  await stranger.context.close();

  expect((await graphql(page, remove, { id: first.id })).data.passkeyRemove).toBe(first.id);
  expect((await graphql(page, '{ passkeys { id } }')).data.passkeys).toEqual([]);
  expect(codeOf(await graphql(page, remove, { id: first.id }))).toBe('not_found');
  const { body: options } = await send(page, '/auth/passkey/options', {});
  const signed = await sign(page, options);
  expect((await send(page, '/auth/passkey/sign-in', { response: signed })).status).toBe(401);

  await harness.database.pool.query(
    "UPDATE user_session SET created_at = now() - interval '16 minutes' WHERE user_id = $1",
    [person.userId],
  );
  expect(codeOf(await graphql(page, optionsMutation))).toBe('forbidden');
  await context.close();
});
