import { complexityFromQuery } from '@pothos/plugin-complexity';
import {
  getVariableValues,
  Kind,
  type DocumentNode,
  type ExecutionArgs,
  type GraphQLError,
} from 'graphql';
import { limits, requireWithinLimits } from '../builder.ts';

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
 * What does not fit of the variables, empty when all of them do. With an error nothing is executed, so
 * the variables are read once. Suggestions are left out: finding them reads a long value many times.
 */
export function unfit(args: ExecutionArgs): readonly GraphQLError[] {
  const { schema, variableValues } = args;
  const operations = chosen(args).definitions.filter(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION,
  );
  const [operation] = operations;
  if (operations.length !== 1 || operation === undefined) return []; // the engine says what is missing
  const declared = operation.variableDefinitions ?? [];
  const options = { maxErrors: 20, hideSuggestions: true };
  return getVariableValues(schema, declared, { ...variableValues }, options).errors ?? [];
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
  return size.complexity;
}

/**
 * What an operation costs whose variables fit: its fields, times the length of lists. Zero for an
 * operation that cannot be executed or costs too much: running it reports the error.
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
