import type { HttpAnswer } from '../http-caller.ts';
import { ProviderError, type Verdict } from '../port.ts';
import { problem } from './wire.ts';

/** The error code of a key under which a request was processed or is being processed. */
const keyInUse = '704';

/** What Adyen's own refusals say. Any other status is none that its description has for a transfer. */
const verdicts: Readonly<Record<number, Verdict>> = {
  // The credential is refused before anything is taken. An operator has to act, and the payout waits.
  401: 'retry',
  403: 'retry',
  422: 'rejected',
};

export const unreadable = (status: number): ProviderError =>
  new ProviderError('unknown', 'other', `Adyen's answer ${status} could not be read.`);

/**
 * What an answer that is not a success means for the money. Only a refusal in Adyen's own shape is a definite no: a
 * bare 4xx may come from a proxy on the way.
 */
export function errorOfAnswer({ status, json }: HttpAnswer): ProviderError {
  if (status === 429) return new ProviderError('retry', 'other', 'Adyen is rate limiting.');
  const said = problem.safeParse(json);
  if (!said.success) return unreadable(status);
  const { errorCode, title, detail, message, invalidFields = [] } = said.data;
  const text = `Adyen answered ${status} ${errorCode}: ${detail ?? message ?? title ?? ''}`;
  const verdict = errorCode === keyInUse ? 'unknown' : (verdicts[status] ?? 'unknown');
  const isAccount = invalidFields.some(({ name }) => name.includes('bankAccount'));
  const code = isAccount ? 'invalid_account' : 'provider_rejected';
  return new ProviderError(verdict, verdict === 'rejected' ? code : 'other', text);
}
