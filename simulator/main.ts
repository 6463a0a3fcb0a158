import { readSimulatorConfig } from './config.ts';
import { startSimulator, type Simulator } from './server.ts';

/** A setting that is wrong, a busy port or a folder that cannot be written is one line, not a stack. */
async function start(): Promise<Simulator> {
  try {
    return await startSimulator(readSimulatorConfig());
  } catch (error) {
    console.error(`The simulator does not start: ${(error as Error).message}`);
    process.exit(1);
  }
}

const simulator = await start();
console.log(`simulator listening on ${simulator.url}`);

// Its memory may know of payouts that the file lacks. What the next start reads is what was confirmed, and perhaps a
// little more, which its callers look up.
void simulator.broken.then((error) => {
  console.error(`The simulator ends, since it cannot write what happens: ${error.message}`);
  process.exit(1);
});

let closing = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (closing) return;
    closing = true;
    void simulator.close().then(() => process.exit(0));
  });
}
