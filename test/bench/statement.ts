import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { statementBytes } from '../support/bank-statement.ts';
import { childEnvironment, sizes } from './config.ts';

const { megabytes } = sizes({ megabytes: 100 }, { megabytes: 1 });

const program = join(import.meta.dirname, 'programs/read-statement.ts');

interface Measured {
  readonly payments: number;
  readonly cpuMs: number;
  readonly peakMiB: number;
}

/** One way of reading in a process of its own, so that its memory is its own too. */
async function measure(file: string, way: string): Promise<Measured> {
  const child = spawn(process.execPath, [program], {
    env: childEnvironment({ WAY: way, FILE: file }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return JSON.parse(printed) as Measured;
}

async function compare(folder: string, shape: string, oneEntry: boolean): Promise<void> {
  const file = join(folder, 'statement.xml');
  await pipeline(
    statementBytes({ bytes: megabytes * 1_000_000, oneEntry }),
    createWriteStream(file),
  );
  const parse = await measure(file, 'parse');
  const read = await measure(file, 'read');
  const seconds = ({ cpuMs }: Measured): string => (cpuMs / 1_000).toFixed(1);
  console.log(
    `${megabytes} MB, ${shape}, ${read.payments} payments: ` +
      `${seconds(read)} s of CPU, peak ${read.peakMiB} MiB; ` +
      `the parser alone ${seconds(parse)} s, peak ${parse.peakMiB} MiB; ` +
      `ratio ${(read.cpuMs / parse.cpuMs).toFixed(2)}`,
  );
}

/** What it takes to read a large statement: CPU time and memory, beside those of the parser alone. */
export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'statement-'));
  try {
    await compare(folder, 'all payments in one entry', true);
    await compare(folder, 'an entry for each payment', false);
  } finally {
    await rm(folder, { recursive: true });
  }
}
