import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFindDocument } from '../../schema/document/accepted.ts';
import { makeTenant, type TestTenant } from '../support/factory.ts';
import { startHarness, type Harness } from '../support/harness.ts';

const whoAmI = 'query WhoAmI { me { environment } }';
let folder: string;
let harness: Harness;
let tenant: TestTenant;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'accepted-'));
  const file = join(folder, 'documents.json');
  await writeFile(file, JSON.stringify({ 'sha256:who': whoAmI }));
  harness = await startHarness({ worker: false, env: { GRAPHQL_ACCEPTED_DOCUMENTS: file } });
  tenant = await makeTenant(harness);
});
afterAll(async () => {
  await harness.close();
  await rm(folder, { recursive: true });
});

const post = async (body: unknown, key: string | null = tenant.key) => {
  const answer = await fetch(`${harness.baseUrl}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: await answer.json() };
};

test('an accepted document runs by its id and by its text', async () => {
  for (const body of [{ documentId: 'sha256:who' }, { query: whoAmI }]) {
    expect((await post(body)).body).toMatchObject({ data: { me: { environment: 'sandbox' } } });
  }
});

test.each([
  ['another document', { query: '{ me { environment } }' }],
  ['one that differs by a space', { query: `${whoAmI} ` }],
  ['an unknown id', { documentId: 'sha256:other' }],
  ['an unknown id beside an accepted text', { documentId: 'x', query: whoAmI }],
  ['a name of Object.prototype', { documentId: 'constructor' }],
  ['no document', {}],
  ['a list', [whoAmI]],
])('%s is refused, with a key and without one', async (_what, body) => {
  for (const key of [tenant.key, null]) {
    const answer = await post(body, key);
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0].extensions.code).toBe('bad_request');
  }
});

test('REST runs documents of its own and is not concerned', async () => {
  const answer = await harness.rest('GET', '/v1/payouts', { key: tenant.key });
  expect(answer.status).toBe(200);
});

test.each([
  ['is not JSON', 'nonsense', 'cannot read JSON'],
  ['is a list', '[]', 'an object of documents'],
  ['holds no text', '{"a": 1}', 'an object of documents'],
  ['holds an outdated document', '{"a": "{ unknown }"}', 'the document a of'],
])('a list that %s is refused at the start', async (_what, content, told) => {
  const file = join(folder, 'bad.json');
  await writeFile(file, content);
  expect(() => createFindDocument(file)).toThrow(`GRAPHQL_ACCEPTED_DOCUMENTS: `);
  expect(() => createFindDocument(file)).toThrow(told);
});

test('a list that is not there is refused at the start', () => {
  expect(() => createFindDocument(join(folder, 'none.json'))).toThrow('cannot read JSON');
});
