import { sizes } from './config.ts';
import { last, median, startBenchStack } from './stack.ts';

const { rounds, jobs } = sizes({ rounds: 5, jobs: 4_000 }, { rounds: 1, jobs: 20 });

/**
 * What the history of jobs costs the queue: the rate of jobs that do nothing, without and with it, by
 * the same worker in the same run: interleaved, medians of five.
 */
export async function run(): Promise<void> {
  const stack = await startBenchStack();
  try {
    const measure = async (history: string) =>
      stack.program('empty-jobs.ts', { HISTORY: history, JOBS: String(jobs) });
    const rates: Record<string, number[]> = { off: [], on: [] };
    const micros: Record<string, number[]> = { off: [], on: [] };
    await measure('on'); // warm-up
    for (let round = 1; round <= rounds; round += 1) {
      for (const history of ['off', 'on']) {
        const measured = await measure(history);
        rates[history]?.push(measured['rate'] ?? Number.NaN);
        micros[history]?.push(measured['micros'] ?? Number.NaN);
      }
      console.log(
        `round ${round}: without ${last(rates['off'] ?? [])}/s, with ${last(rates['on'] ?? [])}/s`,
      );
    }
    const of = (values: Record<string, number[]>, history: string) => median(values[history] ?? []);
    console.log(
      `empty jobs: ${of(rates, 'off').toFixed(0)}/s without history, ${of(rates, 'on').toFixed(0)}/s with it, ` +
        `ratio ${(of(rates, 'on') / of(rates, 'off')).toFixed(2)}; CPU of the worker ` +
        `${of(micros, 'off').toFixed(0)} and ${of(micros, 'on').toFixed(0)} µs a job`,
    );
  } finally {
    await stack.close();
  }
}
