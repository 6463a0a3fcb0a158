import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { inherited } from './config.ts';

const root = join(import.meta.dirname, '../..');

/** What a program printed, and how it ended. */
export interface Ended {
  readonly out: string;
  readonly error: string;
  readonly status: number | null;
}

/** Runs a program of the sources to its end. It knows these settings and no others. */
export async function runProgram(
  program: string,
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<Ended> {
  const child = spawn(process.execPath, [join(root, program), ...words], {
    env: { ...inherited, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const [out, error, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { out, error, status };
}
