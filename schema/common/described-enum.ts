import type { EnumRef } from '@pothos/core';
import { builder } from '../builder.ts';

type Types = typeof builder.$inferSchemaTypes;

/** An enum of the domain's values with their descriptions; the compiler wants one for each of `Value`. */
export function describedEnum<Value extends string>(
  name: string,
  description: string,
  descriptions: Readonly<Record<Value, string>>,
): EnumRef<Types, Value> {
  const entries = Object.entries<string>(descriptions);
  const values = Object.fromEntries(entries.map(([value, told]) => [value, { description: told }]));
  // Pothos finds the type in the values, of which it knows nothing while `Value` stands for any.
  return builder.enumType(name, { description, values }) as unknown as EnumRef<Types, Value>;
}
