import {
  assertObjectType,
  buildSchema,
  execute,
  GraphQLError,
  parse,
  validate,
  type ExecutionResult,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  type GraphQLSchema,
} from 'graphql';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { Allowance } from '../../src/access/admission/admission.ts';
import type { Services } from '../../src/process/services.ts';
import type { Context } from '../../schema/context.ts';
import { perform } from '../../schema/prepared/perform.ts';
import { planOf } from '../../schema/prepared/plan.ts';
import { createRun } from '../../schema/prepared/run.ts';

type Resolvers = Record<string, Record<string, GraphQLFieldResolver<unknown, unknown>>>;

/** A schema with resolvers; a field that has none is a property. */
function schemaOf(types: string, resolvers: Resolvers): GraphQLSchema {
  const made = buildSchema(types);
  for (const [type, fields] of Object.entries(resolvers)) {
    for (const [name, resolve] of Object.entries(fields)) {
      const field = assertObjectType(made.getType(type)).getFields()[name];
      if (field === undefined) throw new Error(`there is no ${type}.${name}`);
      field.resolve = resolve;
    }
  }
  return made;
}

const soon = async <T>(value: T): Promise<T> => {
  await pause(1);
  return value;
};

const fails = (message: string) => (): never => {
  throw new Error(message);
};

const failsSoon = (message: string) => async (): Promise<never> => {
  await soon(null);
  throw new Error(message);
};

/** What resolvers were told of their place, in the order of the calls. */
const told: GraphQLResolveInfo[] = [];

const aRow = (id: string, given: object = {}) => ({
  id,
  state: 'OPEN',
  promised: soon('kept'),
  get getter(): string {
    throw new Error('a getter');
  },
  ...given,
});

const schema = schemaOf(
  `enum State { OPEN SHUT }
  input Shape { state: State = OPEN, names: [String], count: Int }
  type Row {
    id: String!
    state: State
    missing: String
    missingRequired: String!
    promised: String!
    getter: String
    fails: String
    failsRequired: String!
    failsSoon: String
    failsSoonRequired: String!
    notAnInt: Int
    notAnIntRequired: Int!
    anError: String
    throwsNoError: String
    text: String
    child: Row
    childRequired: Row!
    none: Row
    words: [String]
    wordsRequired: [String!]
    notAList: [String]
    badIterator: [String]
    matrix: [[Int]]
    rows(first: Int = 2, state: State): [Row]
  }
  type Query {
    row(id: String): Row
    must: Row!
    echo(shape: Shape, id: String = "unsaid"): String
  }
  type Mutation { act: Row }
  type Subscription { rows: Row }`,
  {
    Query: {
      row: (_root, { id }, _context, info) => {
        told.push(info);
        return soon(aRow(typeof id === 'string' ? id : 'row'));
      },
      must: () => soon(aRow('must')),
      echo: (_root, given, who) => JSON.stringify({ given, who }),
    },
    Mutation: { act: () => soon(aRow('acted')) },
    Row: {
      fails: fails('sync'),
      failsRequired: fails('sync, required'),
      failsSoon: failsSoon('async'),
      failsSoonRequired: failsSoon('async, required'),
      notAnInt: () => 'twelve',
      notAnIntRequired: () => soon('twelve'),
      throwsNoError: () => {
        throw Object.create(null);
      },
      anError: () => new Error('returned'),
      text: () => soon('text'),
      child: () => soon(aRow('child')),
      childRequired: () => aRow('required'),
      none: () => null,
      words: () => ['a', soon('b'), null],
      wordsRequired: () => ['a', soon('b'), Promise.reject(new Error('an item'))],
      notAList: () => 'ab',
      *badIterator() {
        yield Promise.reject(new Error('an item before'));
        throw new Error('the iterator');
      },
      matrix: () => [[1, 'x', soon(3)], soon([4]), new Set([5]), 6],
      rows: (_row, { first, ...given }) =>
        Array.from({ length: Number(first) }, (_, at) => soon(aRow(`${at}`, given))),
    },
  },
);
const context = { who: 'the caller' } as unknown as Context;

/** A result as a caller compares it. The engine's own sentences about values are not part of it. */
function comparable({ data, errors = [] }: ExecutionResult) {
  const seen = errors.map(({ path, locations, cause, message }) => {
    const thrown =
      cause instanceof Error && /sync|returned|item|iterator|getter/.test(cause.message);
    return { path, locations, message: thrown || path === undefined ? message : 'of the engine' };
  });
  return { data: JSON.parse(JSON.stringify(data ?? null)) as unknown, errors: seen };
}

async function both(source: string, variables: Record<string, unknown> = {}) {
  const document = parse(source);
  expect(validate(schema, document)).toEqual([]);
  const options = { schema, document, variableValues: variables, contextValue: context };
  const engine = comparable(await execute(options));
  const prepared = comparable(await perform(planOf(schema, document), variables, context));
  return { engine, prepared };
}

describe('a prepared document answers as graphql-js does', () => {
  test.each([
    [
      'values and promises',
      '{ row { id state promised text none { id } child { id __typename } } }',
    ],
    ['aliases', '{ a: row(id: "1") { x: id y: id } b: row(id: "2") { id } }'],
    [
      'fields that are selected in several places',
      `{ row { child { id } ...A ... on Row { child { text } } ... { state } } }
       fragment A on Row { id child { state ...B } }
       fragment B on Row { childRequired { id } }`,
    ],
    ['lists', '{ row { words rows { id } none: rows(first: 0) { id } } }'],
    ['the name of the type of the root', '{ __typename }'],
    ['a command', 'mutation { act { id rows(first: 3, state: SHUT) { id state } } }'],
  ])('%s', async (_name, source) => {
    const { engine, prepared } = await both(source);
    expect(prepared).toEqual(engine);
    expect(engine.errors).toEqual([]);
  });

  test.each([
    'missing',
    'fails',
    'failsSoon',
    'notAnInt',
    'anError',
    'getter',
    'missingRequired',
    'failsRequired',
    'failsSoonRequired',
    'notAnIntRequired',
    'wordsRequired',
    'notAList',
    'matrix',
    'none { id }',
    'childRequired { failsRequired }',
    'child { failsSoonRequired }',
    'child { failsRequired }',
    'rows { failsSoonRequired }',
    'rows { failsRequired }',
  ])('%s, wherever it stands', async (field) => {
    for (const source of [
      `{ row { id ${field} } }`,
      `{ row { child { ${field} text } id } }`,
      `{ row { rows { childRequired { ${field} } } words } }`,
      `{ must { ${field} } }`,
      `{ row { id } must { childRequired { ${field} } } }`,
      `mutation { act { ${field} } }`,
    ]) {
      const { engine, prepared } = await both(source);
      expect(prepared, source).toEqual(engine);
    }
  });

  test.each([
    ['nothing', {}],
    ['null', { id: null, shape: null }],
    ['undefined', { id: undefined, shape: { names: undefined, count: undefined } }],
    ['an object', { id: 'x', shape: { names: ['a', null], state: 'SHUT' } }],
    ['one value for a list', { shape: { names: 'a' } }],
    ['a value of another type', { shape: { count: 'three' } }],
    ['an enum value that is none', { shape: { state: 'open' } }],
    ['an unknown field', { shape: { size: 1 } }],
    ['a text for an object', { shape: 'round' }],
  ])('variables: %s', async (_name, variables) => {
    for (const source of [
      'query ($id: String, $shape: Shape) { echo(id: $id, shape: $shape) }',
      'query ($id: String = "said", $shape: Shape = { count: 1 }) { echo(id: $id, shape: $shape) }',
    ]) {
      const { engine, prepared } = await both(source, variables);
      expect(prepared, source).toEqual(engine);
    }
  });

  test('variables inside literals, and below the root', async () => {
    const { engine, prepared } = await both(
      `query ($name: String, $first: Int!) {
        echo(shape: { names: ["a", $name], count: $first })
        row { rows(first: $first) { id rows(first: 1) { text } } }
      }`,
      { first: 2 },
    );
    expect(prepared).toEqual(engine);
  });

  test('what a resolver is told of its place', async () => {
    told.length = 0;
    await both('query ($id: String) { a: row(id: $id) { id ...F } } fragment F on Row { text }', {
      id: 'x',
    });
    expect(told).toHaveLength(2);
    const [engine, prepared] = told as [GraphQLResolveInfo, GraphQLResolveInfo];
    const {
      getAbortSignal,
      getAsyncHelpers,
      schema: its,
      parentType,
      returnType,
      ...rest
    } = prepared;
    for (const [key, value] of Object.entries({ schema: its, parentType, returnType })) {
      expect(engine, key).toHaveProperty(key, value);
    }
    expect(engine).toMatchObject(rest);
    expect(Object.keys(prepared).sort()).toEqual(Object.keys(engine).sort());
    expect(getAbortSignal()).toBeUndefined();
    const { promiseAll, track } = getAsyncHelpers();
    track([]);
    expect(await promiseAll([1, soon(2)])).toEqual([1, 2]);
  });
});

test('an iterator that fails leaves no promise behind', async () => {
  const { engine, prepared } = await both('{ row { id badIterator } }');
  expect(prepared.data).toEqual(engine.data);
  expect(prepared.errors).toMatchObject([{ path: ['row', 'badIterator', 0] }, ...engine.errors]);
});

test('the answer comes when all resolvers have ended, also those beside one that failed', async () => {
  let ended = false;
  const slow = schemaOf('type Query { fails: String!, slow: String }', {
    Query: {
      fails: fails('at once'),
      async slow() {
        await pause(20);
        ended = true;
        return 'done';
      },
    },
  });
  const result = await perform(planOf(slow, parse('{ slow fails }')), {}, context);
  expect([ended, result.data]).toEqual([true, null]);
  expect(result.errors?.map(({ message, path }) => ({ message, path }))).toEqual([
    { message: 'at once', path: ['fails'] },
  ]);
  expect(result.errors?.[0]).toBeInstanceOf(GraphQLError);
});

describe('what is told of a failure', () => {
  /** What `run` answers, by the codes of its errors, and what it logs. */
  async function codesOf(source: string, isGone = false) {
    const logged: unknown[] = [];
    const log = { error: (line: unknown) => logged.push(line) };
    const services = { config: {}, metrics: null, log } as unknown as Services;
    const held = { services } as unknown as ConstructorParameters<typeof Allowance>[0];
    const allowance = new Allowance(held, null, null);
    if (isGone) allowance.drop(); // the answer is over
    const document = parse(source);
    const caller = { allowance, ownDocument: true } as unknown as Context;
    const run = createRun(services);
    const { errors = [] } = await run({ document, plan: planOf(schema, document) }, {}, caller);
    return { codes: errors.map(({ extensions }) => extensions['code']), logged };
  }

  test.each([
    ['{ row { notAnInt } }', 'Row.notAnInt is no Int'],
    ['{ row { missingRequired } }', 'Row.missingRequired may not be null and is'],
    ['{ row { notAList } }', 'Row.notAList is no list'],
    ['{ row { fails } }', 'sync'],
    ['{ row { throwsNoError } }', 'what was thrown is no error'],
  ])('%s is a fault of ours, and logged', async (source, message) => {
    const { codes, logged } = await codesOf(source);
    expect(codes).toEqual(['internal_error']);
    expect(logged).toMatchObject([{ message }]);
  });

  test('a caller who has gone before it begins is refused', async () => {
    expect(await codesOf('{ must { id } }', true)).toEqual({
      codes: ['too_many_requests'],
      logged: [],
    });
  });
});

test('of several failures the first in time is told, and none below it', async () => {
  const several = schemaOf('type Query { t: T } type T { a: String, b: String!, c: String! }', {
    Query: { t: () => ({}) },
    T: {
      a: failsSoon('below'),
      async b() {
        await pause(20);
        throw new Error('second');
      },
      async c() {
        await pause(5);
        throw new Error('first');
      },
    },
  });
  const { data, errors } = await perform(planOf(several, parse('{ t { a b c } }')), {}, context);
  expect([data, errors?.map(({ message }) => message)]).toEqual([{ t: null }, ['first']]);
});

describe('a document is not prepared', () => {
  test.each([
    [
      'with a directive',
      'query ($x: Boolean!) { row @include(if: $x) { id } }',
      'has no directives',
    ],
    ['with several operations', 'query A { __typename } query B { __typename }', 'one operation'],
    ['with several commands', 'mutation { a: act { id } b: act { id } }', 'one command'],
    [
      'with a fragment of another type',
      '{ ...F } fragment F on Row { id }',
      'no fragment of another type',
    ],
    ['of a subscription', 'subscription { rows { id } }', 'one answer'],
    ['without an operation', 'fragment F on Row { id }', 'one operation'],
    ['of a field that there is not', '{ rows { id } }', 'there is no rows'],
    ['with a fragment that there is not', '{ row { ...F } }', 'there is no F'],
  ])('%s', (_name, source, message) => {
    expect(() => planOf(schema, parse(source))).toThrow(message);
  });
});
