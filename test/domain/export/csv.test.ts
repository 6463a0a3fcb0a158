import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cell, copyStatement, csvFilename, utc } from '../../../src/domain/export/csv.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';

describe('csvFilename', () => {
  it('names kind, environment and time, without a character that a header would quote', () => {
    const at = new Date('2026-11-01T09:30:05.123Z');
    expect(csvFilename('transactions', 'sandbox', at)).toBe(
      'transactions-sandbox-20261101T093005Z.csv',
    );
  });
});

describe('copyStatement', () => {
  it('keeps the order of the columns and shows every value to the quoting function', () => {
    const seen: string[] = [];
    const statement = copyStatement(
      {
        tenantId: 't',
        columns: { a: 'x.a', b: 'x.b' },
        from: (quote) => `FROM x WHERE x.id = ${quote("o'x")}`,
      },
      (text) => {
        seen.push(text);
        return '<quoted>';
      },
    );
    expect(statement).toContain('SELECT x.a AS a, x.b AS b FROM x WHERE x.id = <quoted>');
    expect(seen).toEqual(["o'x"]);
  });
});

describe('the SQL of a cell', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await testDatabase();
  });
  afterAll(() => database.drop());

  async function valueOf(expression: string, given: string | null): Promise<string | null> {
    const { rows } = await database.pool.query<{ value: string | null }>(
      `SELECT ${expression} AS value FROM (SELECT $1::text AS given) x`,
      [given],
    );
    return rows[0]?.value ?? null;
  }

  it.each([
    ['=1+1', "'=1+1"],
    ['+49', "'+49"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['＝1+1', "'＝1+1"],
    ['＋49', "'＋49"],
    ['－1', "'－1"],
    ['＠SUM(A1)', "'＠SUM(A1)"],
    ['a＝1', 'a＝1'],
    ['\tx', "'\tx"],
    ['\rx', "'\rx"],
    ['a=1', 'a=1'],
    ["'=1", "'=1"],
    ['', ''],
    [null, null],
  ])('%j becomes %j', async (given, expected) => {
    expect(await valueOf(cell('x.given'), given)).toBe(expected);
  });

  it('writes a time as ISO 8601 in UTC with milliseconds', async () => {
    expect(await valueOf(utc('x.given::timestamptz'), '2026-11-01 10:30:05.1+01')).toBe(
      '2026-11-01T09:30:05.100Z',
    );
  });
});
