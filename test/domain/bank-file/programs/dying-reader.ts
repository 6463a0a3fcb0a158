import { jobScope } from '../../../../src/access/system.ts';
import { rows } from '../../../../src/db/pool.ts';
import { applyBankFile } from '../../../../src/domain/bank-file/apply.ts';
import { fetchConnectionFiles } from '../../../../src/domain/bank-file/fetch.ts';
import { readStoredFile } from '../../../../src/domain/bank-file/read.ts';
import { loadConfig } from '../../../../src/process/config.ts';
import { armCrashPoint, parseCrashPlan } from '../../../../src/process/crash-point.ts';
import { closeServices, createServices } from '../../../../src/process/services.ts';

/*
 * A program of the tests: fetches, reads and applies the files of a connection, and kills itself at a crash point on
 * the way. Arguments: the point, the database's URL, the bank's folder, the tenant, the connection.
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
await fetchConnectionFiles(call, connection);
const stored = `SELECT id FROM bank_file WHERE tenant_id = $1 AND status <> 'arriving' ORDER BY id`;
for (const { id } of await rows<{ id: string }>(services.pool, { name: 'files', text: stored }, [
  tenantId,
])) {
  await readStoredFile(call, id);
  await applyBankFile(call, id);
}
await closeServices(services);
