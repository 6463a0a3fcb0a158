import type { FieldKind, FieldRef, InputFieldRef } from '@pothos/core';
import type { z } from 'zod';
import type { Column } from '../../src/values/columns.ts';
import type { builder } from '../builder.ts';
import type { Context } from '../context.ts';

type Types = typeof builder.$inferSchemaTypes;

/** A field of a request, as the domain declares it. */
interface Given {
  readonly type: string;
  readonly input: z.ZodType;
  readonly description: string;
}

type AnyField = FieldRef<Types, unknown, FieldKind>;

/** What the builders of fields of every kind of type have, which the types of Pothos say of each alone. */
interface Exposes {
  readonly expose: (name: string, options: Column<never>) => AnyField;
}

interface Makes {
  readonly field: (options: object) => AnyField;
}

/**
 * The fields of a type: columns by the names of the row's properties, and fields of Pothos under any name.
 * A property that may be null is refused where its column is not `orNull`.
 */
export function shown<Row, Name extends string>(
  t: PothosSchemaTypes.RootFieldBuilder<Types, Row, FieldKind>,
  fields: { readonly [N in Name]: AnyField | (N extends keyof Row ? Column<Row[N]> : never) },
): Record<Name, AnyField> {
  const { expose } = t as unknown as Exposes;
  const made = Object.entries<AnyField | Column<never>>(fields).map(([name, field]) => [
    name,
    'description' in field ? expose.call(t, name, field) : field,
  ]);
  return Object.fromEntries(made) as Record<Name, AnyField>;
}

/** A field that the domain declares, whose value is more than a property of the row. */
export function resolved<Row, Value>(
  t: PothosSchemaTypes.RootFieldBuilder<Types, Row, FieldKind>,
  { type, nullable, description }: Column<Value>,
  resolve: (row: Row, args: object, context: Context) => Value | Promise<Value>,
): AnyField {
  const { field } = t as unknown as Makes;
  return field.call(t, { type, nullable, description, resolve });
}

/** The fields of an input that the domain declares, each of the type that its check takes. */
export function asked<Rows extends Readonly<Record<string, Given>>>(
  t: PothosSchemaTypes.InputFieldBuilder<Types, 'InputObject'>,
  rows: Rows,
): { [Name in keyof Rows]: InputFieldRef<Types, z.input<Rows[Name]['input']>> } {
  const fields = Object.entries(rows).map(([name, { type, input, description }]) => {
    const required = !input.safeParse(undefined).success;
    return [name, t.field({ type: type as 'String', required, description })];
  });
  return Object.fromEntries(fields) as never;
}
