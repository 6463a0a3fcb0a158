import { createFairShare } from '../src/concurrency/fair-share.ts';
import { oncePerProcess } from '../src/process/once.ts';

const part = (slots: number, divisor: number): number => Math.max(1, Math.floor(slots / divisor));

/** Disbursements while the provider is slow: of one tenant half of the worker's slots. */
export const disbursementShareOf = oncePerProcess(({ WORKER_CONCURRENCY: slots }) =>
  createFairShare({ slots, ofTenant: part(slots, 2) }),
);

/**
 * While the mail server is slow, the mails of all tenants together get half of the worker's slots,
 * since the other half is for work that moves money. The mails of one tenant get half of that, so
 * that its thousands do not delay another tenant's one.
 */
export const mailShareOf = oncePerProcess(({ WORKER_CONCURRENCY: slots }) => {
  const half = part(slots, 2);
  return createFairShare({ slots: half, ofTenant: part(half, 2) });
});
