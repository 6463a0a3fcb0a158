import { startWorker } from '../jobs/runner.ts';
import { loadConfig } from './process/config.ts';
import { leadsToSharedSessions } from './db/own-session.ts';
import { armCrashPoint } from './process/crash-point.ts';
import { closeWebhookSender } from './domain/webhook/delivery/sender.ts';
import { gracefully, onStopSignal } from './process/lifetime.ts';
import { directUrlOf } from './process/settings/storage.ts';
import { closeServices, createServices, startMetrics } from './process/services.ts';

/** The worker process: runs jobs and the crontab. SIGTERM finishes the jobs under way. */
const config = gracefully(() => loadConfig());
armCrashPoint(config.CRASH_POINT);
const services = createServices(config, 'worker');
const starting = startWorker(services);

onStopSignal(services.log, async () => {
  await (await starting).stop();
  await closeWebhookSender(services);
  await closeServices(services);
});

await startMetrics(services);

const directUrl = directUrlOf(config);
if (directUrl !== null && (await leadsToSharedSessions(directUrl).catch(() => false))) {
  services.log.warn(
    'the database is behind a pooler in transaction mode, so the worker is not told of new jobs and finds them once a second; set DIRECT_DATABASE_URL to an address of PostgreSQL itself',
  );
}
