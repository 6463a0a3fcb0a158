import { createWorker, type WorkerHandle } from '../jobs/runner.ts';
import { loadConfig } from './process/config.ts';
import { leadsToSharedSessions } from './db/own-session.ts';
import { armCrashPoint } from './process/crash-point.ts';
import { startKeys } from './domain/encryption/ring.ts';
import { closeWebhookSender } from './domain/webhook/delivery/sender.ts';
import { gracefully, onStopSignal, onUnhandledRejection, orEnd } from './process/lifetime.ts';
import { directUrlOf } from './process/settings/storage.ts';
import { closeServices, createServices, startMetrics } from './process/services.ts';

/**
 * The worker process: runs jobs and the crontab. SIGTERM finishes the jobs under way. It lives on when the
 * database goes away and comes back; after any other fault that nobody handles it ends, for its supervisor to
 * start it again.
 */
const config = gracefully(() => loadConfig());
armCrashPoint(config.CRASH_POINT);
const services = gracefully(() => createServices(config, 'worker'));
services.watch.start();
let worker: WorkerHandle | null = null;

onUnhandledRejection(services.log, (rejection) => worker?.mends(rejection) ?? false);
onStopSignal(services.log, async () => {
  await worker?.stop();
  await closeWebhookSender(services);
  await closeServices(services);
});

await orEnd(services.log, startKeys(services));
// Stopped before its keys were judged, it begins nothing.
if (services.keys.problem() === null) worker = createWorker(services);

await startMetrics(services);

const directUrl = directUrlOf(config);
if (directUrl !== null && (await leadsToSharedSessions(directUrl).catch(() => false))) {
  services.log.warn(
    'the database is behind a pooler in transaction mode, so the worker is not told of new jobs and finds them once a second; set DIRECT_DATABASE_URL to an address of PostgreSQL itself',
  );
}
