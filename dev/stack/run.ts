import { takeLock } from '../postgres/lock.ts';
import { migrate } from '../../src/db/migrate.ts';
import { migrationsDir } from '../../src/db/ready.ts';
import { banner, farewell } from './banner.ts';
import { consoleLink, proveAddress } from './console-link.ts';
import type { ChildSpec } from './child.ts';
import type { DevConfig } from './config.ts';
import { holdBack } from './hold-back.ts';
import { prepareDataDir } from './data-dir.ts';
import { openDatabase } from './database.ts';
import { linePrinters } from './log-lines.ts';
import { busyPort, type NeededPort } from './ports.ts';
import { keyFile, lockFile } from './running.ts';
import { sandboxKey } from './sandbox-key.ts';
import { localUrl, neededPorts, serviceSpecs } from './services.ts';
import { createSupervisor } from './supervisor.ts';

/** What `npm start` runs; tests put small programs in the place of the services. */
export interface Parts {
  ports: readonly NeededPort[];
  migrationsDir: string;
  /** Makes what the programs need, once it is sure that no other start of this folder runs. */
  prepare?(): Promise<void>;
  specs(databaseUrl: string): ChildSpec[];
  /** What to print once all is ready. */
  greet(databaseUrl: string): Promise<Greeting>;
}

interface Greeting {
  /** Made anew each time, with a link that has not been used. */
  readonly welcome: () => Promise<string>;
  /** Printed when everything has been stopped. */
  readonly farewell: string;
}

/** Where lines go, and who asks to see the welcome again. */
export interface Terminal {
  readonly write: (text: string) => void;
  /** Calls `show` whenever somebody asks, until `signal` aborts. */
  readonly onAsk?: (show: () => void, signal: AbortSignal) => void;
}

/** The service itself. */
export function serviceParts(config: DevConfig): Parts {
  return {
    ports: neededPorts(config),
    migrationsDir,
    specs: (databaseUrl) => serviceSpecs(config, databaseUrl),
    greet: async (databaseUrl) => {
      const key = await sandboxKey(localUrl(config), keyFile(config.dataDir), (made) =>
        proveAddress(databaseUrl, made),
      );
      const mailboxUrl = `http://127.0.0.1:${config.mailboxPort}`;
      const metricsUrl = `http://127.0.0.1:${config.metricsPort}/metrics`;
      const facts = { baseUrl: config.publicUrl, mailboxUrl, metricsUrl, databaseUrl, key };
      const welcome = async () => {
        const signInUrl = await consoleLink(databaseUrl, config.publicUrl, key);
        return banner({ ...facts, signInUrl });
      };
      return { welcome, farewell: farewell(config.dataDir, key) };
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
  { write, onAsk }: Terminal,
  stop: AbortSignal,
): Promise<void> {
  prepareDataDir(config.dataDir);
  const closing = new AsyncDisposableStack();
  let lastWords = '';
  // What is deferred first comes last.
  closing.defer(() => write(lastWords));
  try {
    stop.throwIfAborted();
    const lock = takeLock(lockFile(config.dataDir), localUrl(config));
    closing.defer(() => lock.release());
    const busy = await busyPort(parts.ports, config.host);
    if (busy !== null) throw new Error(busy);
    await parts.prepare?.();

    const names = ['database', ...parts.specs('').map((spec) => spec.name)];
    if (config.quietStart) write('Starting everything; the first time takes longest …\n');
    const opening = holdBack(write, config.quietStart);
    closing.defer(() => opening.release());
    const printerOf = linePrinters(names, opening.write, config.colour);
    const print = printerOf('database');
    const lost = new AbortController();
    const database = await openDatabase(config, print, (error) => lost.abort(error));
    closing.defer(() => database.stop());
    const { applied } = await migrate(database.ownerUrl, parts.migrationsDir, {
      serviceUrl: database.url,
    });
    if (applied.length > 0) print(`applied ${applied.length} migrations`);

    const supervisor = createSupervisor(printerOf);
    closing.defer(() => supervisor.stop());
    const ending = AbortSignal.any([stop, lost.signal]);
    await supervisor.start(parts.specs(database.url), ending);
    const greeting = await parts.greet(database.ownerUrl);
    opening.forget();
    // First: whoever reads the welcome may ask for it at once.
    const welcome = async () => write(await greeting.welcome());
    onAsk?.(() => void welcome().catch((error: unknown) => print(String(error))), ending);
    await welcome();
    lastWords = greeting.farewell;
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
