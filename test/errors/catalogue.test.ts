import { isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { routes } from '../../rest/routes/table.ts';
import { exportOperations } from '../../rest/files/exports.ts';
import { taxDocumentOperations } from '../../rest/files/tax-documents.ts';
import { schema } from '../../schema/schema.ts';
import { catalogue } from '../../src/errors/catalogue.ts';

const known = new Set([
  'GET /v1/openapi.json',
  ...[...routes, ...exportOperations, ...taxDocumentOperations].map(
    ({ method, path }) => `${method.toUpperCase()} ${path.replaceAll(/:\w+/g, '{}')}`,
  ),
]);

const graphql = new Set(
  [schema.getMutationType(), schema.getQueryType()].flatMap((type) =>
    isObjectType(type) ? Object.keys(type.getFields()) : [],
  ),
);

/** What whoever calls knows nothing of, and can do nothing about. */
const internal =
  /\b(tenant|worker|queue|job|gate|row|column|database|PostgreSQL|Prisma|zod|resolver|contradiction|operator)s?\b/i;

/** A call, what to send, or where the answer itself says it. */
const concrete =
  /\b(GET|POST|PUT|PATCH) \/(v1|graphql)|the message names|details names|Retry-After|request_id|sandbox key|\{"/;

/** An answer to it may differ by itself, so that the same request may be sent again. */
const passing = /(429|500|503)/;

describe.each(Object.entries(catalogue))('%s', (code, { status, meaning, resolution }) => {
  it('says what to do next', () => {
    expect(resolution).toMatch(concrete);
    if (!passing.test(String(status))) expect(resolution).not.toMatch(/^(Try|Retry|Wait)/);
    expect(resolution).not.toMatch(/try again/i);
  });

  it('names calls that there are', () => {
    const text = `${meaning} ${resolution}`;
    for (const [, method = '', path = ''] of text.matchAll(
      /\b(GET|POST|PUT|PATCH|DELETE) (\/v1\/[\w/{}.-]*\w\}?)/g,
    )) {
      expect([...known], `${code}: ${method} ${path}`).toContain(
        `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`,
      );
    }
    for (const [, operation] of text.matchAll(/\b(\w+) in POST \/graphql/g)) {
      expect([...graphql], code).toContain(operation);
    }
  });

  it('speaks to who calls, in sentences', () => {
    for (const text of [meaning, resolution]) {
      expect(text).not.toMatch(internal);
      expect(text).toMatch(/^[A-Za-z].*[.:;}]$/);
    }
  });
});

it('the values of purpose_of_payment stand in its resolution', () => {
  expect(catalogue.INVALID_PURPOSE_OF_PAYMENT.resolution).toContain('advertising, ');
});
