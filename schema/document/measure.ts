import type { OperationTypeNode } from 'graphql';
import type { Metrics } from '../../src/process/metrics.ts';

/**
 * Begins to measure an operation; the function that it returns ends it. Only a document of the service's own
 * has its name in the metric, any other is null: a caller could send a new name with each request, and
 * each would be kept.
 */
export function startMeasure(
  metrics: Metrics | null,
  operation: { readonly name: string | null; readonly type: OperationTypeNode },
): (outcome: 'ok' | 'error') => void {
  if (metrics === null) return () => {};
  const started = performance.now();
  return (outcome) => {
    metrics.operation({ ...operation, outcome, milliseconds: performance.now() - started });
  };
}
