import { existsSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { findBinaries } from './binaries.ts';
import { initialise, newCluster, writeCluster } from './cluster.ts';
import { embeddedUrls, readCluster } from '../../src/db/embedded-url.ts';
import { takeLock } from './lock.ts';
import { accountFor } from './place.ts';
import {
  startPostmaster,
  type StartOptions,
  stopLeftOver,
  stopPostmaster,
  stopWithThisProcess,
} from './postmaster.ts';

export interface EmbeddedPostgresOptions {
  /** Folder of the data. Its siblings `<dataDir>.json`, `.lock` and `.log` belong to it. */
  readonly dataDir: string;
  /** Absent: the port of the last run, or any free one. */
  readonly port?: number;
  /** Settings of postgresql.conf, in its own notation. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Created when missing. Default `payouts`. */
  readonly database?: string;
  readonly log: (line: string) => void;
}

export interface EmbeddedPostgres {
  /** As the superuser, who owns everything. */
  readonly url: string;
  /** As the service is to connect, once `migrate` has made its login. */
  readonly serviceUrl: string;
  readonly port: number;
  /** Resolves with the reason when the server ends, by `stop` or otherwise. */
  readonly exited: Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL that npm installed, on 127.0.0.1 only, creating its data on first use. It ends with this process,
 * however that ends. For development and tests; production brings its own server and sets DATABASE_URL.
 *
 * @throws AlreadyRunningError when another live process started it on the same data
 * @throws Error when PostgreSQL does not start, with its own words
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const { log, settings = {}, database = 'payouts' } = options;
  const dataDir = resolve(options.dataDir);
  mkdirSync(dirname(dataDir), { recursive: true });
  const lock = takeLock(`${dataDir}.lock`);
  try {
    const cluster = readCluster(dataDir) ?? (await newCluster(dataDir, log));
    const { password } = cluster;
    const place = cluster.shelter ?? dataDir;
    const account = accountFor(place);
    await stopLeftOver(place);
    const { initdb, postgres } = findBinaries(account, log);
    if (!existsSync(join(place, 'PG_VERSION'))) {
      log(`creating a PostgreSQL database in ${place}`);
      initialise(initdb, place, password, account);
      writeCluster(dataDir, cluster);
    }
    const start = { binary: postgres, place, account, settings, logFile: `${dataDir}.log` };
    const { server, port } = await startOnPort(start, options.port, cluster.port);
    const watchdog = stopWithThisProcess(server, account);
    writeCluster(dataDir, { ...cluster, port });
    await ensureDatabase(password, port, database);
    const urls = embeddedUrls(password, port, database);
    return {
      url: urls.owner,
      serviceUrl: urls.service,
      port,
      exited: server.exited,
      async stop() {
        await stopPostmaster(server);
        watchdog.kill('SIGKILL');
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Another program may take the port first, and backends of a server that was killed may still be ending. */
const passing = /Address already in use|pre-existing shared memory block/;

async function startOnPort(
  start: Omit<StartOptions, 'port'>,
  pinned: number | undefined,
  last: number | null,
) {
  for (let tries = 1; ; tries += 1) {
    const port = pinned ?? (await freePort(tries === 1 ? (last ?? 0) : 0)) ?? (await freePort(0));
    if (port === null) throw new Error('no free port on 127.0.0.1 for PostgreSQL');
    try {
      return { server: await startPostmaster({ ...start, port }), port };
    } catch (error) {
      if (!passing.test((error as Error).message) || tries >= 10) throw error;
      await sleep(500);
    }
  }
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
