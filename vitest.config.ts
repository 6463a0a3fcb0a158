import { defineConfig } from 'vitest/config';
import { testMs } from './test/support/patience.ts';

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'test/architecture/fixtures/**'],
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['default', './test/support/report-repeated.ts'],
    pool: 'forks',
    experimental: { viteModuleRunner: false },
    maxWorkers: 2,
    testTimeout: testMs,
    hookTimeout: testMs,
    teardownTimeout: testMs,
    coverage: {
      include: ['src/**', 'schema/**', 'rest/**', 'jobs/**'],
      reportsDirectory: 'reports/coverage',
    },
  },
});
