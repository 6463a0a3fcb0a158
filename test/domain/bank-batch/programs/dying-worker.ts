import { jobScope } from '../../../../src/access/system.ts';
import { closeBankBatches } from '../../../../src/domain/bank-batch/close.ts';
import { sendBankBatch } from '../../../../src/domain/bank-batch/send.ts';
import { loadConfig } from '../../../../src/process/config.ts';
import { armCrashPoint, parseCrashPlan } from '../../../../src/process/crash-point.ts';
import { closeServices, createServices } from '../../../../src/process/services.ts';

/*
 * A program of the tests: closes what waits for a connection and sends every batch, and kills itself at a crash
 * point on the way. Arguments: the point, the database's URL, the bank's folder, the
 * tenant, the connection.
 */
const [point = '', url, folder, tenantId = '', connection = ''] = process.argv.slice(2);
const env = {
  NODE_ENV: 'test',
  LOG_LEVEL: 'silent',
  DATABASE_URL: url,
  SANDBOX_BANK_FOLDER: folder,
};
const services = createServices(loadConfig(env), 'worker');
const scope = await jobScope(services.pool, tenantId, { type: 'system', name: 'test' });
const call = { services, scope };
armCrashPoint(parseCrashPlan(point));
await closeBankBatches(call, connection, { onRequest: true });
const batches = await services.scopedPrisma(scope).bankBatch.findMany({ select: { id: true } });
for (const { id } of batches) await sendBankBatch(call, id);
await closeServices(services);
