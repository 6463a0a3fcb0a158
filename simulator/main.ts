import { readSimulatorConfig } from './config.ts';
import { startSimulator } from './server.ts';

const simulator = await startSimulator(readSimulatorConfig());
console.log(`simulator listening on ${simulator.url}`);

let closing = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (closing) return;
    closing = true;
    void simulator.close().then(() => process.exit(0));
  });
}
