import { startWorker } from '../jobs/runner.ts';
import { loadConfig } from './process/config.ts';
import { armCrashPoint } from './process/crash-point.ts';
import { closeWebhookSender } from './domain/webhook/delivery/sender.ts';
import { gracefully, onStopSignal } from './process/lifetime.ts';
import { closeServices, createServices, startMetrics } from './process/services.ts';

/** The worker process: runs jobs and the crontab. SIGTERM finishes the jobs under way. */
const config = gracefully(() => loadConfig());
armCrashPoint(config.CRASH_POINT);
const services = gracefully(() => createServices(config, 'worker'));
const starting = startWorker(services);

onStopSignal(services.log, async () => {
  await (await starting).stop();
  await closeWebhookSender(services);
  await closeServices(services);
});

await startMetrics(services);
