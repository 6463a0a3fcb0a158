import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findBinaries } from './binaries.ts';
import { initialise, newCluster, writeCluster } from './cluster.ts';
import { type Cluster, embeddedUrls, readCluster } from '../../src/db/embedded-url.ts';
import { takeLock } from './lock.ts';
import { type Account, accountFor } from './place.ts';
import {
  findRunning,
  type Postmaster,
  startPostmaster,
  StartError,
  type StartOptions,
  stopPostmaster,
  stopWithThisProcess,
} from './postmaster.ts';
import { identifyProcess } from './process.ts';

export interface EmbeddedPostgresOptions {
  /** Folder of the data. Its siblings `<dataDir>.json`, `.lock` and `.log` belong to it. */
  dataDir: string;
  /** Absent: the port of the last run, or any free one. */
  port?: number;
  /** Settings of postgresql.conf, in its own notation. */
  settings?: Readonly<Record<string, string>>;
  /** Created when missing. Default `payouts`. */
  database?: string;
  /** Stop the server when this process dies; otherwise the next start takes it over. */
  stopWithParent?: boolean;
  log: (line: string) => void;
}

export interface EmbeddedPostgres {
  /** As the superuser, who owns everything. */
  url: string;
  /** As the service is to connect, once `migrate` has made its login. */
  serviceUrl: string;
  port: number;
  /** Whether the server was left running by an earlier run that was killed. */
  reused: boolean;
  /** Resolves with the reason when the server ends, by `stop` or otherwise. */
  exited: Promise<string>;
  stop(): Promise<void>;
}

const maximumLogBytes = 10_000_000;

/**
 * Starts the PostgreSQL that npm installed, on 127.0.0.1 only, creating its data on first use. For
 * development and tests; production brings its own server and sets DATABASE_URL.
 *
 * @throws AlreadyRunningError when another live process started it on the same data
 * @throws Error when the pinned port is busy, or PostgreSQL does not start (with its own words)
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  mkdirSync(dirname(dataDir), { recursive: true });
  const lock = takeLock(`${dataDir}.lock`);
  try {
    const cluster = readCluster(dataDir) ?? (await newCluster(dataDir, options.log));
    const place = cluster.shelter ?? dataDir;
    const account = accountFor(place);
    const orphan = await takeOver(place, cluster, options);
    const server = orphan ?? (await startOn(dataDir, cluster, account, options));
    writeCluster(dataDir, { ...cluster, port: server.port });
    const database = options.database ?? 'payouts';
    await ensureDatabase(cluster.password, server.port, database);
    const urls = embeddedUrls(cluster.password, server.port, database);
    const watchdog = options.stopWithParent === true ? stopWithThisProcess(server, account) : null;
    const stop = async () => {
      await stopPostmaster(server);
      watchdog?.kill('SIGKILL');
      lock.release();
    };
    return {
      url: urls.owner,
      serviceUrl: urls.service,
      port: server.port,
      reused: orphan !== null,
      exited: server.exited,
      stop,
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** The server that a killed run left. It is stopped instead if the caller asks for another port. */
async function takeOver(
  place: string,
  cluster: Cluster,
  options: EmbeddedPostgresOptions,
): Promise<Postmaster | null> {
  const orphan = await findRunning(place);
  if (orphan === null) return null;
  // It may be about to end: the watch on its parent stops it a moment after the parent dies.
  if (!(await answers(cluster.password, orphan))) return takeOver(place, cluster, options);
  if (options.port === undefined || options.port === orphan.port) {
    options.log(`PostgreSQL of an earlier run is still up (pid ${orphan.pid}): using it`);
    return orphan;
  }
  await stopPostmaster(orphan);
  return null;
}

async function startOn(
  dataDir: string,
  cluster: Cluster,
  account: Account | null,
  options: EmbeddedPostgresOptions,
): Promise<Postmaster> {
  const place = cluster.shelter ?? dataDir;
  const { initdb, postgres, version } = findBinaries(account, options.log);
  if (!existsSync(join(place, 'PG_VERSION'))) {
    options.log(`creating a PostgreSQL database in ${place}`);
    initialise(initdb, place, cluster.password, account);
    writeCluster(dataDir, cluster);
  }
  refuseOtherVersion(place, version);
  const logFile = `${dataDir}.log`;
  if ((statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > maximumLogBytes) rmSync(logFile);
  const settings = options.settings ?? {};
  const start = { binary: postgres, place, account, settings, logFile };
  return startWithRetries(start, options.port, cluster.port);
}

/** @throws Error when another major version made the data: PostgreSQL cannot read it */
function refuseOtherVersion(place: string, version: string): void {
  const made = readFileSync(join(place, 'PG_VERSION'), 'utf8').trim();
  if (made === version) return;
  throw new Error(
    `the database in ${place} was made by PostgreSQL ${made}, and npm installed PostgreSQL ${version}: ` +
      'set DATA_DIR to another folder, or delete this one to begin anew',
  );
}

async function startWithRetries(
  start: Omit<StartOptions, 'port'>,
  pinned: number | undefined,
  last: number | null,
): Promise<Postmaster> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await choosePort(pinned, attempt === 1 ? last : null);
    try {
      return await startPostmaster({ ...start, port });
    } catch (error) {
      const passing =
        error instanceof StartError &&
        (error.predecessorLingers || (error.portTaken && pinned === undefined));
      if (!passing || attempt >= 10) throw error;
      await sleep(500);
    }
  }
}

async function choosePort(pinned: number | undefined, last: number | null): Promise<number> {
  if (pinned !== undefined) {
    if ((await freePort(pinned)) === null) {
      throw new Error(`port ${pinned} is in use: PostgreSQL cannot listen there`);
    }
    return pinned;
  }
  const port = (last === null ? null : await freePort(last)) ?? (await freePort(0));
  if (port === null) throw new Error('no free port on 127.0.0.1 for PostgreSQL');
  return port;
}

/** The port if it is free (for 0: any free one), else null. */
function freePort(port: number): Promise<number | null> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(null));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address ? address.port : null));
    });
  });
}

/** Whether it takes connections. False when it has ended. Throws when it does neither for a while. */
async function answers(password: string, server: Postmaster): Promise<boolean> {
  const url = `postgresql://postgres:${password}@127.0.0.1:${server.port}/postgres`;
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return true;
    } catch (error) {
      if ((error as { code?: string }).code === '28P01') {
        throw new Error('the running PostgreSQL does not accept the password', { cause: error });
      }
      if (identifyProcess(server.pid) === null) return false;
    }
    await sleep(100);
  }
  throw new Error(`the PostgreSQL that runs already (pid ${server.pid}) does not answer`);
}

async function ensureDatabase(password: string, port: number, database: string): Promise<void> {
  const { owner } = embeddedUrls(password, port, 'postgres');
  const client = new pg.Client({ connectionString: owner });
  await client.connect();
  try {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
    if (found.rowCount === 0) {
      await client.query(`CREATE DATABASE ${pg.escapeIdentifier(database)}`);
    }
  } finally {
    await client.end();
  }
}
