import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../../../dev/postgres/embedded.ts';
import { readCluster } from '../../../src/db/embedded-url.ts';

let folder: string;
let dataDir: string;
let server: EmbeddedPostgres | undefined;
let holder: ChildProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'embedded-'));
  chmodSync(folder, 0o755);
  dataDir = join(folder, 'postgres');
});

afterEach(async () => {
  await server?.stop();
  server = undefined;
  holder?.kill('SIGKILL');
  holder = undefined;
  const shelter = readCluster(dataDir)?.shelter ?? null;
  if (shelter !== null) rmSync(shelter, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
});

function notes(): { shelter: string | null; port: number } {
  return JSON.parse(readFileSync(`${dataDir}.json`, 'utf8')) as { shelter: string; port: number };
}

function start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' }, log: () => {}, ...options });
}

async function ask(url: string, query: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ answer: unknown }>(query);
    return rows[0]?.answer;
  } finally {
    await client.end();
  }
}

async function hold(): Promise<string> {
  const program = join(import.meta.dirname, 'programs/hold-postgres.ts');
  holder = spawn(process.execPath, [program, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (holder.stdout === null) throw new Error('no output to read');
  const [line] = (await once(createInterface({ input: holder.stdout }), 'line')) as [string];
  return line;
}

async function killHolder(): Promise<void> {
  if (holder === undefined) throw new Error('nothing to kill');
  const exited = once(holder, 'exit');
  holder.kill('SIGKILL');
  await exited;
}

function postmasterPid(): number {
  const place = notes().shelter ?? dataDir;
  return Number(readFileSync(join(place, 'postmaster.pid'), 'utf8').split('\n')[0]);
}

test('the first run makes a UTF-8 database of PostgreSQL 18 with the C collation, on loopback only', async () => {
  server = await start();
  const { url } = server;
  expect(await ask(url, 'SELECT current_database() AS answer')).toBe('payouts');
  expect(await ask(url, "SELECT current_setting('server_version') AS answer")).toMatch(/^18\./);
  expect(await ask(url, "SELECT current_setting('server_encoding') AS answer")).toBe('UTF8');
  expect(await ask(url, "SELECT current_setting('listen_addresses') AS answer")).toBe('127.0.0.1');
  expect(await ask(url, "SELECT current_setting('unix_socket_directories') AS answer")).toBe('');
  expect(
    await ask(
      url,
      'SELECT datcollate AS answer FROM pg_database WHERE datname = current_database()',
    ),
  ).toBe('C');
});

test('nobody gets in without the password, and only its owner reads the password', async () => {
  server = await start();
  const url = new URL(server.url);
  url.password = 'guessed';
  await expect(ask(url.href, 'SELECT 1 AS answer')).rejects.toMatchObject({ code: '28P01' });
  expect(statSync(`${dataDir}.json`).mode & 0o777).toBe(0o600);
});

test('the next run finds its data under the same URL', async () => {
  server = await start();
  const { url } = server;
  await ask(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await server.stop();
  expect(await server.exited).toContain('code 0');

  server = await start();
  expect(server.url).toBe(url);
  expect(await ask(url, 'SELECT answer FROM kept')).toBe(42);
});

test('a folder of other files is refused, and they stay', async () => {
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'thesis.tex'), '');
  await expect(start()).rejects.toThrow(`${dataDir} holds other files`);
  expect(readdirSync(dataDir)).toEqual(['thesis.tex']);
});

test('a second start on the same folder says who runs', async () => {
  server = await start();
  await expect(start()).rejects.toThrow(`already running (pid ${process.pid})`);
});

test('the server ends with a killed run, and the next run starts at once', async () => {
  const url = await hold();
  await killHolder();
  server = await start();
  expect(server.url).toBe(url);
  expect(await ask(url, 'SELECT 1 AS answer')).toBe(1);
});

test('a server that is killed tells by `exited`, and starts again with its data', async () => {
  server = await start();
  const { url } = server;
  await ask(url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  process.kill(postmasterPid(), 'SIGKILL');
  expect(await server.exited).toContain('SIGKILL');
  await server.stop();

  server = await start();
  expect(await ask(server.url, 'SELECT answer FROM kept')).toBe(42);
});

test('a busy port: another is taken, unless the caller wants that one', async () => {
  server = await start();
  await server.stop();
  server = undefined;
  const { port } = notes();
  const other = createServer().listen(port, '127.0.0.1');
  await once(other, 'listening');
  try {
    await expect(start({ port })).rejects.toThrow('Address already in use');
    server = await start();
    expect(server.port).not.toBe(port);
  } finally {
    other.close();
  }
});

test.runIf(process.getuid?.() === 0)(
  'as root, in a folder that only root can enter, the data is where PostgreSQL can reach it',
  async () => {
    chmodSync(folder, 0o700);
    const lines: string[] = [];
    server = await start({ log: (line) => lines.push(line) });
    const { shelter } = notes();
    expect(shelter).not.toBeNull();
    expect(lines.join('\n')).toContain(`its data is in ${String(shelter)}`);
    await ask(server.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await server.stop();

    server = await start();
    expect(await ask(server.url, 'SELECT answer FROM kept')).toBe(42);
    expect(statSync(shelter ?? '').uid).not.toBe(0);
    await server.stop();

    // The project's own files are deleted: that is a first run again, not an old database.
    rmSync(`${dataDir}.json`);
    server = await start();
    await expect(ask(server.url, 'SELECT answer FROM kept')).rejects.toMatchObject({
      code: '42P01',
    });
  },
);

test('what PostgreSQL says is in the error when it does not start', async () => {
  await expect(start({ settings: { no_such_setting: '1' } })).rejects.toThrow('no_such_setting');
  server = await start();
});
