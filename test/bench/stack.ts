import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { processSettings, programs, workerSettings } from '../../dev/stack/services.ts';
import { conditionMs } from '../support/patience.ts';
import { childEnvironment } from './config.ts';
import { startBenchPostgres } from './postgres.ts';

/** The service as it is deployed, for measurements: PostgreSQL with its defaults, processes of their own. */
export interface BenchStack {
  readonly databaseUrl: string;
  readonly baseUrl: string;
  readonly pool: pg.Pool;
  /** For files of the bench; gone after `close`. */
  readonly folder: string;
  /** The process of a program that runs. */
  pidOf(name: keyof typeof programs): number;
  /** Starts the worker, until what it returns is called. */
  startWorker(): () => Promise<void>;
  /** Starts a program of this folder and resolves with what it prints, as JSON. */
  program(name: string, env: Record<string, string>): Promise<Record<string, number>>;
  close(): Promise<void>;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function untilReady(url: string): Promise<void> {
  const deadline = Date.now() + conditionMs;
  while (Date.now() < deadline) {
    const ready = await fetch(url).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${url} is not ready`);
}

interface Processes {
  /** Whether the provider simulator runs too, and the worker from the start or when it is started. */
  readonly worker?: boolean | 'later';
  /** Settings that differ from the stack's own. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function startBenchStack(processes: Processes = {}): Promise<BenchStack> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  // Started by root, PostgreSQL runs as another account: its data stays in this folder, and goes with it.
  await chmod(folder, 0o711);
  const postgres = await startBenchPostgres(folder);
  const port = await freePort();
  const simulatorPort = await freePort();
  const settings = {
    DATABASE_URL: postgres.serviceUrl,
    PORT: String(port),
    LOG_LEVEL: 'info',
    SIMULATOR_PORT: String(simulatorPort),
    SIMULATOR_URL: `http://127.0.0.1:${simulatorPort}`,
    SIMULATOR_WEBHOOK_URL: `http://127.0.0.1:${port}/provider-webhooks/simulator`,
    SIMULATOR_LEDGER_FILE: join(folder, 'ledger.jsonl'),
    RATE_LIMIT_THIN: '100000000',
    RATE_LIMIT_GENEROUS: '100000000',
    ...processes.env,
  };
  const start = (name: keyof typeof programs): ChildProcess => {
    const runtime = name === 'worker' ? workerSettings : processSettings;
    return spawn(process.execPath, [programs[name]], {
      // The log line is written as in production; nobody reads it.
      stdio: ['ignore', 'ignore', 'inherit'],
      env: childEnvironment({ ...runtime, ...settings }),
    });
  };
  const running = new Map<keyof typeof programs, ChildProcess>();
  const begin = (name: keyof typeof programs): void => {
    running.set(name, start(name));
  };
  const end = async (name: keyof typeof programs): Promise<void> => {
    const child = running.get(name);
    if (child === undefined) return;
    running.delete(name);
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  begin('api');
  if (processes.worker !== undefined) begin('simulator');
  if (processes.worker === true) begin('worker');
  const baseUrl = `http://127.0.0.1:${port}`;
  await untilReady(`${baseUrl}/readyz`).catch((error: unknown) => {
    for (const child of running.values()) child.kill('SIGKILL');
    throw error;
  });
  const pool = new pg.Pool({ connectionString: postgres.url, max: 2 });
  // A server that stops says so to connections that are about to close.
  pool.on('error', () => undefined);
  return {
    databaseUrl: postgres.url,
    baseUrl,
    pool,
    folder,
    pidOf(name) {
      const pid = running.get(name)?.pid;
      if (pid === undefined) throw new Error(`${name} does not run`);
      return pid;
    },
    startWorker() {
      begin('worker');
      return () => end('worker');
    },
    async program(name, env) {
      const child = spawn(process.execPath, [join(import.meta.dirname, 'programs', name)], {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: childEnvironment({ DATABASE_URL: postgres.url, BASE_URL: baseUrl, ...env }),
      });
      let printed = '';
      child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
      const [code] = (await once(child, 'close')) as [number];
      if (code !== 0) throw new Error(`${name} ended with ${code}`);
      return JSON.parse(printed) as Record<string, number>;
    },
    async close() {
      for (const name of running.keys()) await end(name);
      await pool.end();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The newest figure of a round, without decimals. */
export function last(values: readonly number[]): string {
  return (values.at(-1) ?? Number.NaN).toFixed(0);
}
