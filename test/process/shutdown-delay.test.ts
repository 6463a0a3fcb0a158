import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/process/config.ts';
import { shutdownDelayOf } from '../../src/process/settings/api.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/factory.ts';
import { startShipped } from '../support/shipped.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

async function startApi(delayMs: string) {
  const api = startShipped('api', {
    DATABASE_URL: database.url,
    PORT: '0',
    SHUTDOWN_DELAY_MS: delayMs,
  });
  const { port } = await api.said('API started');
  const statusOf = async (path: string): Promise<number> => {
    // Each request on a connection of its own, as a balancer opens them.
    const headers = { connection: 'close' };
    return (await fetch(`http://127.0.0.1:${String(port)}${path}`, { headers })).status;
  };
  await eventually(async () => (await statusOf('/readyz')) === 200);
  return { api, statusOf };
}

test('an API that is told to stop is not ready, and takes connections until a balancer knows', async () => {
  // As long as it can be: the second signal ends the wait.
  const { api, statusOf } = await startApi('20000');
  api.process.kill('SIGTERM');
  await api.said('draining');
  expect(await statusOf('/readyz')).toBe(503);
  expect(await statusOf('/v1/payouts')).toBe(401);
  expect(await statusOf('/healthz')).toBe(200);
  await api.stop();
  expect(api.process.exitCode).toBe(1);
});

test('it ends well after the delay', async () => {
  const { api } = await startApi('10');
  await api.stop();
  expect(api.process.exitCode).toBe(0);
});

test('the delay is five seconds in production and nothing elsewhere', () => {
  const { SHUTDOWN_DELAY_MS } = loadConfig({});
  expect(SHUTDOWN_DELAY_MS).toBeNull();
  expect(shutdownDelayOf({ NODE_ENV: 'development', SHUTDOWN_DELAY_MS })).toBe(0);
  expect(shutdownDelayOf({ NODE_ENV: 'production', SHUTDOWN_DELAY_MS })).toBe(5_000);
  expect(shutdownDelayOf({ NODE_ENV: 'production', SHUTDOWN_DELAY_MS: 7 })).toBe(7);
});
