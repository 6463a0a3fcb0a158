import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { copyCsv } from '../../src/db/copy.ts';
import { copyStatement } from '../../src/domain/export/csv.ts';
import { transactionsSource } from '../../src/domain/export/transactions.ts';
import { makeTenant } from '../support/factory.ts';
import { seedLedger } from '../support/ledger.ts';
import { sizes } from './config.ts';
import { peakMemory, residentMemory, resetPeak } from './memory.ts';
import { median, startBenchStack, type BenchStack } from './stack.ts';

const { rounds, payouts } = sizes({ rounds: 3, payouts: 1_000_000 }, { rounds: 1, payouts: 1_000 });

/** Reads a body to its end and returns its bytes; nothing is kept. */
async function drain(body: AsyncIterable<Uint8Array> | null): Promise<number> {
  let bytes = 0;
  for await (const chunk of body ?? []) bytes += chunk.length;
  return bytes;
}

async function timed<T>(work: () => Promise<T>): Promise<[seconds: number, result: T]> {
  const started = performance.now();
  const result = await work();
  return [(performance.now() - started) / 1_000, result];
}

/** The same query by COPY alone, read by a plain driver. */
async function floor({ databaseUrl }: BenchStack, tenantId: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const statement = copyStatement(transactionsSource(tenantId, {}), (text) =>
    client.escapeLiteral(text),
  );
  const bytes = await drain(copyCsv(client, statement));
  await client.end();
  return bytes;
}

interface Client {
  get(path: string, headers?: Record<string, string>): Promise<Response>;
}

async function streamed(client: Client): Promise<number> {
  const answer = await client.get('/v1/reporting/transactions/export');
  if (answer.status !== 200) throw new Error(await answer.text());
  return drain(answer.body);
}

/** Orders the file and waits until it is there; the API is not asked, so that it is idle meanwhile. */
async function ordered({ pool }: BenchStack, client: Client): Promise<string> {
  const answer = await client.get('/v1/reporting/transactions/export', { prefer: 'respond-async' });
  if (answer.status !== 202) throw new Error(await answer.text());
  const path = answer.headers.get('location') ?? '';
  for (;;) {
    const { rowCount } = await pool.query(
      `SELECT 1 FROM export WHERE '/v1/exports/' || id = $1 AND status = 'completed'`,
      [path],
    );
    if (rowCount === 1) return path;
    await sleep(20);
  }
}

async function download(client: Client, path: string): Promise<number> {
  const answer = await client.get(path);
  if (answer.status !== 200) throw new Error(await answer.text());
  return drain(answer.body);
}

const seconds = (values: readonly number[]): string => `${median(values).toFixed(2)} s`;

/**
 * The export of a million payouts, streamed and by a job, against `COPY … TO STDOUT` of the same query
 * to a plain driver: interleaved, medians of three, with the resident memory of the processes.
 */
export async function run(): Promise<void> {
  const stack = await startBenchStack({ worker: true });
  try {
    const { tenantId, key } = await makeTenant({ database: stack });
    await seedLedger(stack.pool, tenantId, { count: payouts });
    await stack.pool.query('ANALYZE payout');
    const client: Client = {
      get: (path, headers = {}) =>
        fetch(stack.baseUrl + path, { headers: { authorization: `Bearer ${key}`, ...headers } }),
    };
    const processes = { api: stack.pidOf('api'), worker: stack.pidOf('worker') };
    const times = { floor: [], streamed: [], written: [], downloaded: [] } as Record<
      string,
      number[]
    >;
    const peaks = { floor: 0, streamed: 0, written: 0, downloaded: 0 };
    const measure = async <T>(name: keyof typeof peaks, work: () => Promise<T>): Promise<T> => {
      resetPeak(processes.api);
      const [took, result] = await timed(work);
      times[name]?.push(took);
      peaks[name] = Math.max(peaks[name], peakMemory(processes.api));
      return result;
    };
    await floor(stack, tenantId); // warm-up
    const before = residentMemory(processes.api);
    resetPeak(processes.worker);
    let bytes = 0;
    for (let round = 1; round <= rounds; round += 1) {
      bytes = await measure('floor', () => floor(stack, tenantId));
      await measure('streamed', () => streamed(client));
      const path = await measure('written', () => ordered(stack, client));
      await measure('downloaded', () => download(client, path));
      console.log(`round ${round}: ${JSON.stringify(times)}`);
    }
    const ratio = (name: string) =>
      (median(times[name] ?? []) / median(times['floor'] ?? [])).toFixed(2);
    console.log(
      `export of ${payouts} payouts (${(bytes / 1e6).toFixed(0)} MB): COPY alone ${seconds(times['floor'] ?? [])}; ` +
        `streamed ${seconds(times['streamed'] ?? [])}, ratio ${ratio('streamed')}; ` +
        `written by a job ${seconds(times['written'] ?? [])}, ratio ${ratio('written')}; ` +
        `downloaded from there ${seconds(times['downloaded'] ?? [])}, ratio ${ratio('downloaded')}`,
    );
    console.log(
      `resident memory: API ${before} MiB before, at most ${peaks.streamed} MiB while it streams and ` +
        `${peaks.downloaded} MiB while a finished file is downloaded; worker ${peakMemory(processes.worker)} MiB at most`,
    );
  } finally {
    await stack.close();
  }
}
