import { z } from 'zod';
import { ProviderError, failureCodes } from '../port.ts';
import type { FailureCode, ProviderFailure } from '../port.ts';
import { wireError } from './wire.ts';
import type { WireFailure } from './wire.ts';

/** The provider's codes that have another name here. Every other known code has the same name. */
const renamed = new Map<string, FailureCode>([
  ['bank_rejected', 'invalid_account'],
  ['recipient_closed', 'account_closed'],
  ['compliance_hold', 'compliance_rejected'],
]);

const known = z.enum(failureCodes);

/** Our failure code for the provider's. An unknown one becomes `unmapped`. */
function failureCodeOf(code: string, unmapped: FailureCode): FailureCode {
  const same = known.safeParse(code);
  return renamed.get(code) ?? (same.success ? same.data : unmapped);
}

/** A failure as told by a payout or an event. */
export function failureOf(failure: WireFailure | null): ProviderFailure | null {
  return failure && { code: failureCodeOf(failure.code, 'other'), message: failure.message };
}

/**
 * What an answer that is not a success means for the money. Only a refusal with the provider's own error
 * body is a definite no: a bare 4xx may come from a proxy on the way.
 * @param definite statuses that are a definite no for this call, beyond the usual ones
 */
export function errorOfAnswer(
  status: number,
  body: unknown,
  definite: readonly number[] = [],
): ProviderError {
  if (status === 429) return new ProviderError('retry', 'other', 'The provider is rate limiting.');
  const parsed = wireError.safeParse(body);
  if (!parsed.success) {
    return new ProviderError(
      'unknown',
      'other',
      `The provider's answer ${status} could not be read.`,
    );
  }
  const { code, message } = parsed.data.error;
  const text = `The provider answered ${status} ${code}: ${message}`;
  if (definite.includes(status)) return new ProviderError('rejected', 'other', message);
  switch (status) {
    case 400:
    case 413:
    case 422:
      if (code === 'compliance_hold') return new ProviderError('held', 'compliance_rejected', text);
      return new ProviderError('rejected', failureCodeOf(code, 'provider_rejected'), message);
    case 401:
    case 403:
      // The credential is refused before anything is taken. An operator has to act, and the payout waits.
      return new ProviderError('retry', 'other', text);
    case 409:
      // An idempotency conflict says that something was taken under the key before.
      return new ProviderError(code === 'request_in_progress' ? 'retry' : 'unknown', 'other', text);
    default:
      return new ProviderError('unknown', 'other', text);
  }
}
