import type { Reporter, TestCase } from 'vitest/node';

/**
 * Names at the end each test that passed only when it was repeated (`npm test -- --retry=1`): on a busy
 * machine it may have waited too little, and it may as well show a race of the service.
 */
export default class ReportRepeated implements Reporter {
  readonly #repeated: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky !== true) return;
    const [reason] = test.result().errors ?? [];
    // A randomised test tells its seed in the first lines.
    const message = reason?.message.split('\n', 3).join(' ') ?? 'unknown';
    this.#repeated.push(`${test.module.relativeModuleId} > ${test.fullName}: ${message}`);
  }

  onTestRunEnd(): void {
    if (this.#repeated.length === 0) return;
    const lines = this.#repeated.map((line) => `  ${line}`);
    process.stdout.write(`\nPassed only when repeated:\n${lines.join('\n')}\n`);
  }
}
