import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Cluster } from '../../src/db/embedded-url.ts';
import { type Account, accountFor, canWrite, makePrivate, runAs, shelterFor } from './place.ts';
import { stopLeftOver } from './postmaster.ts';

/** Writes the file whole or not at all. */
export function writeCluster(dataDir: string, cluster: Cluster): void {
  const draft = `${dataDir}.json.new`;
  writeFileSync(draft, `${JSON.stringify(cluster)}\n`, { mode: 0o600 });
  renameSync(draft, `${dataDir}.json`);
}

/**
 * Decides where the data of a first run lies. As root, in a project that no other account can
 * enter, that is a folder outside of it.
 */
export async function newCluster(dataDir: string, log: (line: string) => void): Promise<Cluster> {
  if (existsSync(join(dataDir, 'PG_VERSION'))) {
    throw new Error(
      `${dataDir} holds a database, but ${dataDir}.json with its password is gone: ` +
        'put it back, or set DATA_DIR to another folder',
    );
  }
  // It is emptied before a database is made in it.
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0) {
    throw new Error(`${dataDir} holds other files: set DATA_DIR to another folder`);
  }
  const password = randomBytes(24).toString('hex');
  const account = accountFor(dataDir);
  makePrivate(dataDir, account);
  if (account === null || canWrite(dataDir, account))
    return { shelter: null, password, port: null };
  rmdirSync(dataDir);
  const shelter = shelterFor('data', dataDir);
  // Left over from a project folder of the same path that was deleted.
  await stopLeftOver(shelter);
  rmSync(shelter, { recursive: true, force: true });
  log(`running as root, and PostgreSQL's user cannot enter ${dataDir}: its data is in ${shelter}`);
  return { shelter, password, port: null };
}

/**
 * Creates the database cluster: UTF-8, collation C, every connection with the password.
 * An interrupted run leaves nothing that looks like a cluster.
 *
 * @throws Error with initdb's own words
 */
export function initialise(
  initdb: string,
  place: string,
  password: string,
  account: Account | null,
): void {
  const draft = `${place}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  const passwordFile = join(draft, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (account !== null) {
    for (const path of [draft, passwordFile]) chownSync(path, account.uid, account.gid);
  }
  const data = join(draft, 'data');
  const args = ['--encoding=UTF8', '--locale=C', '--auth=scram-sha-256', '--username=postgres'];
  const run = spawnSync(initdb, [...args, `--pgdata=${data}`, `--pwfile=${passwordFile}`], {
    ...runAs(account),
    env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' },
    encoding: 'utf8',
  });
  if (run.status !== 0) {
    rmSync(draft, { recursive: true, force: true });
    throw new Error(`initdb failed: ${run.error?.message ?? run.stderr.trim()}`);
  }
  rmSync(place, { recursive: true, force: true });
  renameSync(data, place);
  rmSync(draft, { recursive: true, force: true });
}
