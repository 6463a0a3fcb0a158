import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { migrationsDir } from '../src/db/ready.ts';
import { make } from '../tools/build/make.ts';
import { AlreadyRunningError } from './postgres/lock.ts';
import { banner } from './stack/banner.ts';
import { type DevConfig, onNpmEnd, readDevConfig } from './stack/config.ts';
import { consoleLink } from './stack/console-link.ts';
import { run, type Parts } from './stack/run.ts';
import { keyFile } from './stack/running.ts';
import { sandboxKey } from './stack/sandbox-key.ts';
import { programs, localUrl, neededPorts, serviceSpecs, sources } from './stack/services.ts';

/**
 * `npm start`: the database, the API, the worker, the provider simulator and the mailbox, from the sources. With
 * `--production` they run from the bundle, with the settings of the runtime that production has.
 */
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => stop.abort());
}

onNpmEnd(() => stop.abort());

function servicePartsOf(config: DevConfig, production: boolean): Parts {
  async function greet(databaseUrl: string, signal: AbortSignal): Promise<void> {
    const baseUrl = config.publicUrl;
    const linkFor = (made: string): Promise<string> => consoleLink(databaseUrl, baseUrl, made);
    const key = await sandboxKey(localUrl(config), keyFile(config.dataDir), linkFor);
    const show = async (): Promise<void> => {
      const signInUrl = await linkFor(key);
      const mailboxUrl = `http://127.0.0.1:${config.mailboxPort}`;
      const metricsUrl = `http://127.0.0.1:${config.metricsPort}/metrics`;
      console.log(banner({ baseUrl, mailboxUrl, metricsUrl, databaseUrl, key, signInUrl }));
    };
    await show();
    // The requests since then have scrolled it away.
    if (process.stdin.isTTY) {
      createInterface({ input: process.stdin, signal }).on('line', () => void show());
    }
  }
  return {
    ports: neededPorts(config),
    migrationsDir,
    prepare: () => (production ? make('console', 'site', 'bundle') : make('console', 'site')),
    specs: (databaseUrl) => serviceSpecs(config, databaseUrl, production ? programs : sources),
    greet,
  };
}

try {
  const { values } = parseArgs({ options: { production: { type: 'boolean', default: false } } });
  const config = readDevConfig();
  console.log('Starting everything; the first time takes longest …');
  await run(config, servicePartsOf(config, values.production), stop.signal);
  console.log(`\n  Stopped. The data stays in ${config.dataDir}.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  // Callers can tell a service that runs already from a start that failed.
  process.exitCode = error instanceof AlreadyRunningError ? 3 : 1;
}
