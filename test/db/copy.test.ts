import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { buffer, text } from 'node:stream/consumers';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { copyCsv, type CsvCopy } from '../../src/db/copy.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  client = new pg.Client({ connectionString: database.url });
  client.on('error', () => undefined);
  await client.connect();
});
afterEach(() => client.end());
afterAll(() => database.drop());

const copyOf = (query: string): CsvCopy =>
  copyCsv(client, `COPY (${query}) TO STDOUT WITH (FORMAT csv, HEADER true, ENCODING 'UTF8')`);

const nextAnswer = async () => (await client.query('SELECT 1 AS one')).rows;

/** A table of one query: VALUES with the cells as literals. */
const valuesOf = (rows: readonly (readonly string[])[]) =>
  `SELECT * FROM (VALUES ${rows
    .map((row) => `(${row.map((cell) => client.escapeLiteral(cell)).join(', ')})`)
    .join(', ')}) x(a, b)`;

describe('the line ends', () => {
  it('are CRLF after each record and stay what they are within a cell', async () => {
    const csv = copyOf(
      valuesOf([
        ['a\nb', 'say "hi"\r\n'],
        ['Zoë 💸 \\.', ''],
      ]),
    );
    expect(await text(csv)).toBe('a,b\r\n"a\nb","say ""hi""\r\n"\r\nZoë 💸 \\.,""\r\n');
    expect(csv.records).toBe(3);
    expect(await nextAnswer()).toEqual([{ one: 1 }]);
  });

  it('are all that differs from what PostgreSQL writes', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', '\n', '\r', ',', 'é', '💸') });
    const table = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const quoted = (value: string) =>
          value === '' || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
        const expected = [['a', 'b'], ...rows.map((row) => row.map(quoted))];
        const written = expected.map((row) => `${row.join(',')}\r\n`).join('');
        expect(await text(copyOf(valuesOf(rows)))).toBe(written);
      }),
      { numRuns: 50 },
    );
  });
});

it('is whole with rows longer than a block, and with none', async () => {
  const long = await text(
    copyOf(`SELECT repeat('x', 65536 * g) AS a FROM generate_series(1, 3) g`),
  );
  const rows = [1, 2, 3].map((times) => `${'x'.repeat(65_536 * times)}\r\n`);
  expect(long).toBe(`a\r\n${rows.join('')}`);
  const none = copyOf('SELECT 1 AS a WHERE false');
  expect([await text(none), none.records]).toEqual(['a\r\n', 1]);
  const bare = copyCsv(client, 'COPY (SELECT 1 WHERE false) TO STDOUT WITH (FORMAT csv)');
  expect([(await buffer(bare)).length, bare.records]).toEqual([0, 0]);
});

it('reads no faster than its bytes are taken', async () => {
  const rows = 50_000;
  const csv = copyOf(`SELECT repeat('x', 1000) AS a FROM generate_series(1, ${rows})`);
  await once(csv, 'readable');
  for (let turns = 0; turns < 200; turns += 1) await turn();
  // PostgreSQL waits: far from all of the 50 MB is in this process.
  const untaken = csv.readableLength;
  expect(untaken).toBeGreaterThan(0);
  expect(untaken).toBeLessThan(1_000_000);
  expect((await buffer(csv)).length).toBe('a\r\n'.length + rows * 1_002);
  expect(await nextAnswer()).toEqual([{ one: 1 }]);
});

it('leaves a connection that reads on, when its last bytes were not wanted yet', async () => {
  // One message of the network has all rows and the end, so that the stream is full when the answer ends.
  const csv = copyOf(`SELECT repeat('x', 1000) AS a FROM generate_series(1, 70)`);
  await once(csv, 'readable');
  expect(await nextAnswer()).toEqual([{ one: 1 }]);
  expect((await buffer(csv)).length).toBe(3 + 70 * 1_002);
});

describe('a COPY that fails', () => {
  it('throws what PostgreSQL refuses at first', async () => {
    await expect(text(copyOf('SELECT 1 / 0 AS a'))).rejects.toMatchObject({ code: '22012' });
    expect(await nextAnswer()).toEqual([{ one: 1 }]);
  });

  it('throws what PostgreSQL refuses later, after the bytes before it', async () => {
    const csv = copyOf('SELECT 1 / (90000 - g) AS a FROM generate_series(1, 100000) g');
    await expect(text(csv)).rejects.toMatchObject({ code: '22012' });
    expect(csv.records).toBe(90_000);
    expect(await nextAnswer()).toEqual([{ one: 1 }]);
  });

  it('throws when the connection is lost', async () => {
    const csv = copyOf(
      `SELECT repeat('x', 1000) AS a, pg_sleep(0.01) FROM generate_series(1, 10000)`,
    );
    await once(csv, 'readable');
    const failed = expect(text(csv)).rejects.toThrow();
    const { rows } = await database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND query LIKE 'COPY%'`,
    );
    expect(rows).toHaveLength(1);
    await failed;
  });
});

it('takes no more bytes once it is destroyed', async () => {
  const csv = copyOf(`SELECT repeat('x', 1000) AS a FROM generate_series(1, 50000)`);
  await once(csv, 'readable');
  csv.destroy();
  await once(csv, 'close');
  const { records } = csv;
  await nextAnswer();
  expect(csv.records).toBe(records);
});
