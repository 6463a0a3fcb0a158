import { connect } from 'node:net';
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeTenant, type TestTenant } from '../../support/factory.ts';
import { startHarness, type Harness } from '../../support/harness.ts';

const origin = 'https://app.example.com';
let harness: Harness;
let production: Harness;
let tenant: TestTenant;

beforeAll(async () => {
  harness = await startHarness({ shipped: true, worker: false, env: { CORS_ORIGINS: origin } });
  production = await startHarness({
    shipped: true,
    worker: false,
    env: {
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://payouts.example.org',
      WEBHOOK_ALLOWED_HOSTS: '',
      ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
      SIMULATOR_API_KEY: 'a-key-that-is-not-the-default',
      SIMULATOR_WEBHOOK_SECRET: 'a-secret-that-is-not-the-default',
    },
  });
  tenant = await makeTenant(harness);
});
afterAll(async () => {
  await harness.close();
  await production.close();
});

const path = '/v1/business/profile';

interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  // The shape is what a test asserts.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
  readonly text: string;
}

/** Sends bytes as they are on a connection of their own and reads until it ends. */
async function raw(parts: readonly (string | Buffer)[], at = harness): Promise<RawAnswer> {
  const { hostname, port } = new URL(at.baseUrl);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // A server that ends the connection while it is still written to is what some tests are about.
  socket.on('error', () => undefined);
  for (const part of parts) socket.write(part);
  await new Promise((resolve) => socket.on('close', resolve));
  const text = Buffer.concat(chunks).toString();
  const split = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, split).split('\r\n');
  const pairs = lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const body = text.slice(split + 4);
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: new Headers(pairs),
    body: body.startsWith('{') ? JSON.parse(body) : null,
    text,
  };
}

function request(line: string, headers: readonly string[] = [], body = ''): string {
  return [`${line} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', body].join(
    '\r\n',
  );
}

const withKey = () => `Authorization: Bearer ${tenant.key}`;

function expectEnvelope(answer: RawAnswer, status: number): void {
  expect(answer.status).toBe(status);
  expect(answer.body.error).toMatchObject({ code: 'bad_request', message: expect.any(String) });
  expect(answer.body.error.request_id).toBe(answer.headers.get('x-request-id'));
  expect(answer.text).not.toMatch(/\bat .*\.ts:|node_modules|node:internal/);
}

test('a second Host, Authorization or Content-Type is refused', async () => {
  const twice = [
    ['Host: elsewhere.example'],
    ['Host: localhost'],
    [withKey(), 'Authorization: Bearer other'],
    ['Content-Type: application/json', 'content-type: text/plain'],
  ];
  for (const headers of twice) {
    const answer = await raw([request(`GET ${path}`, headers)]);
    expectEnvelope(answer, 400);
    expect(answer.headers.get('connection')).toBe('close');
  }
  expect((await raw([request(`GET ${path}`, [withKey()])])).status).toBe(200);
});

test('a missing Host is refused, unless by HTTP/1.0', async () => {
  const answer = await raw([`GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`]);
  expectEnvelope(answer, 400);
  const old = await raw([`GET ${path} HTTP/1.0\r\n${withKey()}\r\n\r\n`]);
  expect(old.status).toBe(200);
});

test('what is no HTTP gets the envelope too', async () => {
  expectEnvelope(await raw(['nonsense\r\n\r\n']), 400);
  expectEnvelope(await raw([request('GET /', ['Content-Length: x'])]), 400);
  const smuggled = ['Content-Length: 5', 'Transfer-Encoding: chunked'];
  expectEnvelope(await raw([request(`PUT ${path}`, smuggled, '0\r\n\r\n')]), 400);
  expectEnvelope(await raw([request('GET /', [`X-Long: ${'x'.repeat(20_000)}`])]), 431);
  expectEnvelope(await raw([request(`GET /${'x'.repeat(20_000)}`)]), 431);
  expectEnvelope(await raw([request(`GET /v1/${'x'.repeat(9_000)}`)]), 414);
});

test('malformed percent-encoding, in the path or in the query, is a bad request', async () => {
  for (const target of ['/v1/payouts/%zz', '/v1/%c3%28', '/%', '/v1/payouts?cursor=%ff']) {
    expectEnvelope(await raw([request(`GET ${target}`, [withKey()])]), 400);
  }
});

test('a NUL, which PostgreSQL takes in no text, is refused or finds nothing', async () => {
  const { key } = tenant;
  for (const [target, status] of [
    ['/v1/payouts?external_ref=%00', 400],
    ['/v1/payouts?cursor=%00', 400],
    ['/v1/payouts/%00', 404],
    ['/v1/beneficiaries/ben_%00/bank-accounts', 404],
  ] as const) {
    expect((await harness.rest('GET', target, { key })).status).toBe(status);
  }
});

const fill = (bytes: number) => JSON.stringify({ industry: 'x'.repeat(bytes) });

test('a body over 1 MiB is refused with 413, whether or not it says its length', async () => {
  const large = await harness.rest('PUT', path, { key: tenant.key, body: fill(1_048_576) });
  expect(large.status).toBe(413);
  expect(large.body.error.code).toBe('bad_request');
  const within = await harness.rest('PUT', path, { key: tenant.key, body: fill(1_048_000) });
  expect(within.body.error.code).toBe('validation_failed');

  const chunk = 'x'.repeat(65_536);
  const head = [withKey(), 'Content-Type: application/json', 'Transfer-Encoding: chunked'];
  const chunks = Array.from({ length: 40 }, () => `10000\r\n${chunk}\r\n`);
  const streamed = await raw([request(`PUT ${path}`, head), ...chunks, '0\r\n\r\n']);
  expectEnvelope(streamed, 413);

  const graphql = await harness.graphql(tenant.key, `{ me { userId } } # ${'x'.repeat(1_048_576)}`);
  expect(graphql.status).toBe(413);
  expect(graphql.body.errors[0].extensions.code).toBe('bad_request');
});

test.each([
  ['text/plain', '{}'],
  ['application/x-www-form-urlencoded', 'legal_name=x'],
  ['application/json; charset=latin1', '{}'],
  ['multipart/form-data; boundary=x', '--x--'],
])('a body of the type %s is refused', async (type, body) => {
  const headers = { 'content-type': type };
  const answer = await harness.rest('PUT', path, { key: tenant.key, body, headers });
  expect(answer.status).toBe(400);
  expect(answer.body.error.code).toBe('bad_request');
});

test.each([
  ['not JSON', '{"legal_name":'],
  ['nothing but space', '  '],
  ['nested too deeply', `{"industry":${'['.repeat(50)}${']'.repeat(50)}}`],
  ['nested far too deeply', '['.repeat(500_000)],
])('a body that is %s is refused', async (_name, body) => {
  const answer = await harness.rest('PUT', path, { key: tenant.key, body });
  expect(answer.status).toBe(400);
  expect(answer.body.error.code).toBe('bad_request');
});

test('bytes that are not UTF-8, and a compressed body, are refused', async () => {
  const head = [withKey(), 'Content-Type: application/json', 'Content-Length: 5'];
  const bytes = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]);
  expectEnvelope(await raw([request(`PUT ${path}`, head), bytes]), 400);
  const zipped = [...head, 'Content-Encoding: gzip'];
  expectEnvelope(await raw([request(`PUT ${path}`, zipped), bytes]), 400);
});

test('a parameter that takes one value may not be repeated; one that takes several may', async () => {
  const { key } = tenant;
  for (const query of ['limit=1&limit=2', 'external_ref=a&external_ref=a', 'cursor=a&cursor=b']) {
    const answer = await harness.rest('GET', `/v1/payouts?${query}`, { key });
    expect(answer.status).toBe(400);
    const { code, details } = answer.body.error;
    expect([code, details[0].field]).toEqual(['validation_failed', query.split('=')[0]]);
  }
  const several = await harness.rest('GET', '/v1/payouts?state=settled&state=failed', { key });
  expect(several.status).toBe(200);
  // The thousandth parameter is read as well as the first.
  const many = `/v1/payouts?${'state=settled&'.repeat(500)}unknown=1`;
  expect((await harness.rest('GET', many, { key })).body.error.code).toBe('validation_failed');
});

test.each(['__proto__', 'constructor', 'prototype', 'toString'])(
  '%s is an unknown field like any other and reaches no prototype',
  async (name) => {
    const body = `{"${name}":{"polluted":true},"industry":"software"}`;
    const { key } = tenant;
    const answer = await harness.rest('PUT', path, { key, body });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details).toMatchObject([{ field: name, code: 'unknown_field' }]);
    const query = await harness.rest('GET', `/v1/payouts?${name}=1&${name}[polluted]=1`, { key });
    expect(query.status).toBe(400);
    expect(query.body.error.code).toBe('validation_failed');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  },
);

test('a known path with another method is 405 with its methods; an unknown path is 404', async () => {
  for (const method of ['DELETE', 'PATCH', 'POST']) {
    const answer = await harness.rest(method, path, { key: tenant.key });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS, PUT');
    expect(answer.body.error.code).toBe('bad_request');
  }
  const exported = await harness.rest('POST', '/v1/reporting/transactions/export');
  expect(exported.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  for (const target of ['/v1/nothing', '/nothing', '/V1/payouts', '/v2/payouts', '/graphql/x']) {
    const answer = await harness.rest('GET', target, { key: tenant.key });
    expect(answer.status).toBe(404);
    expect(answer.body.error.code).toBe('not_found');
  }
  const trace = await raw([request(`TRACE ${path}`, [withKey()])]);
  expectEnvelope(trace, 405);
});

test('HEAD answers as GET does, without a body; OPTIONS tells the methods', async () => {
  const head = await harness.rest('HEAD', path, { key: tenant.key });
  expect([head.status, head.text]).toEqual([200, '']);
  expect(head.headers.get('ratelimit')).not.toBeNull();
  for (const target of [path, '/v1/payouts', '/graphql']) {
    const options = await harness.rest('OPTIONS', target);
    expect(options.status).toBe(204);
    expect(options.headers.get('allow')).toContain('OPTIONS');
    expect(options.headers.get('access-control-allow-origin')).toBeNull();
  }
});

test('CORS: only for the listed origins', async () => {
  const preflight = { 'access-control-request-method': 'PUT' };
  const allowed = await harness.rest('OPTIONS', path, { headers: { origin, ...preflight } });
  expect(allowed.status).toBe(204);
  expect(allowed.headers.get('access-control-allow-origin')).toBe(origin);
  expect(allowed.headers.get('access-control-allow-methods')).toContain('PUT');
  const headersAllowed = allowed.headers.get('access-control-allow-headers')?.split(', ');
  expect(headersAllowed).toEqual(expect.arrayContaining(['Authorization', 'Idempotency-Key']));
  expect(allowed.headers.get('access-control-allow-credentials')).toBeNull();
  expect(allowed.headers.get('vary')).toContain('Origin');
  for (const target of [path, '/v1/nothing']) {
    const { headers } = await harness.rest('GET', target, { key: tenant.key, headers: { origin } });
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect(headers.get('access-control-expose-headers')).toContain('RateLimit');
  }
  const others = [`${origin}.evil.example`, 'http://app.example.com', 'null'];
  for (const other of others) {
    const headers = { origin: other, ...preflight };
    const answer = await harness.rest('OPTIONS', path, { headers });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(answer.headers.get('vary')).toContain('Origin');
  }
  const off = await production.rest('OPTIONS', path, { headers: { origin, ...preflight } });
  expect(off.headers.get('access-control-allow-origin')).toBeNull();
});

test('security headers stand on answers of every kind', async () => {
  const targets = ['/healthz', '/docs/errors', path, '/v1/nothing', '/v1/openapi.json', '/graphql'];
  for (const target of targets) {
    const { headers } = await harness.rest('GET', target);
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-powered-by')).toBeNull();
    if (!/docs|health/.test(target)) expect(headers.get('cache-control')).toBe('no-store');
  }
});

const post = (at: Harness, body: unknown, headers: Record<string, string> = {}) =>
  at.rest('POST', '/graphql', { key: tenant.key, body, headers });

test('GraphQL takes POST with application/json and nothing else', async () => {
  const query = '{ me { userId } }';
  const fine = await post(harness, { query });
  expect([fine.status, fine.headers.get('ratelimit') === null]).toEqual([200, false]);
  const byGet = await harness.rest('GET', `/graphql?query=${encodeURIComponent(query)}`, {
    key: tenant.key,
  });
  expect([byGet.status, byGet.headers.get('allow')]).toEqual([405, 'OPTIONS, POST']);
  expect(byGet.body.errors[0].extensions.code).toBe('bad_request');
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/graphql',
    'multipart/form-data; boundary=x',
  ]) {
    const answer = await post(harness, { query }, { 'content-type': type });
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].extensions.code).toBe('bad_request');
  }
  for (const body of ['[]', '{}', 'null', '"x"', '{"query":1}', '{']) {
    const answer = await post(harness, body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].extensions.code).toBe('bad_request');
  }
  const syntax = await post(harness, { query: '{' });
  expect(syntax.body.errors[0].extensions.code).toBe('bad_request');
});

test('GraphiQL is there in development alone', async () => {
  const headers = { accept: 'text/html' };
  const development = await harness.rest('GET', '/graphql', { headers });
  expect(development.status).toBe(200);
  expect(development.headers.get('content-type')).toContain('text/html');
  expect(development.headers.get('content-security-policy')).toContain(
    "script-src 'unsafe-inline'",
  );
  const answer = await production.rest('GET', '/graphql', { headers });
  expect(answer.status).toBe(405);
  expect(answer.headers.get('content-security-policy')).not.toContain('unsafe');
});

test('a caller that goes away in the middle of a body is no error of ours', async () => {
  const { hostname, port } = new URL(harness.baseUrl);
  const socket = connect(Number(port), hostname);
  const head = [withKey(), 'Content-Type: application/json', 'Content-Length: 100'];
  await new Promise((resolve) => socket.write(request(`PUT ${path}`, head, '{'), resolve));
  socket.destroy();
  const next = await harness.rest('GET', path, { key: tenant.key });
  expect(next.status).toBe(200);
});

test('the request id of the caller is kept when it is well-formed', async () => {
  const id = randomUUID();
  for (const [given, kept] of [
    [id, true],
    ['short', false],
    ['x'.repeat(200), false],
    ['<script>alert(1)</script>', false],
  ] as const) {
    const { headers } = await harness.rest('GET', path, { headers: { 'x-request-id': given } });
    expect(headers.get('x-request-id') === given).toBe(kept);
  }
});
