/*
 * What recurs in every type that callers see: a property of a row, shown under its own name. A field is one line, with
 * its type in GraphQL and its description.
 */

/** A type with values of its own: an enum or an object. */
interface Ref<Value> {
  readonly $inferType: Value;
}

/** How a property is shown. It takes a property whose values are all of `Value`, which the compiler holds. */
export interface Column<Value> {
  readonly type: unknown;
  readonly nullable: boolean;
  readonly description: string;
  readonly takes?: (value: Value) => void;
}

type Maybe<Value> = Value | null | undefined;

const shownAs = (type: unknown, description: string) => ({ type, nullable: false, description });
const orNullAs = (type: unknown, description: string) => ({ type, nullable: true, description });

/** Makes the columns of a scalar; those of `orNull` are of a property that can be null. */
const scalar = <Value>(type: string | readonly [string]) =>
  Object.assign((description: string): Column<Value> => shownAs(type, description), {
    orNull: (description: string): Column<Maybe<Value>> => orNullAs(type, description),
  });

export const text = scalar<string>('String');
export const texts = scalar<readonly string[]>(['String']);
export const id = scalar<string>('ID');
export const int = scalar<number>('Int');
export const float = scalar<number>('Float');
export const bool = scalar<boolean>('Boolean');
export const time = scalar<Date>('DateTime');
export const json = scalar<unknown>('JSON');
export const minorUnits = scalar<bigint>('MinorUnits');
export const minorUnitsTotal = scalar<bigint>('MinorUnitsTotal');

/** A property of an enum or an object. */
export const of = Object.assign(
  <Value>(type: Ref<Value>, told: string): Column<Value> => shownAs(type, told),
  { orNull: <Value>(type: Ref<Value>, told: string): Column<Maybe<Value>> => orNullAs(type, told) },
);

/** A list of an enum or of objects. */
export const listOf = <Value>(type: Ref<Value>, told: string): Column<readonly Value[]> =>
  shownAs([type], told);

/** An object, or a list of them, of a type of GraphQL that is given by its name. */
export const object = {
  orNull: (type: string, told: string): Column<unknown> => orNullAs(type, told),
  list: (type: string, told: string): Column<unknown> => shownAs([type], told),
};

type Enum = Ref<string> | string;

/**
 * A property that holds the values of an enum as text: a CHECK constraint of its column, or the one command that
 * writes it, admits no other. The enum may be given by its name.
 */
export const stored = Object.assign(
  (type: Enum, told: string): Column<string> => shownAs(type, told),
  { orNull: (type: Enum, told: string): Column<Maybe<string>> => orNullAs(type, told) },
);
