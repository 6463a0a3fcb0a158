import { GraphQLError, Kind, type FieldNode, type SelectionSetNode } from 'graphql';
import { isIntrospective, type Definitions } from './size.ts';

type Fragments = Definitions['fragments'];

/** The fields of selection sets out of all their fragments, by the name that each has in the answer. */
function fieldsByName(
  sets: readonly SelectionSetNode[],
  fragments: Fragments,
): Map<string, FieldNode[]> {
  const found = new Map<string, FieldNode[]>();
  const collect = (set: SelectionSetNode | undefined): void => {
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FIELD) {
        const name = (selection.alias ?? selection.name).value;
        const same = found.get(name);
        if (same === undefined) found.set(name, [selection]);
        else same.push(selection);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) collect(selection.selectionSet);
      else collect(fragments.get(selection.name.value)?.selectionSet);
    }
  };
  for (const set of sets) collect(set);
  return found;
}

const setsOf = (fields: readonly FieldNode[]): SelectionSetNode[] =>
  fields.flatMap(({ selectionSet }) => selectionSet ?? []);

/**
 * How many pairs of fields want one place in the answer: the rule that looks for conflicts compares
 * each with each. Only for a document whose size is bounded.
 */
export function countPairs(sets: readonly SelectionSetNode[], fragments: Fragments): number {
  let pairs = 0;
  for (const fields of fieldsByName(sets, fragments).values()) {
    pairs += (fields.length * (fields.length - 1)) / 2 + countPairs(setsOf(fields), fragments);
  }
  return pairs;
}

/** Lists of the schema that lead from a type to types: nested, each multiplies the answer. */
const widening: ReadonlySet<string> = new Set([
  'fields',
  'inputFields',
  'interfaces',
  'possibleTypes',
]);

/**
 * Refuses what makes an answer about the schema larger than its whole description, which is computed
 * without a pause: aliases, and types of types of types. Throws GraphQLError. Only for a document
 * whose size is bounded.
 */
export function checkIntrospection(sets: readonly SelectionSetNode[], fragments: Fragments): void {
  for (const fields of fieldsByName(sets, fragments).values()) {
    const [field] = fields;
    if (field === undefined) continue;
    if (isIntrospective(field.name.value)) checkWithin(fields, fragments, false);
    else checkIntrospection(setsOf(fields), fragments);
  }
}

function checkWithin(fields: readonly FieldNode[], fragments: Fragments, widened: boolean): void {
  for (const field of fields) {
    const { alias, name } = field;
    if (alias !== undefined && alias.value !== name.value) {
      throw new GraphQLError('Introspection takes no aliases.', { nodes: field });
    }
  }
  for (const below of fieldsByName(setsOf(fields), fragments).values()) {
    const [first] = below;
    const widens = first !== undefined && widening.has(first.name.value);
    if (widened && widens) {
      throw new GraphQLError('Introspection takes no fields of fields.', { nodes: first });
    }
    checkWithin(below, fragments, widened || widens);
  }
}
