import { chownSync, copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { writeCluster } from '../../../dev/postgres/cluster.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../dev/postgres/embedded.ts';
import { type Account, accountFor } from '../../../dev/postgres/place.ts';
import { readCluster } from '../../../src/db/embedded-url.ts';
import { eventually } from '../../support/factory.ts';

/** A server, and the folder of its data. */
export interface DatabaseServer {
  readonly dataDir: string;
  readonly postgres: EmbeddedPostgres;
}

/**
 * Enough for what the tests write between a copy and its first connection. A server process that is killed
 * loses nothing that it has handed to the operating system, so nothing waits for a disk.
 */
const settings = { wal_keep_size: '512MB', fsync: 'off', shared_buffers: '64MB' };

/** @param port the one it takes whenever it starts; otherwise that of its last run, or any where that one is taken */
export async function startServer(
  dataDir: string,
  more: Readonly<Record<string, string>> = {},
  port?: number,
): Promise<DatabaseServer> {
  const postgres = await startEmbeddedPostgres({
    dataDir,
    settings: { ...settings, ...more },
    log: () => {},
    ...(port !== undefined && { port }),
  });
  return { dataDir, postgres };
}

export async function query<R extends pg.QueryResultRow>(url: string, text: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<R>(text)).rows;
  } finally {
    await client.end();
  }
}

/** The process of a server that answers. */
export async function postmasterPid(url: string): Promise<number> {
  const [row] = await query<{ text: string }>(url, `SELECT pg_read_file('postmaster.pid') AS text`);
  return Number(row?.text.split('\n')[0]);
}

/** What a copy of a running server leaves out: each server makes its own. */
const leftOut = new Set(['postmaster.pid', 'postmaster.opts', 'postgresql.auto.conf']);
/** Folders of which a copy has the name alone. */
const emptied = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
]);

/**
 * A standby of a working primary, which from then on acknowledges no commit before the standby has it.
 * https://www.postgresql.org/docs/18/continuous-archiving.html#BACKUP-LOWLEVEL-BASE-BACKUP
 */
export async function addStandby(
  primary: DatabaseServer,
  dataDir: string,
): Promise<DatabaseServer> {
  const { url } = primary.postgres;
  await copyWorkingServer(primary, dataDir);
  const { username, password, port } = new URL(url);
  const standby = await startServer(dataDir, {
    primary_conninfo: `host=127.0.0.1 port=${port} user=${username} password=${password} application_name=standby`,
  });
  await query(url, `ALTER SYSTEM SET synchronous_standby_names = 'standby'`);
  await query(url, 'SELECT pg_reload_conf()');
  await eventually(async () => {
    const rows = await query<{ state: string }>(
      url,
      'SELECT sync_state AS state FROM pg_stat_replication',
    );
    return rows.some(({ state }) => state === 'sync');
  });
  return standby;
}

async function copyWorkingServer(from: DatabaseServer, to: string): Promise<void> {
  const cluster = readCluster(from.dataDir);
  if (cluster === null) throw new Error(`${from.dataDir} is no server's`);
  const source = cluster.shelter ?? from.dataDir;
  const account = accountFor(source);
  const client = new pg.Client({ connectionString: from.postgres.url });
  await client.connect();
  try {
    // The end of the session that began it would break the backup off.
    await client.query(`SELECT pg_backup_start('standby', fast => true)`);
    copyFolder(source, to, account);
    const { rows } = await client.query<{ labelfile: string }>(
      'SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)',
    );
    write(join(to, 'backup_label'), rows[0]?.labelfile ?? '', account);
  } finally {
    await client.end();
  }
  write(join(to, 'standby.signal'), '', account);
  write(join(to, 'postgresql.auto.conf'), '', account);
  writeCluster(to, { shelter: null, password: cluster.password, port: null });
}

function own(path: string, account: Account | null): void {
  if (account !== null) chownSync(path, account.uid, account.gid);
}

function write(file: string, text: string, account: Account | null): void {
  writeFileSync(file, text, { mode: 0o600 });
  own(file, account);
}

function copyFolder(from: string, to: string, account: Account | null): void {
  mkdirSync(to, { mode: 0o700 });
  own(to, account);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (leftOut.has(entry.name)) continue;
    if (!entry.isDirectory()) copyFile(source, target, account);
    else if (!emptied.has(entry.name)) copyFolder(source, target, account);
    else {
      mkdirSync(target, { mode: 0o700 });
      own(target, account);
    }
  }
}

function copyFile(from: string, to: string, account: Account | null): void {
  try {
    copyFileSync(from, to);
  } catch (error) {
    // The server removed it meanwhile, and its log of changes says so.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  own(to, account);
}
