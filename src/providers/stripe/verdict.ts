import type { HttpAnswer } from '../http-caller.ts';
import { ProviderError, type FailureCode, type Verdict } from '../port.ts';
import { errorMeanings } from './meanings.ts';
import { problem } from './wire.ts';

export const unreadable = (status: number): ProviderError =>
  new ProviderError('unknown', 'other', `Stripe's answer ${status} could not be read.`);

/** The kind of error that is also told where the key is wrong, or has not the permission. */
const anyRequest = 'invalid_request_error';

/**
 * What an answer that is not a success means for the money. Only a refusal in Stripe's own shape is a definite no: a
 * bare 4xx may come from a proxy on the way.
 */
export function errorOfAnswer({ status, json }: HttpAnswer): ProviderError {
  if (status === 429) return new ProviderError('retry', 'other', 'Stripe is rate limiting.');
  const said = problem.safeParse(json);
  if (!said.success) return unreadable(status);
  const { type = '', code = '', message = '' } = said.data.error;
  const refused = (verdict: Verdict, failure: FailureCode) =>
    new ProviderError(verdict, failure, `Stripe answered ${status} ${code || type}: ${message}`);
  if (status < 400 || status > 499) return refused('unknown', 'other');
  // The credential is refused before anything is taken. An operator has to act, and the payout waits.
  if (status === 401 || (status === 403 && type === anyRequest)) return refused('retry', 'other');
  // Stripe knows no such recipient or account.
  if (status === 404) return refused('rejected', 'invalid_account');
  const meaning = errorMeanings[type] ?? errorMeanings[code];
  return meaning === undefined
    ? refused('unknown', 'other')
    : refused(meaning.verdict, meaning.code);
}
