import { isApiError } from '../../client/src/index.ts';
import { type DemoConfig, readDemoConfig } from './config.ts';
import { runDemo } from './demo.ts';
import { type Service, stopMs } from './service.ts';

function settings(): DemoConfig {
  try {
    return readDemoConfig(undefined, process.argv.slice(2));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

const config = settings();
const seconds = config.timeoutMs / 1_000;
const interrupted = new AbortController();
let service: Service | undefined;

for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.once(name, () => interrupted.abort(new Error(`ended by ${name}`)));
}

// The steps end early enough for a service that the demo started to drain in time. If that hangs
// too, the last timer ends everything.
const reserveMs = stopMs + 2_000;
const timer = setTimeout(() => {
  interrupted.abort(new Error(`not done within ${seconds} s`));
}, config.timeoutMs - reserveMs);
setTimeout(() => {
  service?.kill();
  console.error(`Demo failed: it did not end within ${seconds} s.`);
  process.exit(1);
}, config.timeoutMs).unref();

try {
  console.log('Payout demo');
  await runDemo(config, interrupted.signal, console.log, (started) => {
    service = started;
  });
  console.log('Demo done.');
} catch (error) {
  console.error(`Demo failed: ${error instanceof Error ? error.message : String(error)}`);
  if (isApiError(error)) {
    for (const { field, message } of error.details) console.error(`  ${field}: ${message}`);
  }
  process.exitCode = 1;
} finally {
  clearTimeout(timer);
}
