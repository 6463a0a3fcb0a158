import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Files that are named as the slowest; nobody needs that of a run of a few. */
const named = 10;

const seconds = (module: TestModule): number => module.diagnostic().duration / 1_000;

/**
 * Names at the end each test that passed only when it was repeated (`npm test -- --retry=1`): on a busy
 * machine it may have waited too little, and it may as well show a race of the service. Then it names the
 * slowest files of a long run.
 */
export default class ReportAtEnd implements Reporter {
  readonly #repeated: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky !== true) return;
    const [reason] = test.result().errors ?? [];
    // A randomised test tells its seed in the first lines.
    const message = reason?.message.split('\n', 3).join(' ') ?? 'unknown';
    this.#repeated.push(`${test.module.relativeModuleId} > ${test.fullName}: ${message}`);
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length > named) {
      const slowest = modules.toSorted((a, b) => seconds(b) - seconds(a)).slice(0, named);
      print(
        'The slowest files',
        slowest.map((one) => `${seconds(one).toFixed(0).padStart(4)} s  ${one.relativeModuleId}`),
      );
    }
    print('Passed only when repeated', this.#repeated);
  }
}

function print(title: string, lines: readonly string[]): void {
  if (lines.length > 0) process.stdout.write(`\n${title}:\n  ${lines.join('\n  ')}\n`);
}
