import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import LongestFirst from './test/support/longest-first.ts';
import { testMs } from './test/support/patience.ts';

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'test/architecture/fixtures/**'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/as-found.ts'],
    reporters: ['default', './test/support/report-at-end.ts'],
    pool: 'forks',
    experimental: { viteModuleRunner: false },
    // A process runs many files, and as-found.ts sees to it that none of them changes it for the next.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Tests wait for PostgreSQL, browsers and each other's processes: one more keeps the processors at work.
    maxWorkers: Math.min(availableParallelism() + 1, 6),
    testTimeout: testMs,
    hookTimeout: testMs,
    teardownTimeout: testMs,
    coverage: {
      include: ['src/**', 'schema/**', 'rest/**', 'jobs/**'],
      reportsDirectory: 'reports/coverage',
    },
  },
});
