import { DomainError } from '../../src/errors/domain-error.ts';
import type { Config } from '../../src/process/config.ts';

/** As many items as any command takes: the settings of the operator decide, not the schema. */
export function longestList(config: Config): number {
  return Math.max(
    config.PAYOUT_BULK_ROWS,
    config.DECISION_BULK_ROWS,
    config.COLLECTION_BULK_ROWS,
    config.COLLECTION_INVITES,
  );
}

/**
 * Refuses a list in the variables of an operation that is longer than any command takes, before each
 * item is copied and compared with its type. Throws bad_request.
 */
export function requireShortLists(value: unknown, longest: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value) && value.length > longest) {
    throw new DomainError('bad_request', {
      message: `A list in the variables may have at most ${longest} items.`,
    });
  }
  for (const item of Object.values(value)) requireShortLists(item, longest);
}
