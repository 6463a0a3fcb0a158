import {
  getArgumentValues,
  getVariableValues,
  locatedError,
  type ExecutionResult,
  type GraphQLError,
  type GraphQLLeafType,
  type GraphQLResolveInfo,
} from 'graphql';
import { asError } from '../../src/errors/as-error.ts';
import type { Context } from '../context.ts';
import type { FieldPlan, Output, Plan } from './plan.ts';

type Path = GraphQLResolveInfo['path'];

/** One call of a prepared document. */
interface Call {
  readonly plan: Plan;
  readonly context: Context;
  readonly variables: GraphQLResolveInfo['variableValues'];
  /** One for each part that is null because it failed. */
  errors: GraphQLError[];
}

/** Where a value belongs. */
interface ResponsePlace {
  readonly field: FieldPlan;
  readonly path: Path;
}

const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function';

/** An operation always runs to its end. */
const noSignal = () => undefined;

const asyncHelpers: GraphQLResolveInfo['getAsyncHelpers'] = () => ({
  promiseAll: (values) => Promise.all(values),
  track: () => {},
});

function infoOf({ field, path }: ResponsePlace, { plan, variables }: Call): GraphQLResolveInfo {
  return {
    fieldName: field.definition.name,
    fieldNodes: field.nodes,
    returnType: field.definition.type,
    parentType: field.parentType,
    path,
    schema: plan.schema,
    fragments: plan.fragments,
    rootValue: undefined,
    operation: plan.operation,
    variableValues: variables,
    getAbortSignal: noSignal,
    getAsyncHelpers: asyncHelpers,
  };
}

/** What a field of an object gives; the error, where it throws one. */
function valueOf(parent: unknown, place: ResponsePlace, call: Call): unknown {
  const { definition, resolve, nodes } = place.field;
  try {
    if (resolve === null) return (parent as Record<string, unknown>)[definition.name];
    const { args } = definition;
    const given = args.length === 0 ? {} : getArgumentValues(definition, nodes[0], call.variables);
    return resolve(parent, given, call.context, infoOf(place, call));
  } catch (error) {
    return asError(error);
  }
}

/** The whole once all of its parts are there or have failed: nothing goes on behind an answer. */
async function whenAll<T>(whole: T, parts: readonly PromiseLike<void>[]): Promise<T> {
  try {
    await Promise.all(parts);
    return whole;
  } finally {
    await Promise.allSettled(parts);
  }
}

/** Puts a part into its place: at once, or when it is ready. */
function put<K extends string | number>(
  whole: Record<K, unknown>,
  key: K,
  part: unknown,
  waiting: PromiseLike<void>[],
): void {
  whole[key] = part; // keeps the place of one that is not ready
  if (isPromise(part)) waiting.push(part.then((ready) => void (whole[key] = ready)));
}

function objectOf(
  fields: readonly FieldPlan[],
  parent: unknown,
  above: Path | undefined,
  call: Call,
): unknown {
  const whole: Record<string, unknown> = {};
  const waiting: PromiseLike<void>[] = [];
  for (const field of fields) {
    const path = { prev: above, key: field.key, typename: field.parentType.name };
    const place = { field, path };
    put(whole, field.key, partOf(field.output, valueOf(parent, place, call), place, call), waiting);
  }
  return waiting.length === 0 ? whole : whenAll(whole, waiting);
}

function listOf(
  output: Output,
  items: unknown,
  { field, path }: ResponsePlace,
  call: Call,
): unknown {
  if (typeof items !== 'object' || items === null || !(Symbol.iterator in items)) {
    throw faultOf(field, 'is no list');
  }
  const whole: unknown[] = [];
  const waiting: PromiseLike<void>[] = [];
  try {
    for (const item of items as Iterable<unknown>) {
      const key = whole.length;
      const place = { field, path: { prev: path, key, typename: undefined } };
      put(whole, key, partOf(output, item, place, call), waiting);
    }
  } catch (error) {
    waiting.push(Promise.reject(asError(error))); // of the iterator; the items before it are awaited
  }
  return waiting.length === 0 ? whole : whenAll(whole, waiting);
}

/** A value as its part of the answer, or the promise of that. Throws why it cannot be one. */
function complete(output: Output, value: unknown, place: ResponsePlace, call: Call): unknown {
  if (value instanceof Error) throw value;
  if (value === null || value === undefined) {
    if (output.required) throw faultOf(place.field, 'may not be null and is');
    return null;
  }
  if (output.kind === 'object') return objectOf(output.fields, value, place.path, call);
  if (output.kind === 'list') return listOf(output.item, value, place, call);
  return leafOf(output.type, value, place.field);
}

/** A scalar or an enum's value as it is answered. Throws an error that names the field. */
function leafOf(type: GraphQLLeafType, value: unknown, field: FieldPlan): unknown {
  let leaf: unknown;
  try {
    leaf = type.coerceOutputValue(value);
  } catch (cause) {
    throw faultOf(field, `is no ${type.name}`, { cause });
  }
  if (leaf === null || leaf === undefined) throw faultOf(field, `is no ${type.name}`);
  return leaf;
}

function faultOf(
  { parentType, definition }: FieldPlan,
  what: string,
  options?: ErrorOptions,
): Error {
  return new Error(`${parentType.name}.${definition.name} ${what}`, options);
}

/**
 * What becomes of a part that failed, as GraphQL has it (section 6.4.4): one that may be null is null, and its
 * error is told; one that may not takes the part above with it, by the promise that it rejects.
 */
function failed(output: Output, error: unknown, place: ResponsePlace, call: Call): unknown {
  const keys = keysOf(place.path);
  const told = locatedError(error, place.field.nodes, keys);
  if (output.required) return Promise.reject(told);
  const isBelow = ({ path = [] }: GraphQLError) => keys.every((key, at) => path[at] === key);
  // What failed below a part that is null is not told as well.
  if (told.path?.length !== keys.length) call.errors = call.errors.filter((it) => !isBelow(it));
  call.errors.push(told);
  return null;
}

/** As `complete`, but failures are dealt with: it throws nothing. */
function partOf(output: Output, value: unknown, place: ResponsePlace, call: Call): unknown {
  try {
    const part = isPromise(value)
      ? Promise.resolve(value).then((ready) => complete(output, ready, place, call))
      : complete(output, value, place, call);
    if (!isPromise(part)) return part;
    return part.then(undefined, (error: unknown) => failed(output, error, place, call));
  } catch (error) {
    return failed(output, error, place, call);
  }
}

function keysOf(path: Path): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let at: Path | undefined = path; at !== undefined; at = at.prev) keys.unshift(at.key);
  return keys;
}

/**
 * Performs a prepared document as `execute` of graphql-js would, as far as such documents need: the same
 * values, the same arguments of resolvers, the same errors. The answer comes when all resolvers have ended, also
 * when one of them has failed it before. It never rejects. docs/load.md has what the plan saves.
 */
export async function perform(
  plan: Plan,
  given: Readonly<Record<string, unknown>>,
  context: Context,
): Promise<ExecutionResult<Record<string, unknown>>> {
  const definitions = plan.operation.variableDefinitions ?? [];
  // With the first variable that does not fit, nothing is executed.
  const read = getVariableValues(plan.schema, definitions, given, { maxErrors: 1 });
  if (read.errors !== undefined) return { errors: read.errors };
  const call: Call = { plan, context, variables: read.variableValues, errors: [] };
  try {
    const whole = await objectOf(plan.fields, undefined, undefined, call);
    const data = whole as Record<string, unknown>;
    return call.errors.length === 0 ? { data } : { data, errors: call.errors };
  } catch (error) {
    return { data: null, errors: [error as GraphQLError] }; // of a root field, by `failed`
  }
}
