import { assertObjectType, buildSchema, execute, GraphQLError, parse } from 'graphql';
import { expect, test } from 'vitest';
import { DomainError } from '../../src/errors/domain-error.ts';
import type { Log } from '../../src/process/log.ts';
import { maskError } from '../../schema/errors/mask.ts';

const answers: Record<string, () => unknown> = {
  state: () => 'unknown to the schema',
  count: () => 'twelve',
  required: () => null,
  refused: () => {
    throw new DomainError('not_found');
  },
  tooLarge: () => {
    throw new GraphQLError('too large', { extensions: { code: 'bad_request', details: [] } });
  },
  broken: () => {
    throw new Error('a secret of ours');
  },
};

const schema = buildSchema(`
  enum State { OPEN }
  type Query {
    state: State
    count: Int
    required: String!
    refused: String
    tooLarge: String
    broken: String
    rows(first: Int! = 3): String
  }`);
for (const [name, field] of Object.entries(assertObjectType(schema.getType('Query')).getFields())) {
  field.resolve = answers[name] ?? (() => 'rows');
}

/** The code of what a caller is told of a document's failure, and the message that is logged. */
async function maskOf(source: string, variableValues: Record<string, unknown> = {}) {
  const logged: { message?: string }[] = [];
  const log = { error: (line: object) => logged.push(line) } as unknown as Log;
  const { errors = [] } = await execute({ schema, document: parse(source), variableValues });
  const codes = errors.map((error) => maskError(log, error, null).extensions['code']);
  return { codes, logged: logged.map(({ message }) => message) };
}

test.each([
  ['{ state }', 'Enum "State" cannot represent value: "unknown to the schema"'],
  ['{ count }', 'Int cannot represent non-integer value: "twelve"'],
  ['{ required }', 'Cannot return null for non-nullable field Query.required.'],
  ['{ broken }', 'a secret of ours'],
])('%s is a fault of ours, and logged', async (source, message) => {
  expect(await maskOf(source)).toEqual({ codes: ['internal_error'], logged: [message] });
});

test.each([
  ['{ refused }', {}, 'not_found'],
  ['{ tooLarge }', {}, 'bad_request'],
  ['query ($first: Int = 1) { rows(first: $first) }', { first: null }, 'bad_request'],
  ['query ($first: Int!) { rows(first: $first) }', { first: 'x' }, 'bad_request'],
])('%s with %j is the caller’s', async (source, variables, code) => {
  expect(await maskOf(source, variables)).toEqual({ codes: [code], logged: [] });
});
