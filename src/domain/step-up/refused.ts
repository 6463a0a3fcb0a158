import { DomainError } from '../../errors/domain-error.ts';

/** One answer for whatever is wrong with a signature: it tells nobody which part was. */
export const stepUpRefused = (cause?: unknown): DomainError =>
  new DomainError('STEP_UP_REQUIRED', {
    message:
      'The passkey did not sign what is to be approved, or too late. Nothing was approved. Begin again.',
    cause,
  });
