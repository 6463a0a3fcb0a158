import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { inherited } from '../../support/config.ts';

const root = join(import.meta.dirname, '../../..');
const keptLines = 60;

/** A process of the service that is started again, at once, whenever it dies. */
export interface Member {
  pid(): number | null;
  /** How often it died. */
  deaths(): number;
  /** `kill -9`; nothing happens between two lives. */
  kill(): void;
  /** What it said lately, in all its lives. */
  lines(): string;
  /** Ends it for good. */
  stop(): Promise<void>;
}

interface MemberOptions {
  readonly name: string;
  /** Path of the entry point from the project's folder. */
  readonly entry: string;
  /** Asked before each life. */
  readonly environment: () => NodeJS.ProcessEnv;
  /** Called after `kill -9`, its own or ours; not when it ends by itself. */
  readonly onKilled?: () => void;
}

export function startMember({ name, entry, environment, onKilled }: MemberOptions): Member {
  let child: ChildProcess | null = null;
  let stopping = false;
  let deaths = 0;
  const said: string[] = [];
  const say = (text: string): void => {
    said.push(...text.trimEnd().split('\n'));
    said.splice(0, Math.max(0, said.length - keptLines));
  };

  function start(): void {
    const life = spawn(process.execPath, [join(root, entry)], {
      cwd: root,
      env: { ...inherited, ...environment() },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = life;
    for (const stream of [life.stdout, life.stderr]) {
      stream.on('data', (chunk: Buffer) => say(chunk.toString()));
    }
    life.once('exit', (code, signal) => {
      child = null;
      if (stopping) return;
      deaths += 1;
      say(`— ${name} died (${signal ?? `code ${String(code)}`}) —`);
      if (signal === 'SIGKILL') onKilled?.();
      start();
    });
  }
  start();

  return {
    pid: () => child?.pid ?? null,
    deaths: () => deaths,
    kill: () => void child?.kill('SIGKILL'),
    lines: () => said.join('\n'),
    async stop() {
      stopping = true;
      if (child === null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
