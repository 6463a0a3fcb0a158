import { complexityFromQuery } from '@pothos/plugin-complexity';
import { Kind, type DocumentNode, type ExecutionArgs } from 'graphql';
import { limits } from '../builder.ts';

/** The operation that is asked for and the fragments, without the document's other operations. */
function chosen({ document, operationName }: ExecutionArgs): DocumentNode {
  const definitions = document.definitions.filter(
    (definition) =>
      definition.kind !== Kind.OPERATION_DEFINITION ||
      typeof operationName !== 'string' ||
      definition.name?.value === operationName,
  );
  return { ...document, definitions };
}

/**
 * What an operation costs: its fields, times the length of lists. Zero for one that cannot be
 * executed or costs too much, which then says so itself.
 */
export function costOf(args: ExecutionArgs): number {
  try {
    const { complexity } = complexityFromQuery(chosen(args), {
      schema: args.schema,
      variables: { ...args.variableValues },
    });
    return complexity > limits.complexity ? 0 : complexity;
  } catch {
    return 0;
  }
}
