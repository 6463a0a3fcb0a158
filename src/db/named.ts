import {
  platformStatement,
  type PlatformStatement,
  type Statement,
  type TenantValues,
} from './pool.ts';

type Given<Parameter extends string> = Readonly<Record<Parameter, unknown>>;

/** A prepared statement of one tenant whose parameters have names. */
export interface NamedStatement<Parameter extends string> extends Statement {
  /** The values in the order in which the statement is sent; one for each name. */
  readonly of: (given: Given<Parameter> & { readonly tenant: string }) => TenantValues;
}

/** A prepared statement of no tenant whose parameters have names. */
export interface NamedPlatformStatement<Parameter extends string> extends PlatformStatement {
  readonly of: (given: Given<Parameter>) => readonly unknown[];
}

/** `@name`, but not an operator such as `@>`, and not a character within a word or a text. */
const marker = /(?<![\w@'"])@([a-z]\w*)/g;

function numbered(name: string, parameters: readonly string[], text: string): string {
  const unused = new Set(parameters);
  const result = text.replace(marker, (_whole, parameter: string) => {
    const place = parameters.indexOf(parameter);
    if (place < 0) throw new Error(`${name}: @${parameter} is not among the parameters`);
    unused.delete(parameter);
    return `$${place + 1}`;
  });
  if (unused.size > 0) throw new Error(`${name}: no use of ${[...unused].join(', ')}`);
  return result;
}

/**
 * Makes a prepared statement of one tenant from a text with `@name` for each parameter: `@name` becomes `$n` in the
 * order of `parameters`, once, when the module is loaded. PostgreSQL sees numbered parameters alone, so its plans are
 * the same. Run it as `firstRow(client, statement, statement.of({ … }))`.
 *
 * @param parameters the names, `tenant` first, each at least once in the text and no other in it
 * @throws Error at load when a name is missing in either, or the tenant is not the first
 */
export function named<const Parameter extends string>(
  name: string,
  parameters: readonly Parameter[],
  text: string,
): NamedStatement<Parameter> {
  if (parameters[0] !== 'tenant') throw new Error(`${name}: the first parameter is no tenant`);
  return {
    name,
    text: numbered(name, parameters, text),
    of: (given) => [given.tenant, ...parameters.slice(1).map((parameter) => given[parameter])],
  };
}

/** The same for a statement of no tenant. */
export function namedOfPlatform<const Parameter extends string>(
  name: string,
  parameters: readonly Parameter[],
  text: string,
): NamedPlatformStatement<Parameter> {
  return {
    ...platformStatement({ name, text: numbered(name, parameters, text) }),
    of: (given) => parameters.map((parameter) => given[parameter]),
  };
}
