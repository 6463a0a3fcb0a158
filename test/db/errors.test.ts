import { afterAll, beforeAll, expect, it } from 'vitest';
import { violatesUnique } from '../../src/db/errors.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const id = '01a21337-bb91-7ee0-bb85-00dd21934475';

it.each([
  ['the rows that are given', `VALUES ('t', '${id}'::uuid, 'x', '{}')`],
  ['the rows of a SELECT', `SELECT 't', '${id}'::uuid, 'x', '{}' FROM unnest('{1,2}'::int[])`],
])('names the unique index that %s violate', async (_what, rows) => {
  const insert = `INSERT INTO job_outbox (tenant_id, id, task, payload) ${rows}`;
  const { pool } = database;
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const error = await client
      .query(insert)
      .then(() => client.query(insert))
      .catch((reason: unknown) => reason);
    expect(violatesUnique(error, 'job_outbox_pkey'), String(error)).toBe(true);
    expect(violatesUnique(error, 'payout_pkey')).toBe(false);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});
