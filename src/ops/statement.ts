import type { Arguments } from './arguments.ts';
import { option, type OpsEntry, type OpsPart } from './catalog.ts';

/** The command fits no view or function; the message says why. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface Query {
  readonly text: string;
  readonly values: readonly string[];
  /** How many rows of a view are shown. The statement asks for one more, to find out whether there are more. */
  readonly limit: number | null;
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

function partOf(entry: OpsEntry, name: string): OpsPart {
  const found = entry.parts.find((part) => part.name === name);
  if (found !== undefined) return found;
  const known = entry.parts.map((part) => option(part.name));
  throw new UsageError(`${entry.name} has no ${option(name)}; it has ${known.join(', ')}`);
}

const usualLimit = 200;

function ofView(entry: OpsEntry, given: Arguments): Query {
  if (given.positional.length > 0) {
    throw new UsageError(
      `a view is filtered by name, for example --${entry.parts[0]?.name ?? ''} <value>`,
    );
  }
  const { limit: limitText = String(usualLimit), ...filters } = Object.fromEntries(given.named);
  const limit = Number(limitText);
  if (!Number.isInteger(limit) || limit < 1)
    throw new UsageError('--limit must be a number above 0');
  const names = Object.keys(filters);
  const conditions = names.map((name, index) => {
    const { name: column, type } = partOf(entry, name);
    return `${quote(column)} = $${index + 1}::${type}`;
  });
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
  return {
    text: `SELECT * FROM ops.${quote(entry.name)}${where} LIMIT ${limit + 1}`,
    values: Object.values(filters),
    limit,
  };
}

/** A missing parameter without a default is null: the function itself refuses it with a message. */
function ofFunction(entry: OpsEntry, given: Arguments): Query {
  if (given.positional.length > entry.parts.length) {
    throw new UsageError(`${entry.name} takes ${entry.parts.length} values at most`);
  }
  const chosen = new Map<OpsPart, string | null>();
  for (const [index, value] of given.positional.entries()) {
    const part = entry.parts[index];
    if (part !== undefined) chosen.set(part, value);
  }
  for (const [name, value] of given.named) {
    const part = partOf(entry, name);
    if (chosen.has(part)) throw new UsageError(`--${name} is given twice`);
    chosen.set(part, value);
  }
  for (const part of entry.parts) {
    if (!part.optional && !chosen.has(part)) chosen.set(part, null);
  }
  const values: string[] = [];
  const words = [...chosen].map(([{ name, type }, value]) => {
    if (value === null) return `${quote(name)} => NULL`;
    values.push(value);
    return `${quote(name)} => $${values.length}::${type}`;
  });
  return {
    text: `SELECT * FROM ops.${quote(entry.name)}(${words.join(', ')})`,
    values,
    limit: null,
  };
}

/**
 * The statement for a command. Values are passed as parameters.
 *
 * @throws UsageError if a name is not a column or parameter
 */
export function toQuery(entry: OpsEntry, given: Arguments): Query {
  return entry.kind === 'view' ? ofView(entry, given) : ofFunction(entry, given);
}
