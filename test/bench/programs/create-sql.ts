import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createRowsFloor } from '../create-floor.ts';
import { env } from '../config.ts';

/** Sends the create statement itself from a number of connections for a time; prints the rate. */
const connections = Number(env('CONNECTIONS'));
const milliseconds = Number(env('MILLISECONDS'));
const body = JSON.parse(env('BODY')) as Record<string, unknown>;
const tenant = { tenantId: env('TENANT'), businessId: env('BUSINESS') };
const pool = new pg.Pool({ connectionString: env('DATABASE_URL'), max: connections });

const started = performance.now();
const end = started + milliseconds;
let done = 0;

async function client(): Promise<void> {
  const connection = await pool.connect();
  while (performance.now() < end) {
    await createRowsFloor(connection, tenant, { ...body, idempotency_key: randomUUID() });
    done += 1;
  }
  connection.release();
}

await Promise.all(Array.from({ length: connections }, client));
const rate = (done * 1_000) / (performance.now() - started);
await pool.end();
process.stdout.write(JSON.stringify({ rate }));
