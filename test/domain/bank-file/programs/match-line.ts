import { matchLineByOrder } from '../../../../src/domain/operator/match-bank-line.ts';
import { loadConfig } from '../../../../src/process/config.ts';
import { closeServices, createServices } from '../../../../src/process/services.ts';

/** Carries out an order to match a line in a process of its own, as a worker's job. */
const [tenantId = '', lineId = '', actionId = ''] = process.argv.slice(2);
const services = createServices(loadConfig(), 'worker');
await matchLineByOrder(services, { tenantId, lineId, actionId });
await closeServices(services);
