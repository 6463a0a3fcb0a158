import {
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  type GraphQLNamedType,
} from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../schema/schema.ts';

interface Described {
  readonly name: string;
  readonly description?: string | null | undefined;
}

function* partsOf(type: GraphQLNamedType): Iterable<Described> {
  const { name } = type;
  yield type;
  const of = (part: Described, owner = name): Described => ({
    name: `${owner}.${part.name}`,
    description: part.description,
  });
  if (isEnumType(type)) for (const value of type.getValues()) yield of(value);
  if (isInputObjectType(type)) for (const field of Object.values(type.getFields())) yield of(field);
  if (!isObjectType(type) && !isInterfaceType(type)) return;
  for (const field of Object.values(type.getFields())) {
    yield of(field);
    for (const arg of field.args) yield of(arg, `${name}.${field.name}`);
  }
}

const parts = Object.values(schema.getTypeMap())
  .filter(({ name }) => !name.startsWith('__'))
  .flatMap((type) => [...partsOf(type)]);

test('every type, field, argument and value of an enum says what it is', () => {
  expect(parts.length).toBeGreaterThan(700);
  const silent = parts.filter(({ description }) => (description ?? '').trim() === '');
  expect(silent.map(({ name }) => name)).toEqual([]);
});

test('a description is whole sentences, and points at nothing that its reader does not have', () => {
  const wrong = parts.filter(
    ({ description }) =>
      !/[.…:]$/.test(description ?? '') ||
      /\b(?:as above|see above|see below|TODO|specification|(?<!RFC \d{4}, )section \d)/i.test(
        description ?? '',
      ),
  );
  expect(wrong.map(({ name, description }) => `${name}: ${description ?? ''}`)).toEqual([]);
});
