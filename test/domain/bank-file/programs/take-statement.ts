import { jobScope } from '../../../../src/access/system.ts';
import { storeBankFile } from '../../../../src/domain/bank-file/content.ts';
import { readStoredFile } from '../../../../src/domain/bank-file/read.ts';
import { loadConfig } from '../../../../src/process/config.ts';
import { closeServices, createServices } from '../../../../src/process/services.ts';
import { statementBytes } from '../../../support/bank-statement.ts';

/**
 * Stores and reads a statement of about so many bytes in a process of its own, and prints the memory of the
 * process after its start and the most that it had, in bytes, as JSON.
 */
const [tenantId = '', connectionId = '', bytes = ''] = process.argv.slice(2);
const baseline = process.resourceUsage().maxRSS * 1_024;
const services = createServices(loadConfig(), 'worker');
const scope = await jobScope(services.pool, tenantId, { type: 'system', name: 'bank files' });
const call = { scope, services };
const { fileId } = await storeBankFile(call, {
  connectionId,
  name: 'large.xml',
  takenBy: null,
  bytes: statementBytes({ bytes: Number(bytes) }),
});
await readStoredFile(call, fileId);
await closeServices(services);
process.stdout.write(JSON.stringify({ baseline, most: process.resourceUsage().maxRSS * 1_024 }));
