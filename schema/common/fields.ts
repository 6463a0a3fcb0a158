import type { FieldKind, FieldRef } from '@pothos/core';
import type { builder } from '../builder.ts';

/*
 * What recurs in the fields of every type: a property of the row, shown under its own name. A field is one line
 * here, with its type and its description; what is made of the row otherwise stays a field of Pothos beside it.
 */

type Types = typeof builder.$inferSchemaTypes;
type Scalar = Exclude<keyof Types['outputShapes'], symbol | number>;

/** A type with values of its own: an enum or an object. */
interface Ref<Value> {
  readonly $inferType: Value;
}

/** How a property is shown. It takes a property whose values are all of `Value`, which the compiler holds. */
interface Column<Value> {
  readonly type: unknown;
  readonly nullable: boolean;
  readonly description: string;
  readonly takes?: (value: Value) => void;
}

type Maybe<Value> = Value | null | undefined;

/** Makes the column of a type, or with `orNull` of a property that can be null. */
function column<Value>(type: Scalar | readonly [Scalar]) {
  const shown = (description: string): Column<Value> => ({ type, nullable: false, description });
  const orNull = (description: string): Column<Maybe<Value>> => ({
    type,
    nullable: true,
    description,
  });
  return Object.assign(shown, { orNull });
}

export const text = column<string>('String');
export const texts = column<readonly string[]>(['String']);
export const id = column<string>('ID');
export const int = column<number>('Int');
export const float = column<number>('Float');
export const bool = column<boolean>('Boolean');
export const time = column<Date>('DateTime');
export const json = column<unknown>('JSON');
export const minorUnits = column<bigint>('MinorUnits');
export const minorUnitsTotal = column<bigint>('MinorUnitsTotal');

/** A property of an enum or an object. */
export const of = Object.assign(
  <Value>(type: Ref<Value>, description: string): Column<Value> => ({
    type,
    nullable: false,
    description,
  }),
  {
    orNull: <Value>(type: Ref<Value>, description: string): Column<Maybe<Value>> => ({
      type,
      nullable: true,
      description,
    }),
  },
);

/** A list of an enum or of objects. */
export const listOf = <Value>(type: Ref<Value>, description: string): Column<readonly Value[]> => ({
  type: [type],
  nullable: false,
  description,
});

/**
 * A property that holds the values of an enum as text: a CHECK constraint of its column, or the one command that
 * writes it, admits no other.
 */
export const stored: {
  (type: Ref<string>, description: string): Column<string>;
  readonly orNull: (type: Ref<string>, description: string) => Column<Maybe<string>>;
} = of;

type AnyField = FieldRef<Types, unknown, FieldKind>;

/** What the builders of fields of every kind of type have, which the types of Pothos say of each alone. */
interface Exposes {
  readonly expose: (name: string, options: Column<never>) => AnyField;
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
