import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts'],
    exclude: ['**/node_modules/**', 'test/architecture/fixtures/**'],
    globalSetup: ['test/support/global-setup.ts'],
    pool: 'forks',
    experimental: { viteModuleRunner: false },
    maxWorkers: 2,
    // Wide enough for a slow, shared machine: what hangs still ends, what is slow does not fail.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 30_000,
    coverage: {
      include: ['src/**', 'schema/**', 'rest/**', 'jobs/**'],
      reportsDirectory: 'reports/coverage',
    },
  },
});
