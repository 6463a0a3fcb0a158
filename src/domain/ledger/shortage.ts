import { raisedDetail } from '../../db/errors.ts';
import { DomainError } from '../../errors/domain-error.ts';

/** SQLSTATE of our own: an enforced tenant has less available than an approval needs (post-entries.sql). */
const fundingShort = 'PO002';

/** What an approval lacks, in minor units of `currency`. */
export interface Shortage {
  readonly currency: string;
  readonly available_minor: number;
  readonly shortfall_minor: number;
}

/** What an approval that was refused for lack of funds lacks; null for every other error. */
export function shortageOf(error: unknown): Shortage | null {
  const detail = raisedDetail(error, fundingShort);
  return detail === null ? null : (JSON.parse(detail) as Shortage);
}

/** The refusal of an approval that needs more than is available. */
export function fundingInsufficient(shortage: Shortage): DomainError {
  const { currency, available_minor: available, shortfall_minor: shortfall } = shortage;
  const message = `${available} minor units of ${currency} are available, ${shortfall} fewer than needed.`;
  return new DomainError('FUNDING_INSUFFICIENT', {
    message: `The funds do not cover the approval: ${message}`,
    details: [{ field: 'amountMinor', code: 'funding_insufficient', message, ...shortage }],
  });
}
