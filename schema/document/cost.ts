import { complexityFromQuery } from '@pothos/plugin-complexity';
import { Kind, type DocumentNode, type ExecutionArgs } from 'graphql';
import { limits, requireWithinLimits, wholeCost } from '../builder.ts';

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
 * What one event of a subscription costs. Throws bad_request where that is more than an operation may: nobody
 * should learn it from the first event.
 */
export function costOfEvent(args: ExecutionArgs): number {
  const size = complexityFromQuery(chosen(args), {
    schema: args.schema,
    variables: { ...args.variableValues },
  });
  requireWithinLimits(size);
  return wholeCost(size);
}

/**
 * What an operation costs whose variables fit: its fields, times the length of lists, as an integer. Zero for an
 * operation that cannot be executed or costs too much: running it reports the error.
 */
export function costOf(args: ExecutionArgs): number {
  try {
    const cost = wholeCost(
      complexityFromQuery(chosen(args), {
        schema: args.schema,
        variables: { ...args.variableValues },
      }),
    );
    return cost > limits.complexity ? 0 : cost;
  } catch {
    return 0;
  }
}
