import { z } from 'zod';
import { continueRotation, startRotation } from '../src/domain/encryption/job.ts';
import { task } from './task.ts';

const count = z.number().int().min(0);

/** Brings ciphertexts under the first key: every hour from the start, then slice by slice. */
export const rotateKeys = task(
  'rotate_keys',
  z.object({
    pass: z
      .object({
        column: z.string(),
        after: z.array(z.string()),
        reencrypted: count,
        missed: count,
        unreadable: count,
      })
      .nullable()
      .default(null),
  }),
  ({ pass }, services) =>
    pass === null ? startRotation(services) : continueRotation(services, pass),
);
