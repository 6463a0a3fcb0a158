import { z } from 'zod';
import type { Column } from '../../src/values/columns.ts';
import { maximumAmountMinor } from '../../src/values/money.ts';
import { toSnakeCase } from '../http/case.ts';
import { timestamp } from './common.ts';
import { schemaEnum } from './schema-enum.ts';

/* What contracts and documents are made of, where the domain declares the fields in a table. */

const scalars: Readonly<Record<string, z.ZodType>> = {
  ID: z.string(),
  String: z.string(),
  Boolean: z.boolean(),
  JSON: z.record(z.string(), z.unknown()),
  DateTime: timestamp,
  MinorUnits: z.int().min(1).max(maximumAmountMinor),
};

/**
 * How each field that callers are shown is answered, by its name in the domain.
 * @param objects the shapes of those that are objects
 */
export function answered<Name extends string>(
  fields: Readonly<Record<Name, Column<never>>>,
  objects: Readonly<Record<string, z.ZodType>> = {},
): Record<Name, z.ZodType> {
  const shapes = Object.entries<Column<never>>(fields).map(([name, { type, nullable }]) => {
    const one = (item: string) => scalars[item] ?? schemaEnum(item);
    const shape =
      objects[name] ?? (Array.isArray(type) ? z.array(one(String(type))) : one(type as string));
    return [name, nullable ? shape.nullable() : shape];
  });
  return Object.fromEntries(shapes) as Record<Name, z.ZodType>;
}

/**
 * Fields by the names that callers of REST read and write. The compiler does not know these names: to spell them as
 * types costs it seconds, and a contract is passed on whole.
 */
export const byWireName = (
  fields: Readonly<Record<string, z.ZodType>>,
): Readonly<Record<string, z.ZodType>> =>
  Object.fromEntries(Object.entries(fields).map(([name, shape]) => [toSnakeCase(name), shape]));

/**
 * What a GraphQL document selects, so that its data have these fields by the same names.
 * @param objects what is selected of those that are objects
 */
export const selectionOf = (
  fields: object,
  objects: Readonly<Record<string, string>> = {},
): string =>
  Object.keys(fields)
    .map((name) => {
      const selected = objects[name];
      return `${toSnakeCase(name)}: ${name}${selected === undefined ? '' : ` { ${selected} }`}`;
    })
    .join(' ');
