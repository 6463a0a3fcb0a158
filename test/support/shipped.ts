import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';
import { programs } from '../../dev/stack/services.ts';
import { inherited } from './config.ts';

const dieWithParent = new URL('../../dev/stack/die-with-parent.mjs', import.meta.url).href;
const pathOf = (program: string): string =>
  fileURLToPath(new URL(`../../${program}`, import.meta.url));

/** A program as it is shipped: a process that runs from generated/bundle. */
export interface Shipped {
  readonly process: ChildProcess;
  /** Resolves with the first line of its log that has this message; rejects when it ends before that. */
  said(message: string): Promise<Readonly<Record<string, unknown>>>;
  /** What it wrote so far. */
  output(): string;
  /** Sends SIGTERM and waits for the end. */
  stop(): Promise<void>;
}

interface Waiting {
  readonly message: string;
  readonly resolve: (line: Readonly<Record<string, unknown>>) => void;
}

const parsed = (line: string): Record<string, unknown> => {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return {};
  }
};

/** Lines of these levels, and those that are no lines of a log, go to the output of the tests. */
const shown: ReadonlySet<unknown> = new Set(['error', 'fatal', undefined]);

/** Starts a program of the bundle with these settings. With LOG_LEVEL=silent it shows nothing. */
export function startShipped(
  program: keyof typeof programs,
  env: Readonly<Record<string, string>>,
): Shipped {
  const child = spawn(process.execPath, ['--import', dieWithParent, pathOf(programs[program])], {
    env: { ...inherited, ...env, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const ended = once(child, 'exit');
  const lines: string[] = [];
  const waiting: Waiting[] = [];
  const hear = (text: string): void => {
    lines.push(text);
    const line = parsed(text);
    if (env['LOG_LEVEL'] !== 'silent' && shown.has(line['level'])) {
      process.stdout.write(`${program}: ${text}\n`);
    }
    for (const { message, resolve } of waiting) if (line['msg'] === message) resolve(line);
  };
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null) createInterface({ input: stream }).on('line', hear);
  }
  return {
    process: child,
    output: () => lines.join('\n'),
    async said(message) {
      const before = lines.map(parsed).find((line) => line['msg'] === message);
      if (before !== undefined) return before;
      const heard = new Promise<Readonly<Record<string, unknown>>>((resolve) => {
        waiting.push({ message, resolve });
      });
      const gone = ended.then(() => {
        throw new Error(`the ${program} ended before it said "${message}":\n${lines.join('\n')}`);
      });
      return Promise.race([heard, gone]);
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await ended;
    },
  };
}
