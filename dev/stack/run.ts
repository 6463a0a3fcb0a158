import { takeLock } from '../postgres/lock.ts';
import { migrate } from '../../src/db/migrate.ts';
import { migrationsDir } from '../../src/db/ready.ts';
import { banner } from './banner.ts';
import type { ChildSpec } from './child.ts';
import type { DevConfig } from './config.ts';
import { prepareDataDir } from './data-dir.ts';
import { openDatabase } from './database.ts';
import { linePrinters } from './log-lines.ts';
import { busyPort, type NeededPort } from './ports.ts';
import { keyFile, lockFile } from './running.ts';
import { sandboxKey } from './sandbox-key.ts';
import { localUrl, neededPorts, serviceSpecs, warmCompileCache } from './services.ts';
import { createSupervisor } from './supervisor.ts';

/** What `npm start` runs; tests put small programs in the place of the services. */
export interface Parts {
  ports: readonly NeededPort[];
  migrationsDir: string;
  specs(databaseUrl: string): ChildSpec[];
  /** Runs before the processes start, while the database gets ready. */
  prepare?(): Promise<void>;
  /** What to print once all is ready. */
  greet(databaseUrl: string): Promise<string>;
}

/** The service itself. */
export function serviceParts(config: DevConfig): Parts {
  return {
    ports: neededPorts(config),
    migrationsDir,
    specs: (databaseUrl) => serviceSpecs(config, databaseUrl),
    prepare: () => warmCompileCache(config),
    greet: async (databaseUrl) => {
      const key = await sandboxKey(localUrl(config), keyFile(config.dataDir));
      const mailboxUrl = `http://127.0.0.1:${config.mailboxPort}`;
      return banner({ baseUrl: config.publicUrl, mailboxUrl, databaseUrl, key });
    },
  };
}

/**
 * Runs the database and the child processes until `stop` aborts, then ends the children and after
 * them the database.
 *
 * @throws AlreadyRunningError when this folder's service runs already
 * @throws Error when a port is busy or a part cannot be started; all is stopped by then
 */
export async function run(
  config: DevConfig,
  parts: Parts,
  write: (text: string) => void,
  stop: AbortSignal,
): Promise<void> {
  prepareDataDir(config.dataDir);
  const closing = new AsyncDisposableStack();
  try {
    const lock = takeLock(lockFile(config.dataDir), localUrl(config));
    closing.defer(() => lock.release());
    const busy = await busyPort(parts.ports, config.host);
    if (busy !== null) throw new Error(busy);

    const names = ['database', ...parts.specs('').map((spec) => spec.name)];
    const printerOf = linePrinters(names, write, config.colour);
    const print = printerOf('database');
    const lost = new AbortController();
    const prepared = parts.prepare?.();
    const database = await openDatabase(config, print, (error) => lost.abort(error));
    closing.defer(() => database.stop());
    const { applied } = await migrate(database.ownerUrl, parts.migrationsDir, {
      serviceUrl: database.url,
    });
    for (const name of applied) print(`migrated: ${name}`);

    await prepared;

    const supervisor = createSupervisor(printerOf);
    closing.defer(() => supervisor.stop());
    const ending = AbortSignal.any([stop, lost.signal]);
    await supervisor.start(parts.specs(database.url), ending);
    write(await parts.greet(database.ownerUrl));
    await aborted(ending);
    if (!stop.aborted) throw lost.signal.reason;
    print('stopping');
  } catch (error) {
    // It was told to stop while it was starting, so what failed then is no error.
    if (!stop.aborted) throw error;
  } finally {
    await closing.disposeAsync();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    signal.addEventListener('abort', () => done(), { once: true });
  });
}
