import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { identifyProcess } from '../../../dev/postgres/process.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';
import { environment } from './programs/config.ts';
import { eventually } from '../../support/factory.ts';
import { conditionMs } from '../../support/patience.ts';

let database: TestDatabase;
let folder: string;
let port: number;
const started: ChildProcess[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dev-'));
  chmodSync(folder, 0o755);
  port = await freePort();
  database = await testDatabase({ migrated: false });
});

afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return address.port;
}

const program = join(import.meta.dirname, 'programs/run.ts');

interface Run {
  child: ChildProcess;
  output(): string;
  /** Waits for a match, and gives its first group. */
  saw(pattern: RegExp): Promise<string>;
  exit(): Promise<number | null>;
}

function start(
  settings: Record<string, string> = {},
  [command, ...given]: readonly [string, ...string[]] = [process.execPath, program],
): Run {
  const child = spawn(command, given, {
    cwd: folder,
    env: {
      PATH: environment['PATH'],
      DATA_DIR: join(folder, '.data'),
      DATABASE_URL: database.ownerUrl,
      PORT: String(port),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  return {
    child,
    output: () => text,
    saw: async (pattern) => {
      const found = await until(
        () => pattern.exec(text),
        () => `${pattern.source} in:\n${text}`,
      );
      return found[1] ?? '';
    },
    exit: async () => {
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      return child.exitCode;
    },
  };
}

async function until<T>(look: () => T | null, what: () => string): Promise<T> {
  for (const end = Date.now() + conditionMs; Date.now() < end;) {
    const found = look();
    if (found !== null) return found;
    await sleep(50);
  }
  throw new Error(`waited in vain for ${what()}`);
}

async function gone(pid: string): Promise<void> {
  await until(
    () => (identifyProcess(Number(pid)) === null ? true : null),
    () => `the end of process ${pid}`,
  );
}

test('lines carry the name of their process, and a stop drains all and answers 0', async () => {
  const dev = start();
  await dev.saw(/^ready with (.*)$/m);
  const web = await dev.saw(/^web +\| listening, pid (\d+)$/m);
  const second = await dev.saw(/^second +\| working, pid (\d+)$/m);
  dev.child.kill('SIGINT');
  expect(await dev.exit()).toBe(0);
  expect(dev.output()).toMatch(/^web +\| draining$/m);
  expect(dev.output()).not.toContain('starting again');
  await gone(web);
  await gone(second);
});

test('a start that fails shows every line and ends', async () => {
  const dev = start({ WEB_FAILS: 'yes' });
  expect(await dev.exit()).toBe(1);
  expect(dev.output()).toMatch(/^web +\| ended \(code 3\); starting again$/m);
  expect(dev.output()).toMatch(/^web does not start: see its lines above$/m);
});

test('a child that is killed is started again', async () => {
  const dev = start();
  await dev.saw(/^ready/m);
  const first = await dev.saw(/listening, pid (\d+)/);
  process.kill(Number(first), 'SIGKILL');
  await dev.saw(/^web +\| ended \(SIGKILL\); starting again$/m);
  const next = await dev.saw(/listening, pid \d+[^]*listening, pid (\d+)/);
  expect(next).not.toBe(first);
  const answer = await fetch(`http://127.0.0.1:${port}/`);
  expect(answer.status).toBe(200);
  dev.child.kill('SIGTERM');
  expect(await dev.exit()).toBe(0);
});

test('nothing outlives a parent that is killed, and the next start works at once', async () => {
  // With the embedded database, which must end too.
  const dev = start({ DATABASE_URL: '' });
  await dev.saw(/^ready/m);
  const web = await dev.saw(/listening, pid (\d+)/);
  const second = await dev.saw(/working, pid (\d+)/);
  dev.child.kill('SIGKILL');
  await dev.exit();

  const next = start({ DATABASE_URL: '' });
  await next.saw(/^ready with (.*)$/m);
  await gone(web);
  await gone(second);
  next.child.kill('SIGTERM');
  expect(await next.exit()).toBe(0);
});

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'nothing outlives an npm that ends by %s',
  async (how) => {
    const scripts = { start: `exec "${process.execPath}" "${program}"` };
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts }));
    const npm = start({ HOME: folder }, ['npm', 'start']);
    await npm.saw(/^ready with (.*)$/m);
    const web = await npm.saw(/^web +\| listening, pid (\d+)$/m);
    const second = await npm.saw(/^second +\| working, pid (\d+)$/m);
    npm.child.kill(how);
    await gone(web);
    await gone(second);
    await npm.saw(/^(bye)$/m);
  },
);

test('a busy port is one line that names the variable, and nothing is started', async () => {
  const other = createServer().listen(port, '127.0.0.1');
  await once(other, 'listening');
  const dev = start();
  expect(await dev.exit()).toBe(1);
  other.close();
  expect(dev.output()).toBe(
    `port ${port} is in use: stop what uses it, or set PORT to another port\n`,
  );
});

test('a second start in the same folder says which process and where', async () => {
  const dev = start();
  await dev.saw(/^ready/m);
  const again = start();
  expect(await again.exit()).toBe(1);
  expect(again.output()).toBe(
    `already running (pid ${String(dev.child.pid)}) at http://127.0.0.1:${port}: stop it, or set DATA_DIR to another folder\n`,
  );
  dev.child.kill('SIGTERM');
  expect(await dev.exit()).toBe(0);
});

test('a PostgreSQL that is killed is started again under the same URL', async () => {
  const dev = start({ DATABASE_URL: '' });
  const url = await dev.saw(/^ready with (.*)$/m);
  const { Client } = (await import('pg')).default;
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query<{ pid: string }>(
    "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid",
  );
  process.kill(Number(rows[0]?.pid), 'SIGKILL');
  await dev.saw(/^database +\| PostgreSQL ended \(SIGKILL\); starting it again$/m);
  await client.end().catch(() => {});

  const answer = await eventually(async () => {
    const again = new Client({ connectionString: url });
    again.on('error', () => {});
    try {
      await again.connect();
      return (await again.query('SELECT 1 AS answer')).rows[0] as unknown;
    } catch {
      return null;
    } finally {
      await again.end().catch(() => {});
    }
  });
  expect(answer).toEqual({ answer: 1 });
  dev.child.kill('SIGTERM');
  expect(await dev.exit()).toBe(0);
});
