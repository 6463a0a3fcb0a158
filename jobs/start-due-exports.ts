import { z } from 'zod';
import { startDueExports as start } from '../src/domain/export/schedule.ts';
import { task } from './task.ts';

/** Starts the recurring exports whose time has come. Runs every minute. */
export const startDueExports = task(
  'start_due_exports',
  z.object({}),
  async (_payload, services) => {
    await start(services);
  },
);
