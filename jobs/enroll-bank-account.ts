import { z } from 'zod';
import { jobScope } from '../src/access/system.ts';
import { enrollByJob } from '../src/domain/enrollment/run.ts';
import { task } from './task.ts';

/** Registers a bank account with the provider; runs again until the outcome is known. */
export const enrollBankAccount = task(
  'enroll_bank_account',
  z.object({ tenantId: z.string(), enrollmentId: z.string() }),
  async ({ tenantId, enrollmentId }, services) => {
    const scope = await jobScope(services.pool, tenantId, { type: 'system', name: 'enrollment' });
    await enrollByJob({ services, scope }, enrollmentId);
  },
);
