import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { accountFor, runAs } from '../../dev/postgres/place.ts';
import { freePort } from '../support/free-port.ts';
import { conditionMs } from '../support/patience.ts';
import { namedPgBouncer, programFolders } from '../support/config.ts';

/** Prepared statements work in transaction mode from 1.21 on. */
const oldest = [1, 21] as const;

/** The program that TEST_PGBOUNCER names, else the one in PATH; null if there is none or it is too old. */
export function findPgBouncer(): string | null {
  const places = [namedPgBouncer, ...programFolders.map((folder) => join(folder, 'pgbouncer'))];
  return places.find((place) => place !== undefined && place !== '' && isNewEnough(place)) ?? null;
}

function isNewEnough(program: string): boolean {
  try {
    accessSync(program, constants.X_OK);
  } catch {
    return false;
  }
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  const [, major = '0', minor = '0'] = /PgBouncer (\d+)\.(\d+)/.exec(stdout) ?? [];
  return Number(major) > oldest[0] || (Number(major) === oldest[0] && Number(minor) >= oldest[1]);
}

export interface PgBouncer {
  /** The same login and database through it. */
  through(url: string): string;
  close(): Promise<void>;
}

interface PgBouncerOptions {
  readonly program: string;
  /** Of the server, and of the logins that may come through. */
  readonly urls: readonly string[];
  readonly poolMode: 'session' | 'transaction';
  /** Connections to PostgreSQL for each login and database. */
  readonly poolSize: number;
  /** Seconds that a client waits for one of them; PgBouncer's default unless given. */
  readonly waitSeconds?: number;
}

/** The settings of docs/scaling.md, on ports of this machine and with the passwords of the test. */
function settings(options: PgBouncerOptions, port: number, logins: string): string {
  const { hostname, port: serverPort } = new URL(options.urls[0] ?? '');
  return `
[databases]
* = host=${hostname} port=${serverPort}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${logins}
pool_mode = ${options.poolMode}
default_pool_size = ${options.poolSize}
max_client_conn = 1000
max_prepared_statements = 500
query_wait_timeout = ${options.waitSeconds ?? 120}
`;
}

export async function startPgBouncer(options: PgBouncerOptions): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const account = accountFor(folder);
  const write = (name: string, text: string): string => {
    const file = join(folder, name);
    writeFileSync(file, text, { mode: 0o600 });
    if (account !== null) chownSync(file, account.uid, account.gid);
    return file;
  };
  const logins = options.urls.map((url) => {
    const { username, password } = new URL(url);
    return `"${username}" "${decodeURIComponent(password)}"`;
  });
  const loginFile = write('userlist.txt', `${logins.join('\n')}\n`);
  const settingsFile = write('pgbouncer.ini', settings(options, port, loginFile));
  const child = spawn(options.program, ['-q', settingsFile], {
    // It does not run as root.
    ...runAs(account),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const through = (url: string): string => Object.assign(new URL(url), { port: `${port}` }).href;
  const close = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await untilItAnswers(through(options.urls[0] ?? ''), child);
  } catch (error) {
    await close();
    throw new Error(`PgBouncer does not start:\n${said}\n${readFileSync(settingsFile, 'utf8')}`, {
      cause: error,
    });
  }
  return { through, close };
}

async function untilItAnswers(url: string, child: ChildProcess): Promise<void> {
  for (const end = Date.now() + conditionMs; ; await sleep(20)) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (child.exitCode !== null || Date.now() > end) throw error;
    }
  }
}
