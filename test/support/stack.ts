import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { conditionMs } from './patience.ts';
import { inherited } from './config.ts';
import { freePort } from './free-port.ts';

const root = join(import.meta.dirname, '../..');
/** It starts a database and four processes. */
const startMs = 2 * conditionMs;

/** `npm start` as a real process tree, in a folder and on ports of its own. */
export interface Stack {
  readonly baseUrl: string;
  readonly simulatorUrl: string;
  /** What its processes, and a demo beside it, have as environment. */
  readonly environment: NodeJS.ProcessEnv;
  /** Starts it and waits until it greets. */
  start(): Promise<void>;
  /** The process that runs a program now, such as `programs.worker`; null while there is none. */
  pidOf(entry: string): number | null;
  /** `kill -9` for the parent, all its descendants and PostgreSQL, at once. */
  killAll(): void;
  /** What it printed. */
  output(): string;
  close(): Promise<void>;
}

interface ProcessLine {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

function processes(): ProcessLine[] {
  const text = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return text.split('\n').flatMap((line) => {
    const found = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line);
    if (found === null) return [];
    return [{ pid: Number(found[1]), parent: Number(found[2]), command: found[3] ?? '' }];
  });
}

function descendantsOf(pid: number): ProcessLine[] {
  const all = processes();
  const found: ProcessLine[] = [];
  const queue = [pid];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const children = all.filter(({ parent }) => parent === next);
    found.push(...children);
    queue.push(...children.map((child) => child.pid));
  }
  return found;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export async function createStack(): Promise<Stack> {
  const folder = mkdtempSync(join(tmpdir(), 'stack-'));
  chmodSync(folder, 0o755);
  const [port, simulatorPort, mailboxPort, smtpPort] = await Promise.all([
    freePort(),
    freePort(),
    freePort(),
    freePort(),
  ]);
  const environment: NodeJS.ProcessEnv = {
    ...inherited,
    PORT: String(port),
    SIMULATOR_PORT: String(simulatorPort),
    MAILBOX_PORT: String(mailboxPort),
    SMTP_PORT: String(smtpPort),
    METRICS_PORT: '0',
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'warn',
    // A killed worker's jobs come back within two seconds.
    WORKER_HEARTBEAT_MS: '500',
  };
  let parent: ChildProcess | null = null;
  let text = '';
  const running = (): number => {
    if (parent?.pid === undefined) throw new Error('the stack does not run');
    return parent.pid;
  };

  function killAll(): void {
    if (parent?.pid === undefined) return;
    const doomed = [parent.pid, ...descendantsOf(parent.pid).map(({ pid }) => pid)];
    for (const pid of doomed) kill(pid);
    parent = null;
  }

  return {
    baseUrl: `http://127.0.0.1:${port}`,
    simulatorUrl: `http://127.0.0.1:${simulatorPort}`,
    environment,
    async start() {
      text = '';
      const child = spawn(process.execPath, ['dev/start.ts'], {
        cwd: root,
        env: environment,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      parent = child;
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
      }
      const end = Date.now() + startMs;
      while (!text.includes('Ctrl-C stops everything')) {
        if (child.exitCode !== null || Date.now() > end) {
          throw new Error(`the stack does not start:\n${text}`);
        }
        await sleep(50);
      }
    },
    pidOf: (entry) =>
      descendantsOf(running()).find(({ command }) => command.endsWith(entry))?.pid ?? null,
    killAll,
    output: () => text,
    async close() {
      if (parent !== null) {
        const ended = once(parent, 'exit');
        killAll();
        await ended;
      }
      await removeFolder(folder);
    },
  };
}

/** A server that was just killed may still be writing. */
async function removeFolder(folder: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      rmSync(folder, { recursive: true, force: true });
      return;
    } catch (error) {
      if (attempt >= 20) throw error;
      await sleep(100);
    }
  }
}
