import { z } from 'zod';
import { deleteExpired as deleteAll } from '../src/domain/retention/delete-expired.ts';
import { task } from './task.ts';

/** Deletes what is kept for a time only. Runs every hour. */
export const deleteExpired = task('delete_expired', z.object({}), async (_payload, services) => {
  await deleteAll(services);
});
