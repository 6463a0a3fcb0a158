import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chownSync, lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** The account PostgreSQL runs as. Absent: the account of this process. */
export interface Account {
  uid: number;
  gid: number;
}

/**
 * PostgreSQL refuses to run as root. As root it gets the account that owns the data already, else
 * `postgres` or `nobody`: no account is added to the system. Null when this process is not root.
 *
 * @throws Error when the system has neither account
 */
export function accountFor(dataDir: string): Account | null {
  if (process.getuid?.() !== 0) return null;
  const owner = statSync(dataDir, { throwIfNoEntry: false });
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  for (const name of ['postgres', 'nobody']) {
    const id = (flag: string) =>
      Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }));
    try {
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // No such account: try the next.
    }
  }
  throw new Error(
    'PostgreSQL cannot run as root, and there is neither a user "postgres" nor "nobody". ' +
      'Run as another user, or set DATABASE_URL.',
  );
}

/** Spawn options that make a program run as `account`, in a folder that any account may enter. */
export function runAs(account: Account | null): { cwd: string; uid?: number; gid?: number } {
  return account === null ? { cwd: '/' } : { cwd: '/', uid: account.uid, gid: account.gid };
}

/** Whether `account` can enter and write `dir`; file modes alone do not tell (ACLs, mounts). */
export function canWrite(dir: string, account: Account): boolean {
  return asks(account, 'cd "$1" && test -w .', dir);
}

/** Whether `account` can read `file`. */
export function canRead(file: string, account: Account): boolean {
  return asks(account, 'test -r "$1"', file);
}

function asks(account: Account, script: string, path: string): boolean {
  const options = { ...runAs(account), stdio: 'ignore' as const };
  return spawnSync('/bin/sh', ['-c', script, 'sh', path], options).status === 0;
}

/** Makes `dir` with mode 0700, owned by `account`. */
export function makePrivate(dir: string, account: Account | null): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  if (account !== null) chownSync(dir, account.uid, account.gid);
}

const shelterParents = ['/var/lib', '/var/tmp'];

/**
 * A folder outside of the project for root whose project lies where no other account can go
 * (/root, a mode 0700 home). /var/lib first: systemd empties /var/tmp file by file after 30 days,
 * which would ruin a database slowly. The same `path` always gives the same folder, not yet made.
 *
 * @throws Error when no such folder can be made, or another account made it first
 */
export function shelterFor(kind: string, path: string): string {
  const absolute = resolve(path);
  const real = join(realpathSync(dirname(absolute)), basename(absolute));
  const key = createHash('sha256').update(real).digest('hex').slice(0, 16);
  return join(shelter(), `${kind}-${key}`);
}

function shelter(): string {
  const problems: string[] = [];
  for (const parent of shelterParents) {
    const dir = join(parent, 'payout-orchestration-service');
    try {
      mkdirSync(dir, { mode: 0o711, recursive: true });
      const stat = lstatSync(dir);
      if (stat.isDirectory() && stat.uid === 0 && (stat.mode & 0o022) === 0) return dir;
      problems.push(`${dir} is not root's own`);
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  throw new Error(`no place for PostgreSQL outside of this folder: ${problems.join('; ')}`);
}
