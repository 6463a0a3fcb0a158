import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** Types by their names in JSON, as the caller wrote the value. */
const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'an integer',
  bigint: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  null: 'null',
};

/** Lists no more values than somebody reads. */
const mostValues = 40;

function listed(values: readonly unknown[]): string {
  const told = values.slice(0, mostValues).map(String).join(', ');
  return values.length > mostValues ? `${told}, …` : told;
}

/** What is counted of a value of an origin. */
const counted: Readonly<Record<string, string>> = {
  string: 'character',
  array: 'item',
  record: 'key',
  object: 'key',
};

function amount(origin: string, limit: number | bigint): string {
  const unit = counted[origin];
  if (unit === undefined) return String(limit);
  return `${limit} ${unit}${Number(limit) === 1 ? '' : 's'}`;
}

function tooSmall({ origin, minimum, inclusive }: z.core.$ZodIssueTooSmall): string {
  if (counted[origin] !== undefined) {
    return Number(minimum) === 1
      ? 'Must not be empty.'
      : `Must have at least ${amount(origin, minimum)}.`;
  }
  return inclusive === false ? `Must be more than ${minimum}.` : `Must be ${minimum} or more.`;
}

function tooBig({ origin, maximum, inclusive }: z.core.$ZodIssueTooBig): string {
  if (counted[origin] !== undefined) return `Must have at most ${amount(origin, maximum)}.`;
  return inclusive === false ? `Must be less than ${maximum}.` : `Must be ${maximum} or less.`;
}

/** The types that a value may have; a union whose branches differ in it names them all. */
function expectedTypes(issue: Issue): readonly string[] {
  if (issue.code === 'invalid_type') return [typeNames[issue.expected] ?? 'another type'];
  if (issue.code !== 'invalid_union') return [];
  return [...new Set(issue.errors.flat().flatMap(expectedTypes))];
}

const unexpected = 'Does not have the expected form.';

/**
 * Says in one sentence what is expected of a value. The validator's own sentences are for who wrote
 * the schema: they name its classes, and change with its versions. A rule of ours brings its sentence.
 */
export function issueText(issue: Issue): string {
  switch (issue.code) {
    case 'custom':
      return issue.message;
    case 'invalid_type':
    case 'invalid_union': {
      const types = expectedTypes(issue);
      return types.length > 0 ? `Must be ${types.join(' or ')}.` : unexpected;
    }
    case 'invalid_value':
      return `Must be one of: ${listed(issue.values)}.`;
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return tooBig(issue);
    case 'not_multiple_of':
      return `Must be a multiple of ${issue.divisor}.`;
    default:
      return unexpected;
  }
}

/** Whether nothing but the type is wrong, whichever branch of a union is looked at. */
export function isOfAnotherType(issue: Issue): boolean {
  if (issue.code === 'invalid_type') return issue.path.length === 0;
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return false;
  return issue.errors.flat().every(isOfAnotherType);
}
