import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readDevConfig } from '../../../../dev/stack/config.ts';
import { onNpmEnd } from '../../../../dev/stack/npm-end.ts';
import { run } from '../../../../dev/stack/run.ts';

/** The supervisor with two small programs in the place of the services. */
const config = readDevConfig();
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
onNpmEnd(() => stop.abort());

const migrationsDir = join(config.dataDir, 'migrations');
mkdirSync(migrationsDir, { recursive: true });
const program = (name: string) => join(import.meta.dirname, name);

try {
  await run(
    config,
    {
      ports: [{ port: config.port, variable: 'PORT', what: 'the API' }],
      migrationsDir,
      specs: (databaseUrl) => {
        const environment = { ...config.environment, DATABASE_URL: databaseUrl };
        const readyUrl = `http://127.0.0.1:${config.port}/readyz`;
        return [
          { name: 'web', entry: program('web.ts'), environment, readyUrl },
          { name: 'second', entry: program('second.ts'), environment },
        ];
      },
      greet: (databaseUrl) =>
        Promise.resolve({
          welcome: () => Promise.resolve(`ready with ${databaseUrl}\n`),
          farewell: 'bye\n',
        }),
    },
    {
      write: (text) => void process.stdout.write(text),
      onAsk: (show, signal) => {
        process.on('SIGUSR2', show);
        signal.addEventListener('abort', () => process.off('SIGUSR2', show));
      },
    },
    stop.signal,
  );
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
