import type { ExecutionResult } from 'graphql';
import type { Services } from '../../src/process/services.ts';
import type { Context } from '../context.ts';
import { createCharged } from '../document/charge.ts';
import { startMeasure } from '../document/measure.ts';
import { maskError } from '../errors/mask.ts';
import { schema } from '../schema.ts';
import type { PreparedDocument } from './document.ts';
import { perform } from './perform.ts';

type OperationResult = ExecutionResult<Record<string, unknown>>;

/** Runs a document of our own, in process, for the caller of the context. Its errors are masked. */
export type RunDocument = (
  prepared: PreparedDocument,
  variables: Record<string, unknown>,
  context: Context,
) => Promise<OperationResult>;

/** Makes the function that runs prepared documents. */
export function createRun({ config, log, metrics }: Services): RunDocument {
  const charged = createCharged(config);

  return async function run({ document, plan }, variables, context) {
    const { operation: type, name } = plan.operation;
    const measured = startMeasure(metrics, { name: name?.value ?? 'unnamed', type });
    const masked = (error: unknown) => maskError(log, error, context.requestId);
    const asked = { schema, document, variableValues: variables };
    let result: OperationResult;
    try {
      const told = await charged(context, asked, () => perform(plan, variables, context));
      result = told.errors === undefined ? told : { ...told, errors: told.errors.map(masked) };
    } catch (error) {
      result = { errors: [masked(error)] };
    }
    measured(result.errors === undefined ? 'ok' : 'error');
    return result;
  };
}
