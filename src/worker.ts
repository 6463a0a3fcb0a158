import { startWorker } from '../jobs/runner.ts';
import { loadConfig } from './config.ts';
import { armCrashPoint } from './crash-point.ts';
import { closeWebhookSender } from './domain/webhook/sender.ts';
import { settleHeap } from './heap.ts';
import { gracefully, onStopSignal } from './process.ts';
import { closeServices, createServices, startMetrics } from './services.ts';

/** The worker process: runs jobs and the crontab. SIGTERM finishes the jobs under way. */
const config = gracefully(() => loadConfig());
armCrashPoint(config.CRASH_POINT);
const services = createServices(config, 'worker');
const starting = startWorker(services);
void starting.then(settleHeap);

onStopSignal(services.log, async () => {
  await (await starting).stop();
  await closeWebhookSender(services);
  await closeServices(services);
});

await startMetrics(services);
