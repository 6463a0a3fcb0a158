import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { copyCsv } from '../../src/db/copy.ts';
import { lostConnection } from '../../src/db/errors.ts';
import {
  createPool,
  inTransaction,
  noAnswerLimitMs,
  platformStatement,
  rows,
} from '../../src/db/pool.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await testDatabase();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await pool.end();
});
afterAll(() => database.drop());

/** A network that can drop everything, in both directions. */
async function startNetwork(): Promise<{ url: string; silent: boolean; close: () => void }> {
  const target = new URL(database.url);
  const sockets = new Set<Socket>();
  const pipe = (from: Socket, to: Socket): void => {
    sockets.add(from);
    from.on('data', (chunk) => network.silent || to.write(chunk));
    from.on('error', () => to.destroy());
    from.on('close', () => to.destroy());
  };
  const server: Server = createServer((socket) => {
    const upstream = connect(Number(target.port), target.hostname);
    pipe(socket, upstream);
    pipe(upstream, socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(database.url);
  url.port = String((server.address() as AddressInfo).port);
  const network = {
    url: url.href,
    silent: false,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  return network;
}

describe('a network that falls silent', () => {
  it('fails the statement as a lost connection, whose replacement works', async () => {
    const network = await startNetwork();
    try {
      pool = createPool(network.url, 1, 'test', 200);
      await expect(pool.query('SELECT 1')).resolves.toMatchObject({ rowCount: 1 });
      network.silent = true;
      const error: unknown = await pool.query('SELECT 1').catch((reason: unknown) => reason);
      expect(lostConnection(error)).toBe(true);
      network.silent = false;
      await expect(pool.query('SELECT 1')).resolves.toMatchObject({ rowCount: 1 });
    } finally {
      network.close();
    }
  });

  it('costs a transaction one wait and its connection', async () => {
    const network = await startNetwork();
    try {
      pool = createPool(network.url, 1, 'test', 200);
      const asked: string[] = [];
      const failing = inTransaction(pool, async (client) => {
        network.silent = true;
        const { query } = client;
        client.query = ((...given: unknown[]) => {
          asked.push(String(given[0]));
          return Reflect.apply(query, client, given) as unknown;
        }) as typeof query;
        await client.query('SELECT 1');
      });
      await expect(failing).rejects.toThrow('Query read timeout');
      expect(asked).toEqual(['SELECT 1']);
      expect(pool.totalCount).toBe(0);
    } finally {
      network.close();
    }
  });
});

describe('what takes longer than the limit for an answer', () => {
  const slow = 'SELECT g, pg_sleep(0.1) FROM generate_series(1, 5) g';

  it('may be a statement that lifts the limit for itself', async () => {
    pool = createPool(database.url, 1, 'test', 100);
    await expect(rows(pool, platformStatement({ name: 'slow', text: slow }), [])).rejects.toThrow(
      'Query read timeout',
    );
    const statement = platformStatement({
      name: 'slow',
      text: slow,
      query_timeout: noAnswerLimitMs,
    });
    await expect(rows(pool, statement, [])).resolves.toHaveLength(5);
  });

  it('may be a COPY, which leaves no timer behind', async () => {
    pool = createPool(database.url, 1, 'test', 100);
    const client = await pool.connect();
    const [set, clear] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')];
    try {
      const csv = await text(copyCsv(client, `COPY (${slow}) TO STDOUT WITH (FORMAT csv)`));
      expect(csv).toBe('1,""\r\n2,""\r\n3,""\r\n4,""\r\n5,""\r\n');
      const index = set.mock.calls.findIndex(([, delay]) => delay === noAnswerLimitMs);
      expect(clear).toHaveBeenCalledWith(set.mock.results[index]?.value);
      await expect(client.query('SELECT 1')).resolves.toMatchObject({ rowCount: 1 });
    } finally {
      client.release();
    }
  });
});
