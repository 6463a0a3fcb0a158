import { expect, test } from 'vitest';
import { useHarness, useTenant } from '../support/use-harness.ts';

const harness = useHarness({ worker: false });
const tenant = useTenant(harness, { funded: false });

const accepting = (accept: string, query: string) =>
  fetch(`${harness.baseUrl}/graphql`, {
    method: 'POST',
    headers: {
      accept,
      authorization: `Bearer ${tenant.key}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ query }),
  });

/** GraphQL over HTTP, section 6.4: of a request that is refused whole, the media type chooses the status. */
test.each([
  ['does not parse', '{ payouts {'],
  ['does not fit the schema', '{ payouts { unknown } }'],
  ['is too much', `{ ${Array.from({ length: 200 }, (_, i) => `a${i}: __typename`).join(' ')} }`],
])('a document that %s is 400 as a GraphQL response and 200 as JSON', async (_what, query) => {
  const strict = await accepting('application/graphql-response+json', query);
  expect(strict.status).toBe(400);
  expect(strict.headers.get('content-type')).toMatch(/^application\/graphql-response\+json/);
  expect(await strict.json()).toMatchObject({ errors: [{ extensions: { code: 'bad_request' } }] });

  const lenient = await accepting('application/json', query);
  expect(lenient.status).toBe(200);
  expect(await lenient.json()).toMatchObject({ errors: [{ extensions: { code: 'bad_request' } }] });
});

test('an operation that was executed is 200 with either media type', async () => {
  for (const accept of ['application/graphql-response+json', 'application/json']) {
    const answer = await accepting(accept, '{ payout(id: "x") { id } }');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ data: { payout: null } });
  }
});

test.each([
  [{ query: '{ me { role } }', variables: 'x' }, /variables must be an object/],
  [{ query: '{ me { role } }', variables: [1] }, /variables must be an object/],
  [{ query: '{ me { role } }', extensions: 1 }, /extensions must be an object/],
  [{ query: '{ me { role } }', operationName: {} }, /operationName must be a string/],
  [{ query: '{ me { role } }', key: 'pos_1' }, /no other fields than query, documentId/],
  [{ query: 5 }, /with the field query/],
  [[], /with the field query/],
  ['x', /with the field query/],
])('a body that is no GraphQL request is told what one has: %j', async (body, told) => {
  const { status, body: answer } = await harness.rest('POST', '/graphql', {
    key: tenant.key,
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
  expect(status).toBe(400);
  expect(answer.errors).toHaveLength(1);
  expect(answer.errors[0]).toMatchObject({
    message: expect.stringMatching(told),
    extensions: { code: 'bad_request' },
  });
});
