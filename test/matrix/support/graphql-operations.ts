import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLOutputType,
} from 'graphql';
import { schema } from '../../../schema/schema.ts';
import { targetOf, type Slot } from './slots.ts';
import { graphqlValue } from '../../support/matrix/samples.ts';
import type { World } from '../../support/matrix/world.ts';

type Field = GraphQLField<unknown, unknown>;

export interface GraphqlOperation {
  readonly kind: 'query' | 'mutation';
  readonly name: string;
  readonly field: Field;
}

function fieldsOf(kind: GraphqlOperation['kind']): GraphqlOperation[] {
  const type = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
  return Object.values(type?.getFields() ?? {}).map((field) => ({ kind, name: field.name, field }));
}

/** Every field of Query and Mutation. */
export const graphqlOperations: readonly GraphqlOperation[] = [
  ...fieldsOf('query'),
  ...fieldsOf('mutation'),
];

/**
 * Fields with arguments on other types would escape the walk; there are none, and this says so. Streams have
 * tests of their own (test/graphql/live.test.ts).
 */
export function nestedArguments(): string[] {
  const operationTypes: readonly unknown[] = [
    schema.getQueryType(),
    schema.getMutationType(),
    schema.getSubscriptionType(),
  ];
  return Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type) && !type.name.startsWith('__'))
    .filter((type) => !operationTypes.includes(type))
    .flatMap((type) =>
      isObjectType(type)
        ? Object.values(type.getFields())
            .filter(({ args }) => args.length > 0)
            .map((field) => `${type.name}.${field.name}`)
        : [],
    );
}

/** What an operation is about: `bankAccount` of `bankAccountUpdate`, `payout` of `payout`. */
function nounOf(name: string): string {
  return name.replace(
    /(Create|Update|Archive|Acknowledge|Enroll|Erase|PersonalDataExport|Redeliver|Revoke|Remove|RoleChange|Verify)$/,
    '',
  );
}

const valueTypes = new Set(['Boolean', 'Int', 'Float', 'DateTime', 'MinorUnits', 'JSON']);
const plainFilters = new Set(['eventType', 'createdSince', 'createdBefore', 'updatedSince']);

function* walk(
  owner: string,
  name: string,
  type: GraphQLInputType,
  path: readonly (string | number)[],
  filter: boolean,
): Iterable<Slot> {
  const inner = getNullableType(type);
  if (isListType(inner)) {
    yield* walk(owner, name, inner.ofType, [...path, 0], filter);
  } else if (isInputObjectType(inner)) {
    const below = filter || inner.name.endsWith('Filter');
    for (const field of Object.values(inner.getFields())) {
      yield* walk(owner, field.name, field.type, [...path, field.name], below);
    }
  } else if (!isEnumType(inner) && !valueTypes.has(inner.name)) {
    const asked = inner.name === 'ID' || (filter && !plainFilters.has(name));
    const target = targetOf(owner, nounOf(owner), name, asked);
    const place = path
      .map((part) => (typeof part === 'number' ? '[]' : part))
      .join('../../support/matrix');
    if (target !== undefined) yield { place, path, target };
  }
}

/** Every slot of an operation's arguments. `node(id:)` and `nodes(ids:)` have tests of their own. */
export function graphqlSlots({ name, field }: GraphqlOperation): Slot[] {
  if (name === 'node' || name === 'nodes') return [];
  return field.args.flatMap((arg) => [...walk(name, arg.name, arg.type, [arg.name], false)]);
}

function sampleOf(
  owner: string,
  input: GraphQLArgument | GraphQLInputField,
  world: World,
  ids: (slotPath: string) => unknown,
): unknown {
  const type = getNullableType(input.type);
  const list = isListType(type);
  const known = ids(input.name);
  if (known !== undefined) return list ? [known] : known;
  const names = [`${owner} ${input.name}`, getNamedType(input.type).name, input.name];
  const value = graphqlValue(names, world);
  return list ? [value] : value;
}

/**
 * Variables that the operation accepts: the given ids for its slots, samples for the rest.
 * @param ids the value of the slot at the top level with this name, if it is one
 */
export function sampleVariables(
  { name, field }: GraphqlOperation,
  world: World,
  ids: (slotPath: string) => unknown,
): Record<string, unknown> {
  const required = field.args.filter((arg) => isNonNullType(arg.type) || arg.name === 'reasons');
  return Object.fromEntries(required.map((arg) => [arg.name, sampleOf(name, arg, world, ids)]));
}

/**
 * A selection of everything to a small depth, so that whatever leaks is seen. What leads back to a type
 * that is being selected, as from a replacement to a payout, is named and not followed.
 */
function selection(type: GraphQLOutputType, depth: number, within: readonly string[] = []): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  const followed = (isObjectType(named) || isInterfaceType(named)) && !within.includes(named.name);
  if (depth === 0 || !followed) return ' { __typename }';
  const parts = Object.values(named.getFields())
    .filter((field) => field.args.length === 0)
    .map((field) => field.name + selection(field.type, depth - 1, [...within, named.name]));
  return ` { ${parts.join(' ')} }`;
}

/** Fields that a document may have without a key, with some room. */
const mostFields = 100;

const isShort = (text: string) =>
  text.split(' ').filter((word) => /\w/.test(word)).length <= mostFields;

/** Two levels at least, so that a leak is seen; without a key, what everybody may send. */
function boundedSelection(type: GraphQLOutputType, hasKey: boolean): string {
  const [deep, ...others] = [3, 2, 1].map((depth) => selection(type, depth));
  const [second, flat] = others;
  const found = [deep, second].find((text) => text !== undefined && isShort(text));
  return found ?? (hasKey ? second : flat) ?? '';
}

/** The text of an operation with every argument as a variable. */
export function documentOf({ kind, name, field }: GraphqlOperation, hasKey: boolean): string {
  const declared = field.args.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(', ');
  const passed = field.args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const of = (list: string) => (list === '' ? '' : `(${list})`);
  return `${kind} ${of(declared)} { ${name}${of(passed)}${boundedSelection(field.type, hasKey)} }`;
}
