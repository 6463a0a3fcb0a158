import { getOperationAST, type DocumentNode } from 'graphql';
import type { Metrics } from '../../src/process/metrics.ts';

/**
 * Begins to measure an operation; the function that it returns ends it. Only a document of the service's own
 * has its name in the metric: a caller could send a new name with each request, and each would be kept.
 */
export function startMeasure(
  metrics: Metrics | null,
  args: { readonly document: DocumentNode; readonly operationName?: string | null | undefined },
  isOwn: boolean,
): (outcome: 'ok' | 'error') => void {
  if (metrics === null) return () => {};
  const started = performance.now();
  return (outcome) => {
    const operation = getOperationAST(args.document, args.operationName);
    metrics.operation({
      name: isOwn ? (operation?.name?.value ?? 'unnamed') : null,
      type: operation?.operation ?? 'query',
      outcome,
      milliseconds: performance.now() - started,
    });
  };
}
