import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPace } from '../../src/db/pace.ts';
import { createPool } from '../../src/db/pool.ts';
import { createHttpCaller } from '../../src/providers/http-caller.ts';
import type { ProviderError } from '../../src/providers/port.ts';
import { turnsOf } from '../../src/providers/turns.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';

/* A provider's limit of requests in a second, kept by several processes together. */

const perSecond = 20;
const payouts = 300;

let database: TestDatabase;
let provider: Server;
let url: string;
const counted = { taken: 0, refused: 0 };

/** A bucket that holds the tokens of a second and fills at the limit, as limits of providers are made. */
const bucket = { tokens: perSecond, at: 0 };

function takeToken(now: number): boolean {
  const filled = bucket.tokens + ((now - bucket.at) / 1_000) * perSecond;
  bucket.tokens = Math.min(perSecond, filled);
  bucket.at = now;
  if (bucket.tokens < 1) return false;
  bucket.tokens -= 1;
  return true;
}

beforeAll(async () => {
  database = await testDatabase();
  provider = createServer((_request, response) => {
    const isTaken = takeToken(performance.now());
    counted[isTaken ? 'taken' : 'refused'] += 1;
    response.writeHead(isTaken ? 200 : 429).end('{}');
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
});
afterAll(async () => {
  provider.close();
  await database.drop();
});

/** One process with workers of which each sends its part, one request after the other. */
async function runProcess(workers: number, each: number): Promise<void> {
  const pool = createPool(database.url, 5, 'pace-test');
  const pace = turnsOf(createPace(pool), 60_000)('acme')(perSecond);
  const caller = createHttpCaller(url, [], pace);
  const question = { method: 'POST', path: '/payouts', headers: {}, body: {} } as const;
  const work = async () => {
    for (let sent = 0; sent < each; sent += 1) await caller.send(question, undefined);
  };
  await Promise.all(Array.from({ length: workers }, work));
  await caller.close();
  await pool.end();
}

it('is not exceeded by a burst of payouts from two processes', async () => {
  const [workers, processes] = [10, 2];
  const each = payouts / workers / processes;
  await Promise.all(Array.from({ length: processes }, () => runProcess(workers, each)));
  expect(counted).toEqual({ taken: payouts, refused: 0 });
});

it('sends a call back whose turn is too far away, since nothing was sent', async () => {
  const pool = createPool(database.url, 1, 'pace-test');
  const turn = turnsOf(createPace(pool), 20)('slow')(1);
  await turn?.(undefined);
  const verdict = await turn?.(undefined).then(
    () => 'sent',
    (error: unknown) => (error as ProviderError).verdict,
  );
  await pool.end();
  expect(verdict).toBe('retry');
});

it('is nothing where the provider told none', () => {
  expect(turnsOf(createPace(database.pool), 20)('acme')(null)).toBeUndefined();
});
