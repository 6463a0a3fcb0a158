import { getIntrospectionQuery, parse } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../rest/app.ts';
import { exportOperations } from '../../rest/files/exports.ts';
import { createHttpServer } from '../../rest/http/server.ts';
import { routes } from '../../rest/routes/table.ts';
import { taxDocumentOperations } from '../../rest/files/tax-documents.ts';
import { checkDocument, keyedBounds, keylessBounds } from '../../schema/document/check.ts';
import { countTokens } from '../../schema/document/text.ts';
import { createGraphql } from '../../schema/server.ts';
import { createAuthenticate } from '../../src/access/authenticate.ts';
import type { Config } from '../../src/process/config.ts';
import { makeTenant } from '../support/factory.ts';
import type { RestAnswer } from '../support/harness.ts';
import { useHarness } from '../support/use-harness.ts';

const introspection = getIntrospectionQuery({
  descriptions: true,
  specifiedByUrl: true,
  directiveIsRepeatable: true,
  schemaDescription: true,
  inputValueDeprecation: true,
  oneOf: true,
});
let key: string;
const harness = useHarness({ shipped: true, worker: false, env: { TRUSTED_PROXIES: '1' } });

beforeAll(async () => {
  ({ key } = await makeTenant(harness));
});

const messageOf = (answer: RestAnswer): string => answer.body.errors[0].message as string;

/** The same service with other settings, on a port of its own while `use` runs. */
async function served(config: Partial<Config>, use: (url: string) => Promise<void>): Promise<void> {
  const services = { ...harness.services, config: { ...harness.services.config, ...config } };
  const app = createApp(services, createAuthenticate(services.pool), createGraphql(services));
  const server = createHttpServer(app, 'http://localhost');
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  try {
    await use(`http://127.0.0.1:${address.port}/graphql`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

async function post(
  url: string,
  query: string,
  headers: Record<string, string> = {},
): Promise<Omit<RestAnswer, 'text'>> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

describe('what is refused by name', () => {
  const twice = (i: number): string => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`;
  const doubling = Array.from({ length: 22 }, (_, i) => twice(i)).join(' ');
  const chain = Array.from({ length: 60 }, (_, i) => `fragment F${i} on Query { ...F${i + 1} }`);
  it.each([
    [
      'fragments that double',
      `{ ...F0 } ${doubling} fragment F22 on Query { __typename }`,
      /fields/,
    ],
    ['a circle', '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }', /itself/],
    ['a chain', `{ ...F0 } ${chain.join(' ')} fragment F60 on Query { __typename }`, /deeper/],
    ['a fragment without use', '{ me { role } } fragment A on Query { __typename }', /never used/],
    ['two of one name', `{ ...A } ${'fragment A on Query { me { role } } '.repeat(2)}`, /only one/],
    ['repetitions', `{ ${'me { role } '.repeat(80)} }`, /2,000 repetitions/],
    ['selections in selections', '{ a '.repeat(40), /32 levels/],
    ['lists in lists', `{ node(id: ${'['.repeat(40)}`, /32 levels/],
    ['lines', `{ me ${'\n'.repeat(1_000)} { role } }`, /1,000 lines/],
    ['characters', `{ me { role } } # ${'x'.repeat(100_000)}`, /100,000 characters/],
    ['schema aliases', '{ a: __schema { queryType { name } } }', /no aliases/],
    [
      'fields of fields',
      '{ __type(name: "Payout") { fields { type { fields { name } } } } }',
      /fields of fields/,
    ],
  ])('%s', async (_name, query, told) => {
    const answer = await harness.graphql(key, query);
    expect(messageOf(answer)).toMatch(told);
    expect(answer.body.errors[0].extensions.code).toBe('bad_request');
    expect(answer.body.errors).toHaveLength(1);
  });

  it('operations', async () => {
    const query = Array.from({ length: 51 }, (_, i) => `query Q${i} { me { role } }`).join(' ');
    const body = { query, operationName: 'Q7' };
    const answer = await harness.rest('POST', '/graphql', { key, body });
    expect(messageOf(answer)).toMatch(/50 operations/);
  });

  it('a body of a thousand members, where no key is shown', async () => {
    const variables = Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`v${i}`, i]));
    const query = '{ __typename }';
    expect(messageOf(await harness.graphql(undefined, query, variables))).toMatch(/too many keys/);
    expect((await harness.graphql(key, query, variables)).body.data.__typename).toBe('Query');
    const body = { email: 'a@example.com', company_name: 'A', ...variables };
    const registration = await harness.rest('POST', '/v1/registration', { body });
    expect(registration.body.error).toMatchObject({ code: 'bad_request' });
  });
});

describe('what an integrator sends', () => {
  it('our own documents are within the bounds', () => {
    for (const { document } of [...routes, ...exportOperations, ...taxDocumentOperations]) {
      countTokens(document, keyedBounds);
      checkDocument(parse(document), keyedBounds, false);
    }
    for (const { document, permission } of routes) {
      if (permission === null) checkDocument(parse(document), keylessBounds, false);
    }
  });

  it("a dashboard's page of 100 payouts, asked twice", async () => {
    const page = `query Page($first: Int!) {
      payouts(first: $first) {
        edges { cursor node { ...Row decisions(first: 1) { edges { node { id status } } } transitions { fromState toState } } }
        pageInfo { hasNextPage endCursor }
      }
      me { environment role }
      fundingAccount { currency availableBalanceMinor }
    }
    fragment Row on Payout { id state amountMinor currency beneficiaryName permittedActions createdAt }`;
    for (let round = 0; round < 2; round += 1) {
      const answer = await harness.graphql(key, page, { first: 100 });
      expect(answer.body.errors).toBeUndefined();
      expect(answer.body.data.payouts.edges).toEqual([]);
    }
    // What is kept for callers with keys does not open it to others.
    expect((await harness.graphql(undefined, page, { first: 100 })).status).toBe(401);
  });

  it('introspection, with a key and without one', async () => {
    for (const by of [key, undefined]) {
      const answer = await harness.graphql(by, introspection);
      expect(answer.body.errors).toBeUndefined();
      expect(answer.body.data.__schema.types.length).toBeGreaterThan(100);
    }
  });
});

describe('introspection is a setting', () => {
  const schemaName = '{ __schema { queryType { name } } }';
  const asks = [
    schemaName,
    '{ __type(name: "Payout") { name } }',
    `{ ...A } fragment A on Query ${schemaName}`,
  ];
  it.each([
    [{ NODE_ENV: 'production', GRAPHQL_INTROSPECTION: null }, false],
    [{ NODE_ENV: 'production', GRAPHQL_INTROSPECTION: 'on' }, true],
    [{ NODE_ENV: 'development', GRAPHQL_INTROSPECTION: null }, true],
    [{ NODE_ENV: 'development', GRAPHQL_INTROSPECTION: 'off' }, false],
  ] as const)('%o answers: %s', async (config, answers) => {
    await served(config, async (url) => {
      for (const headers of [{}, { authorization: `Bearer ${key}` }]) {
        for (const query of asks) {
          const { body } = await post(url, query, headers);
          if (answers) expect(body.errors).toBeUndefined();
          else {
            expect(body.errors[0].message).toMatch(/__schema and __type/);
            expect(body.errors[0].extensions.code).toBe('bad_request');
          }
        }
        expect((await post(url, '{ __typename }', headers)).body.data.__typename).toBe('Query');
      }
    });
  });
});

describe('without a valid key', () => {
  it('an address has so many operations, a /64 is one, and a key is not counted', async () => {
    await served({ KEYLESS_RATE_LIMIT: 3, TRUSTED_PROXIES: 1 }, async (url) => {
      const from = (address: string) => post(url, '{ __typename }', { 'x-forwarded-for': address });
      for (let left = 2; left >= 0; left -= 1) {
        const { status, headers } = await from(`2001:db8:1:2::${left}`);
        expect(status).toBe(200);
        expect(headers.get('ratelimit')).toMatch(new RegExp(`^"keyless";r=${left};t=\\d+$`));
        expect(headers.get('ratelimit-policy')).toBe('"keyless";q=3;w=60');
      }
      const refused = await from('2001:db8:1:2:ffff::1');
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(refused.headers.get('ratelimit')).toMatch(/^"keyless";r=0/);
      expect(refused.body.errors[0].extensions.code).toBe('too_many_requests');
      expect((await from('2001:db8:1:3::1')).status).toBe(200);
      expect((await from('192.0.2.7')).status).toBe(200);
      const keyed = { 'x-forwarded-for': '2001:db8:1:2::1', authorization: `Bearer ${key}` };
      expect((await post(url, '{ me { role } }', keyed)).body.data.me.role).toBe('owner');
      const wrong = { ...keyed, authorization: 'Bearer pos_sandbox_nothing' };
      expect((await post(url, '{ __typename }', wrong)).status).toBe(429);
    });
  });

  it.each([
    ['tokens', `{ me { ${'role '.repeat(600)} } }`, /600 tokens/],
    [
      'fields',
      `{ me { ${Array.from({ length: 125 }, (_, i) => `a${i}: role`).join(' ')} } }`,
      /120 fields/,
    ],
    [
      'questions',
      `{ ${Array.from({ length: 11 }, (_, i) => `a${i}: me { role }`).join(' ')} }`,
      /10 fields/,
    ],
    ['lines', `{ me ${'\n'.repeat(300)} { role } }`, /300 lines/],
  ])('a document has fewer %s', async (_name, query, told) => {
    expect(messageOf(await harness.graphql(undefined, query))).toMatch(told);
    const keyed = await harness.graphql(key, query);
    expect(keyed.text).not.toMatch(told);
  });

  it('one registers and opens a form', async () => {
    const register = `mutation ($i: BusinessRegisterInput!) {
      businessRegister(input: $i) { apiKey { environment key } } }`;
    const input = { email: 'ada@bounds.example', companyName: 'Bounds' };
    const registered = await harness.graphql(undefined, register, { i: input });
    expect(registered.body.data.businessRegister.apiKey.environment).toBe('sandbox');
    const body = { email: 'ada@rest-bounds.example', company_name: 'Bounds' };
    expect((await harness.rest('POST', '/v1/registration', { body })).status).toBe(201);
    const form = await harness.graphql(undefined, '{ collectionForm(token: "x") { __typename } }');
    expect(form.body).toEqual({ data: { collectionForm: null } });
  });

  it('take no events of providers, whose address and body are bounded by REST alone', async () => {
    const document =
      'mutation { providerEventReceive(provider: "simulator", rawBody: "", headers: {}) }';
    for (const credential of [undefined, key]) {
      const event = await harness.graphql(credential, document);
      expect(event.body.errors[0]).toMatchObject({
        message: 'Providers post their events to /provider-webhooks/{provider}.',
        extensions: { code: 'forbidden' },
      });
    }
  });
});
