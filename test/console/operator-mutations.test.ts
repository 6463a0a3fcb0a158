import { globSync, readFileSync } from 'node:fs';
import { Kind, parse } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../schema/schema.ts';

/** The names of all mutations that the documents of the console call. */
const called = new Set(
  globSync('console/src/**/*.graphql')
    .flatMap((file) => parse(readFileSync(file, 'utf8')).definitions)
    .flatMap((definition) =>
      definition.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet.selections : [],
    )
    .flatMap((selection) => (selection.kind === Kind.FIELD ? [selection.name.value] : [])),
);

const ofOperators = Object.keys(schema.getMutationType()?.getFields() ?? {}).filter((name) =>
  name.startsWith('operator'),
);

test('each mutation of operators has its place in the console', () => {
  expect(ofOperators.length).toBeGreaterThan(30);
  expect(ofOperators.filter((name) => !called.has(name))).toEqual([]);
});
