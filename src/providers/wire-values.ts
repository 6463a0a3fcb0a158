import { z } from 'zod';

/* Values in what providers answer and report, each checked before it is stored. */

/** A provider's id of something of ours. */
export const providerId = z
  .string()
  .min(1)
  .max(255)
  .regex(/^[\x21-\x7e]+$/);

/** Of a payment of somebody else too, which may have any text: a refused event would come back for ever. */
export const anyReference = z
  .string()
  .min(1)
  .max(255)
  .regex(/^\P{C}+$/u);

/** A date-time in a plausible range. */
export const providerTime = z.iso
  .datetime({ offset: true })
  .refine((text) => text >= '1970' && text < '2200', 'out of range');
