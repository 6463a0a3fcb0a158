import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onNpmEnd, readDevConfig } from '../../../../dev/stack/config.ts';
import { run } from '../../../../dev/stack/run.ts';

/** The supervisor with two small programs in the place of the services. */
const config = readDevConfig();
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
onNpmEnd(() => stop.abort());

const migrationsDir = join(config.dataDir, 'migrations');
const program = (name: string) => join(import.meta.dirname, name);

try {
  await run(
    config,
    {
      ports: [{ port: config.port, variable: 'PORT' }],
      migrationsDir,
      prepare: async () => void mkdirSync(migrationsDir, { recursive: true }),
      specs: (databaseUrl) => {
        const environment = { ...config.environment, DATABASE_URL: databaseUrl };
        const readyUrl = `http://127.0.0.1:${config.port}/readyz`;
        return [
          { name: 'web', entry: program('web.ts'), environment, readyUrl },
          { name: 'second', entry: program('second.ts'), environment },
        ];
      },
      greet: async (databaseUrl) => void process.stdout.write(`ready with ${databaseUrl}\n`),
    },
    stop.signal,
  );
  process.stdout.write('bye\n');
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
