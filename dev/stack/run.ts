import { mkdirSync } from 'node:fs';
import { takeLock } from '../postgres/lock.ts';
import { migrate } from '../../src/db/migrate.ts';
import { type ChildSpec, type Say, supervise } from './child.ts';
import type { DevConfig } from './config.ts';
import { openDatabase } from './database.ts';
import { type NeededPort, portFault } from './ports.ts';
import { lockFile } from './running.ts';
import { localUrl } from './services.ts';

/** What `npm start` runs; tests put small programs in the place of the services. */
export interface Parts {
  readonly ports: readonly NeededPort[];
  readonly migrationsDir: string;
  /** Makes what the programs need, once it is sure that no other start of this folder runs. */
  readonly prepare: () => Promise<void>;
  specs(databaseUrl: string): ChildSpec[];
  /** Is called once all is ready, with the URL of the database's owner, until `signal` aborts. */
  greet(databaseUrl: string, signal: AbortSignal): Promise<void>;
}

const width = 'simulator'.length;
const colours = [36, 33, 35, 32, 34];

/** Prints lines that begin with the name of their process, each name in its own colour. */
function printer(colour: boolean): Say {
  const names: string[] = [];
  return (name, line) => {
    if (!names.includes(name)) names.push(name);
    const prefix = `${name.padEnd(width)} |`;
    const code = colours[names.indexOf(name) % colours.length] ?? 37;
    process.stdout.write(`${colour ? `\u{1b}[${code}m${prefix}\u{1b}[0m` : prefix} ${line}\n`);
  };
}

/**
 * Runs the database and the child processes until `stop` aborts, then ends the children and after
 * them the database.
 *
 * @throws AlreadyRunningError when this folder's service runs already
 * @throws Error when a port is busy or a part cannot be started; all is stopped by then
 */
export async function run(config: DevConfig, parts: Parts, stop: AbortSignal): Promise<void> {
  mkdirSync(config.dataDir, { recursive: true });
  // What is deferred first comes last.
  await using closing = new AsyncDisposableStack();
  try {
    stop.throwIfAborted();
    const lock = takeLock(lockFile(config.dataDir), localUrl(config));
    closing.defer(() => lock.release());
    const fault = await portFault(parts.ports, config.host);
    if (fault !== null) throw new Error(fault);

    const say = printer(config.colour);
    const print = (line: string): void => say('database', line);
    await parts.prepare();
    const database = await openDatabase(config, print);
    closing.defer(() => database.stop());
    const { ownerUrl, url } = database;
    const { applied } = await migrate(ownerUrl, parts.migrationsDir, { serviceUrl: url });
    if (applied.length > 0) print(`applied ${applied.length} migrations`);
    const children = parts.specs(url).map((spec) => supervise(spec, say));
    closing.defer(async () => {
      await Promise.all(children.map((child) => child.stop()));
    });
    await Promise.all(children.map((child) => child.ready(stop)));
    await parts.greet(ownerUrl, stop);
    await Promise.race([database.lost, aborted(stop)]);
    print('stopping');
  } catch (error) {
    // It was told to stop while it was starting, so what failed then is no error.
    if (!stop.aborted) throw error;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    signal.addEventListener('abort', () => done(), { once: true });
  });
}
