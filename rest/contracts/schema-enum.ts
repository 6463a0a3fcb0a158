import { isEnumType } from 'graphql';
import { z } from 'zod';
import { schema } from '../../schema/schema.ts';

/**
 * The values of an enum of the GraphQL schema, which REST spells the same. Throws at start for a name
 * that is no enum.
 */
export function schemaEnum(name: string) {
  const type = schema.getType(name);
  if (!isEnumType(type)) throw new Error(`${name} is no enum of the GraphQL schema`);
  return z.enum(type.getValues().map((value) => value.name));
}
