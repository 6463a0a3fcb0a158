import { loadConfig } from '../../src/process/config.ts';
import { createKeyring } from '../../src/crypto/keyring.ts';
import { makeTenant } from '../support/factory.ts';
import { sizes } from './config.ts';
import { residentMemory } from './memory.ts';
import { readPage, seedPayees } from './lists-support.ts';
import { median, startBenchStack } from './stack.ts';

const { payees, deepPage, rounds } = sizes(
  { payees: 100_000, deepPage: 2_000, rounds: 60 },
  { payees: 200, deepPage: 4, rounds: 3 },
);

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Reads the whole file as a caller does; its rows, and the largest memory that the API had. */
async function readExport(baseUrl: string, key: string, pid: number) {
  const answer = await fetch(`${baseUrl}/v1/beneficiaries/export`, {
    headers: { authorization: `Bearer ${key}` },
  });
  if (!answer.ok || answer.body === null) throw new Error(await answer.text());
  let lines = 0;
  let bytes = 0;
  let largest = 0;
  for await (const chunk of answer.body) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) lines += 1;
    largest = Math.max(largest, residentMemory(pid));
  }
  return { rows: lines - 1, bytes, largest };
}

/**
 * The list of 100,000 beneficiaries: its first page against page 2,000, interleaved, medians; and
 * the memory that their export takes.
 */
export async function run(): Promise<void> {
  const stack = await startBenchStack();
  try {
    const { tenantId, key } = await makeTenant({ database: stack });
    await seedPayees(stack.pool, createKeyring(loadConfig().ENCRYPTION_KEYS), tenantId, payees);
    const pid = stack.pidOf('api');

    const before = residentMemory(pid);
    const file = await readExport(stack.baseUrl, key, pid);
    console.log(
      `export: ${file.rows} rows, ${(file.bytes / 1e6).toFixed(1)} MB; resident memory of the API ${before.toFixed(0)} MiB before, at most ${file.largest.toFixed(0)} MiB meanwhile: ${(file.largest - before).toFixed(0)} MiB more`,
    );

    let cursor: string | null = null;
    for (let page = 1; page < deepPage; page += 1) {
      cursor = await readPage(stack.baseUrl, key, cursor);
      if (cursor === null) throw new Error(`the list ended on page ${page}`);
    }
    const first: number[] = [];
    const deep: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      first.push(await timed(() => readPage(stack.baseUrl, key, null)));
      deep.push(await timed(() => readPage(stack.baseUrl, key, cursor)));
    }
    console.log(
      `lists: page 1 ${median(first).toFixed(2)} ms, page ${deepPage} ${median(deep).toFixed(2)} ms, ratio ${(median(deep) / median(first)).toFixed(2)} (25 of ${payees} rows, medians of ${rounds})`,
    );
  } finally {
    await stack.close();
  }
}

if (import.meta.main) await run();
