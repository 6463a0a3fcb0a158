import {
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  Kind,
  typeFromAST,
  type DocumentNode,
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { invalid, type FieldError } from '../../src/errors/domain-error.ts';
import { pathText } from '../../src/values/field-errors.ts';
import { nameToTell } from '../errors/message.ts';

/** What each scalar takes. The engine's sentences about its scalars quote values, and name its own types. */
const expected: Readonly<Record<string, string>> = {
  String: 'Must be a string.',
  ID: 'Must be an id, which is a string.',
  Int: 'Must be an integer of 32 bits.',
  Float: 'Must be a number.',
  Boolean: 'Must be true or false.',
  DateTime: 'Must be an ISO 8601 date-time with an offset, as a string.',
  MinorUnits: 'Must be an integer of minor units.',
  Base64Bytes: 'Must be base64 with padding, as a string.',
};

/** More than a person can read. */
const mostFaults = 100;

type Path = readonly (string | number)[];

const fault = (path: Path, code: string, message: string): FieldError => ({
  field: pathText(path),
  code,
  message,
});

const missing = (path: Path): FieldError => fault(path, 'required', 'This field is required.');

function* faultsIn(value: unknown, type: GraphQLInputType, path: Path): Iterable<FieldError> {
  if (isNonNullType(type)) {
    if (value === null || value === undefined) yield missing(path);
    else yield* faultsIn(value, type.ofType, path);
    return;
  }
  if (value === null || value === undefined) return;
  if (isListType(type)) {
    // One value stands for a list of it (GraphQL, section 3.11).
    if (!Array.isArray(value)) yield* faultsIn(value, type.ofType, path);
    else for (const [i, item] of value.entries()) yield* faultsIn(item, type.ofType, [...path, i]);
  } else if (isInputObjectType(type)) yield* faultsInObject(value, type, path);
  else if (isEnumType(type)) yield* faultsInEnum(value, type, path);
  else {
    try {
      type.coerceInputValue(value);
    } catch {
      const message = expected[type.name] ?? `Must be of the type ${type.name}.`;
      yield fault(path, 'invalid_type', message);
    }
  }
}

function* faultsInObject(
  value: unknown,
  type: GraphQLInputObjectType,
  path: Path,
): Iterable<FieldError> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    yield fault(path, 'invalid_type', 'Must be an object.');
    return;
  }
  const fields = type.getFields();
  for (const key of Object.keys(value)) {
    if (Object.hasOwn(fields, key)) continue;
    yield fault([...path, nameToTell(key)], 'unknown_field', 'There is no such field.');
  }
  for (const [name, field] of Object.entries(fields)) {
    const given: unknown = Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
    if (given !== undefined) yield* faultsIn(given, field.type, [...path, name]);
    else if (isRequiredInputField(field)) yield missing([...path, name]);
  }
}

function* faultsInEnum(value: unknown, type: GraphQLEnumType, path: Path): Iterable<FieldError> {
  if (typeof value === 'string' && type.getValue(value) !== undefined) return;
  const names = type.getValues().map(({ name }) => name);
  yield fault(path, 'invalid_value', `Must be one of: ${names.join(', ')}.`);
}

function operationOf(
  document: DocumentNode,
  name: string | null | undefined,
): OperationDefinitionNode | undefined {
  return document.definitions
    .filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
    .find((operation) => (name ? operation.name?.value === name : true));
}

function* faultsOf(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  values: Readonly<Record<string, unknown>>,
): Generator<FieldError> {
  for (const { variable, type: node, defaultValue } of operation.variableDefinitions ?? []) {
    const type = typeFromAST(schema, node);
    const name = variable.name.value;
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (!isInputType(type) || (value === undefined && defaultValue !== undefined)) continue;
    yield* faultsIn(value, type, [name]);
  }
}

/**
 * Refuses variables that do not fit their types, in the service's own words: `validation_failed`, whose
 * details name each field from the name of its variable on. The engine would refuse them too, but its sentences
 * quote the values, which for long ones takes longer than anything else that a request may do.
 */
export function requireFitting(asked: {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  readonly variableValues?: Readonly<Record<string, unknown>> | null | undefined;
}): void {
  const operation = operationOf(asked.document, asked.operationName);
  if (operation === undefined) return;
  const details = faultsOf(asked.schema, operation, asked.variableValues ?? {});
  const told = [...details.take(mostFaults)];
  if (told.length > 0) throw invalid(told);
}
