import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { eventually } from '../support/factory.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

/*
 * A caller sends several requests over one connection without waiting for answers, and closes it: only
 * the first answer has the connection by then. Each request gives its place back all the same.
 */
const places = 3;
const harness = useHarness({
  shipped: true,
  worker: false,
  env: {
    LOG_LEVEL: 'silent',
    TENANT_REQUESTS_AT_ONCE: String(places),
    TENANT_REQUESTS_WAITING: '100',
    TENANT_WAIT_MS: '300',
  },
});
const tenant = useTenant(harness);

const read = async (): Promise<number> =>
  (await harness.rest('GET', '/v1/beneficiaries', { key: tenant.key })).status;

async function waitingStatements(): Promise<number> {
  const { rows } = await harness.database.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'payouts-api'
       AND wait_event_type = 'Lock'`,
  );
  return rows[0]?.n ?? 0;
}

/** Sends requests at once over one connection, and closes it while all of them are at work. */
async function sendAndLeave(): Promise<void> {
  const lock = await harness.database.pool.connect();
  try {
    await lock.query('BEGIN');
    await lock.query('LOCK TABLE payout IN ACCESS EXCLUSIVE MODE');
    const { port, hostname } = new URL(harness.baseUrl);
    const socket = connect(Number(port), hostname);
    const request = `GET /v1/payouts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.key}\r\n\r\n`;
    socket.write(request.repeat(places));
    await eventually(async () => (await waitingStatements()) === places);
    socket.destroy();
    await eventually(() => Promise.resolve(socket.closed));
    await lock.query('ROLLBACK');
  } finally {
    lock.release(true);
  }
  await eventually(async () => (await waitingStatements()) === 0);
}

it('leaves no place taken when requests that wait for the connection lose it', async () => {
  for (let round = 0; round < 3; round += 1) {
    await sendAndLeave();
    await eventually(async () => (await read()) === 200);
  }
  const crowd = await Promise.all(Array.from({ length: places }, read));
  expect(crowd).toEqual(Array.from({ length: places }, () => 200));
});
