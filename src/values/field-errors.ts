import type { z } from 'zod';
import type { FieldError } from '../errors/domain-error.ts';
import { isOfAnotherType, issueText } from './issue-text.ts';

/** More than a person can read; a body of a million unknown keys must not make a larger answer. */
const maximumFieldErrors = 100;

/**
 * One entry for each fault, for `details` of `validation_failed`. `field` is the path in the
 * caller's input, for example `payouts[3].amount_minor`. Codes: `required`, `unknown_field`,
 * `invalid_type`, `invalid_format`, `invalid_value`, `too_short`, `too_long`, `too_small`,
 * `too_large`, or what a refinement names in `params.code`.
 * @param input what was parsed. Without it a missing enum value reads as `invalid_value`, since
 *   zod tells only of types that a value was absent.
 */
export function fieldErrors(error: z.ZodError, input?: unknown): FieldError[] {
  const errors: FieldError[] = [];
  for (const issue of error.issues) {
    for (const entry of entriesOf(issue, [], input)) {
      if (errors.length === maximumFieldErrors) return errors;
      errors.push(entry);
    }
  }
  return errors;
}

type Path = readonly PropertyKey[];

function* entriesOf(issue: z.core.$ZodIssue, base: Path, input: unknown): Iterable<FieldError> {
  const path = [...base, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys) {
      const field = pathText([...path, key]);
      yield { field, code: 'unknown_field', message: 'There is no such field.' };
    }
    return;
  }
  const field = pathText(path);
  if (isMissing(issue, path, input)) {
    yield { field, code: 'required', message: 'This field is required.' };
    return;
  }
  const inner = innerIssues(issue);
  if (inner.length === 0) yield { field, code: codeOf(issue), message: issueText(issue) };
  // A bad key's own issues have no path of their own, a union's have one below the union.
  for (const below of inner) yield* entriesOf(below, path, input);
}

/** The issues inside a union or a record key. Of a union, those of the branch that came nearest. */
function innerIssues(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code === 'invalid_key') return issue.issues;
  if (issue.code !== 'invalid_union' || isOfAnotherType(issue)) return [];
  return issue.errors.toSorted((a, b) => a.length - b.length)[0] ?? [];
}

function isMissing(issue: z.core.$ZodIssue, path: Path, input: unknown): boolean {
  if (issue.code === 'custom') return false;
  if (input === undefined) return issue.message.endsWith('received undefined');
  let value: unknown = input;
  for (const key of path) {
    if (value === undefined || value === null) return true;
    // A schema turned the caller's single value into a list or an object, so the value
    // is not missing.
    if (typeof value !== 'object') return false;
    if (!Object.hasOwn(value, key)) return true;
    value = Reflect.get(value, key);
  }
  return value === undefined;
}

function codeOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
    case 'invalid_format':
      return issue.code;
    case 'invalid_union':
      return isOfAnotherType(issue) ? 'invalid_type' : 'invalid_value';
    case 'too_small':
      return isQuantity(issue.origin) ? 'too_small' : 'too_short';
    case 'too_big':
      return isQuantity(issue.origin) ? 'too_large' : 'too_long';
    case 'custom':
      return typeof issue.params?.code === 'string' ? issue.params.code : 'invalid_value';
    default:
      return 'invalid_value';
  }
}

function isQuantity(origin: string): boolean {
  return ['number', 'int', 'bigint', 'date'].includes(origin);
}

/** `payouts[3].amount_minor`. Unknown keys are the caller's words, so they are cut to 64 characters. */
export function pathText(path: Path): string {
  let result = '';
  for (const segment of path) {
    if (typeof segment === 'number') result += `[${segment}]`;
    else result += (result === '' ? '' : '.') + [...String(segment)].slice(0, 64).join('');
  }
  return result.toWellFormed();
}
