import { afterEach, expect, test } from 'vitest';
import { createPayoutClient } from '../../client/src/client.ts';
import { ApiError, isApiError } from '../../client/src/errors.ts';
import { answer, answering, payoutBody, refusal, type Answering } from './answers.ts';

let server: Answering;
afterEach(() => server?.close());

test('sends ids, lists of values, the key and the version of the API', async () => {
  server = await answering([answer(200, { payouts: [] })]);
  await server.client.listPayouts({ query: { state: ['approved', 'settled'], limit: 3 } });
  await server.client.getPayout({ path: { payoutId: 'pay/1?' } });
  const [list, get] = server.seen;
  expect(list?.url).toBe('/v1/payouts?state=approved&state=settled&limit=3');
  expect(get?.url).toBe('/v1/payouts/pay%2F1%3F');
  expect(get?.headers).toMatchObject({
    authorization: 'Bearer pos_sandbox_test',
    'x-api-version': '2026-11-01',
  });
  expect(get?.headers['content-type']).toBeUndefined();
});

test.each(['', '..', '.'])('refuses the id "%s", which asks for another path', async (payoutId) => {
  server = await answering([answer(200)]);
  await expect(server.client.getPayout({ path: { payoutId } })).rejects.toThrow(TypeError);
  expect(server.seen).toHaveLength(0);
});

test('follows no redirect, which could take the key to another server', async () => {
  server = await answering([answer(307, '', { Location: '/elsewhere' })], { maxRetries: 0 });
  await expect(server.client.listPayouts()).rejects.toThrow();
  expect(server.seen).toHaveLength(1);
});

test('sends a CSV file as text and reads one as text', async () => {
  server = await answering([
    answer(200, { results: [] }),
    answer(200, 'a,b\r\n', { 'Content-Type': 'text/csv; charset=utf-8' }),
  ]);
  await server.client.inviteBeneficiariesInBulk({ body: 'email\r\na@example.com\r\n' });
  expect(server.seen[0]?.headers['content-type']).toBe('text/csv');
  expect(await server.client.exportBeneficiaries()).toBe('a,b\r\n');
});

test('knows the error by its code, with what helps', async () => {
  const error = {
    code: 'validation_failed',
    message: 'The input failed validation.',
    request_id: 'req_7',
    details: [{ field: 'currency', code: 'required', message: 'This field is required.' }],
    docs_url: 'https://payouts.example.com/docs/errors#validation_failed',
  };
  server = await answering([answer(400, { error })]);
  const thrown: unknown = await server.client
    .createPayout({ body: payoutBody })
    .catch((reason: unknown) => reason);
  if (!isApiError(thrown, 'validation_failed', 'bad_request')) throw thrown;
  // The type knows that it is one of the two.
  const code: 'validation_failed' | 'bad_request' = thrown.code;
  expect(thrown).toMatchObject({
    name: 'ApiError',
    message: error.message,
    code,
    status: 400,
    requestId: 'req_7',
    details: error.details,
    docsUrl: error.docs_url,
    retryAfterSeconds: null,
    attempts: 1,
  });
  expect(isApiError(thrown, 'not_found')).toBe(false);
  expect(isApiError(new Error('another'))).toBe(false);
});

test.each([
  ['a page of a proxy', answer(403, '<html>no</html>'), 403],
  ['JSON without an error', answer(403, '[]'), 403],
  ['an error that is a text', answer(403, { error: 'no' }), 403],
  ['an error of other types', answer(400, { error: { code: 7, details: 'x', message: [] } }), 400],
  ['details that are none', answer(400, { error: { details: [null, 1, { field: 'x' }] } }), 400],
  ['an answer that says it is JSON and is not', answer(200, 'oops'), 200],
  ['an empty answer', answer(200, ''), 200],
  ['the page of a proxy', answer(200, '<html>', { 'Content-Type': 'text/html' }), 200],
])('has no code for %s', async (_what, handler, status) => {
  server = await answering([handler]);
  const thrown = await server.client.listPayouts().catch((reason: unknown) => reason);
  expect(thrown).toBeInstanceOf(ApiError);
  expect(thrown).toMatchObject({ status, code: '', details: [] });
});

test('tells the key with a success that cannot be read: the payout may be there', async () => {
  server = await answering([answer(201, '<html>', { 'Content-Type': 'text/html' })]);
  const thrown = await server.client
    .createPayout({ body: payoutBody })
    .catch((reason: unknown) => reason);
  const { idempotency_key: idempotencyKey } = JSON.parse(server.seen[0]?.body ?? '');
  expect(thrown).toMatchObject({ name: 'ApiError', status: 201, idempotencyKey, attempts: 1 });
});

test('reads a file as a Blob where the operation answers one', async () => {
  server = await answering([answer(200, '%PDF', { 'Content-Type': 'application/pdf' })]);
  const path = { id: 'ben_1', documentId: 'doc_1' };
  const file: unknown = await server.client.downloadTaxDocument({ path });
  expect(file).toBeInstanceOf(Blob);
});

test('gives the answer unread where that is asked for, and its errors are the same', async () => {
  server = await answering([
    answer(202, { export: {} }, { Location: '/v1/exports/exp_1' }),
    refusal(404, 'not_found'),
  ]);
  const input = { headers: { Prefer: 'respond-async' } };
  const response = await server.client.raw('exportTransactions', input);
  expect([response.status, response.headers.get('Location')]).toEqual([202, '/v1/exports/exp_1']);
  await expect(server.client.raw('exportTransactions', input)).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('takes another key, and no base that is no URL', async () => {
  server = await answering([answer(200, {})]);
  await server.client.with({ apiKey: 'pos_sandbox_other' }).listPurposes();
  expect(server.seen[0]?.headers.authorization).toBe('Bearer pos_sandbox_other');
  expect(() => createPayoutClient({ baseUrl: 'payouts.example.com' })).toThrow(TypeError);
  expect(() => createPayoutClient({ baseUrl: 'ftp://payouts.example.com' })).toThrow(TypeError);
});
