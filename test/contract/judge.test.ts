import { expect, test } from 'vitest';
import { operations } from './document.ts';
import { judge, prepare, type Answer } from './send.ts';

/** What the fuzzer has to notice, tried with answers that the service does not give. */
const operation = operations.find(({ id }) => id === 'getFundingAccount');
const draft = { kind: 'valid', path: {}, query: '', headers: {}, body: null, refused: false };

const account = {
  id: 'fac_1',
  environment: 'sandbox',
  currency: 'USD',
  status: 'active',
  available_balance_minor: 5,
  mode: 'reported',
  posted_minor: 5,
  held_minor: 0,
  in_transit_minor: 0,
  balances: [],
  as_of: '2026-11-01T00:00:00Z',
  created_at: '2026-11-01T00:00:00Z',
};

function problemsOf(given: Partial<Answer>, body: unknown, refused = false): string {
  if (operation === undefined) throw new Error('the operation is gone');
  const headers = { 'x-request-id': 'req_1' };
  const answer = { status: 200, type: 'application/json', headers, text: JSON.stringify(body) };
  const sent = prepare({ ...draft, operation, refused }, 'key', {});
  return judge(sent, { ...answer, ...given }).join('; ');
}

const error = (more: object) => ({
  error: {
    code: 'validation_failed',
    message: 'x',
    request_id: 'req_1',
    occurred_at: '2026-11-01T00:00:00Z',
    actor: null,
    docs_url: 'http://localhost/docs/errors#x',
    ...more,
  },
});

test('an answer of the document is without fault', () => {
  expect(problemsOf({}, { funding_account: account })).toBe('');
  expect(problemsOf({ status: 400 }, error({}))).toBe('');
});

test.each([
  ['a fault of the service', problemsOf({ status: 500 }, error({ code: 'internal_error' })), /500/],
  ['a status', problemsOf({ status: 202 }, {}), /status 202 is not documented/],
  ['a media type', problemsOf({ type: 'text/html' }, {}), /text\/html is not documented/],
  ['a type', problemsOf({}, { funding_account: { ...account, as_of: 1 } }), /as_of must be string/],
  ['a form', problemsOf({}, { funding_account: { ...account, as_of: 'x' } }), /as_of must match/],
  ['a missing field', problemsOf({}, { funding_account: {} }), /must have required property/],
  [
    'a code',
    problemsOf({ status: 400 }, error({ code: 'conflict' })),
    /conflict is not documented/,
  ],
  ['the envelope', problemsOf({ status: 400 }, { error: {} }), /envelope/],
  ['a success', problemsOf({}, { funding_account: account }, true), /accepted with 200/],
  ['the request id', problemsOf({ headers: {} }, { funding_account: account }), /X-Request-Id/],
  [
    'words of a library',
    problemsOf(
      { status: 400 },
      error({ message: 'Invalid input: expected string, received null' }),
    ),
    /a library speaks/,
  ],
])('it notices what is wrong with %s', (_what, problems, told) => {
  expect(problems).toMatch(told);
});
