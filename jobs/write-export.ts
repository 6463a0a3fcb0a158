import { z } from 'zod';
import { jobScope } from '../src/access/system.ts';
import { writeExport as write } from '../src/domain/export/write.ts';
import { task } from './task.ts';

/** Writes the file of an export that was asked for, or that its schedule made due. */
export const writeExport = task(
  'write_export',
  z.object({ tenantId: z.string(), exportId: z.string() }),
  async ({ tenantId, exportId }, services) => {
    const scope = await jobScope(services.pool, tenantId, { type: 'system', name: 'exports' });
    await write({ services, scope }, exportId);
  },
);
