import type { Statement } from './pool.ts';

/** A prepared statement whose parameters have names. */
export interface NamedStatement<Parameter extends string> extends Statement {
  /** The values in the order in which the statement is sent; one for each name. */
  readonly of: (given: Readonly<Record<Parameter, unknown>>) => readonly unknown[];
}

/** `@name`, but not an operator such as `@>`, and not a character within a word or a text. */
const marker = /(?<![\w@'"])@([a-z]\w*)/g;

/**
 * Makes a prepared statement from a text with `@name` for each parameter: `@name` becomes `$n` in the
 * order of `parameters`, once, when the module is loaded. PostgreSQL sees numbered parameters alone, so
 * its plans are the same. The parameter `tenant` is the one that the statement is for (tenant.ts). Run it as `firstRow(client, statement, statement.of({ … }))`.
 *
 * @param parameters the names, each at least once in the text and no other in it
 * @throws Error when a name is missing in either, at load
 */
export function named<const Parameter extends string>(
  name: string,
  parameters: readonly Parameter[],
  text: string,
): NamedStatement<Parameter> {
  const unused = new Set<string>(parameters);
  const numbered = text.replace(marker, (_whole, parameter: string) => {
    const place = parameters.indexOf(parameter as Parameter);
    if (place < 0) throw new Error(`${name}: @${parameter} is not among the parameters`);
    unused.delete(parameter);
    return `$${place + 1}`;
  });
  if (unused.size > 0) throw new Error(`${name}: no use of ${[...unused].join(', ')}`);
  const tenant = (parameters as readonly string[]).indexOf('tenant');
  const scoped = tenant < 0 ? {} : { tenant };
  return {
    name,
    text: numbered,
    ...scoped,
    of: (given) => parameters.map((parameter) => given[parameter]),
  };
}
