import { globSync, readFileSync } from 'node:fs';
import { Kind, parse } from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../schema/schema.ts';

/** Mutations of operators that the console does not call, each with the reason. */
const notInTheConsole: Readonly<Record<string, string>> = {
  operatorProviderConnect: 'whoever has the credentials of the provider sends them over GraphQL',
  operatorProviderConnectionChange: 'as above',
};

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

test('each mutation of operators has its place in the console, or a reason why not', () => {
  expect(ofOperators.length).toBeGreaterThan(30);
  const missing = ofOperators.filter((name) => !called.has(name));
  expect(missing.toSorted()).toEqual(Object.keys(notInTheConsole));
});
