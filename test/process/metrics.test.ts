import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../src/process/log.ts';
import { createMetrics } from '../../src/process/metrics.ts';
import { serveMetrics } from '../../src/process/metrics/serve.ts';
import { eventually, makePayee, makeTenant, payoutBody } from '../support/factory.ts';
import { startHarness, type Harness } from '../support/harness.ts';

const log = createLog('silent', 'test');
const place = { host: '127.0.0.1', port: 0 };

async function withServer<T>(
  metrics: ReturnType<typeof createMetrics>,
  use: (url: string) => Promise<T>,
): Promise<T> {
  const server = await serveMetrics(metrics, place, log);
  if (server === null) throw new Error('the metrics are not served');
  try {
    return await use(`http://127.0.0.1:${server.port}`);
  } finally {
    await server.close();
  }
}

describe('the server', () => {
  it('answers GET /metrics and nothing else', async () => {
    await withServer(createMetrics('api'), async (url) => {
      const answer = await fetch(`${url}/metrics`);
      expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
      expect(await answer.text()).toContain('process_cpu_user_seconds_total{process="api"}');
      expect((await fetch(`${url}/`)).status).toBe(404);
      expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(404);
    });
  });

  it('leaves the process alive when its port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((done) => other.once('listening', done));
    const { port } = other.address() as AddressInfo;
    expect(await serveMetrics(createMetrics('api'), { ...place, port }, log)).toBeNull();
    other.close();
  });

  it('shows every circuit with one state, the pool and the keys as they are', async () => {
    const metrics = createMetrics('worker');
    const pool = { totalCount: 3, idleCount: 1, waitingCount: 7 };
    metrics.watch({
      pool,
      databaseProblem: () => 'the database does not answer',
      databaseFull: () => true,
      clockAhead: () => -7.5,
      silentNodes: () => [],
      keys: () => ({ ids: ['k2', 'k1'], unread: false, wrong: true }),
      circuits: () => ({ simulator: 'half_open' }),
    });
    const { text } = await metrics.expose();
    const lines = text
      .split('\n')
      .filter(
        (line) => /circuit|pool|away|full|ahead|encryption/.test(line) && !line.startsWith('#'),
      );
    expect(lines).toEqual([
      'payouts_database_away{process="worker"} 1',
      'payouts_database_pool{state="total",process="worker"} 3',
      'payouts_database_pool{state="used",process="worker"} 2',
      'payouts_database_pool{state="idle",process="worker"} 1',
      'payouts_database_pool{state="waiting",process="worker"} 7',
      'payouts_provider_circuit{provider="simulator",state="closed",process="worker"} 0',
      'payouts_provider_circuit{provider="simulator",state="open",process="worker"} 0',
      'payouts_provider_circuit{provider="simulator",state="half_open",process="worker"} 1',
      'payouts_database_full{process="worker"} 1',
      'payouts_clock_ahead_seconds{process="worker"} -7.5',
      'payouts_encryption_key{key="k2",use="encrypt",process="worker"} 1',
      'payouts_encryption_key{key="k1",use="decrypt",process="worker"} 1',
      'payouts_encryption_keys_unread{process="worker"} 0',
      'payouts_encryption_keys_wrong{process="worker"} 1',
    ]);
  });
});

describe('the service', () => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness({ env: { METRICS_PORT: '0', LOG_LEVEL: 'silent' } });
  });
  afterAll(() => harness.close());

  it('counts requests, provider calls and jobs, and names nobody', async () => {
    const tenant = await makeTenant(harness);
    const payee = await makePayee(harness, tenant.key);
    const body = payoutBody(payee, { validator_strategy: 'auto' });
    const made = await harness.rest('POST', '/v1/payouts', { key: tenant.key, body });
    const { id } = made.body.payout;
    await harness.rest('GET', '/v1/nowhere', { key: tenant.key });
    await eventually(async () => {
      const { body: now } = await harness.rest('GET', `/v1/payouts/${id}`, { key: tenant.key });
      return now.payout.state === 'settled';
    });
    const { metrics } = harness.services;
    if (metrics === null) throw new Error('METRICS_PORT is set');
    const text = await eventually(async () => {
      const { text: shown } = await metrics.expose();
      return shown.includes('task="disburse_payout"') && shown;
    });
    const count = (name: string, labels: string) =>
      text
        .split('\n')
        .find((line) => line.startsWith(`payouts_${name}_count{`) && line.includes(labels));
    expect(
      count('http_request_duration_seconds', 'route="/v1/payouts",method="POST",status="201"'),
    ).toMatch(/ 1$/);
    expect(
      count('http_request_duration_seconds', 'route="none",method="GET",status="404"'),
    ).toMatch(/ 1$/);
    expect(
      count(
        'provider_call_duration_seconds',
        'provider="simulator",operation="submit",outcome="ok"',
      ),
    ).toMatch(/ 1$/);
    expect(count('job_duration_seconds', 'task="disburse_payout",outcome="ok"')).toMatch(/ 1$/);
    const operation = 'operation="CreatePayout",type="mutation",outcome="ok"';
    expect(count('graphql_operation_duration_seconds', operation)).toMatch(/ 1$/);
    const asked = '{ payouts(first: 1) { edges { node { id } } } }';
    await harness.graphql(tenant.key, `query Mine_${id} ${asked}`);
    const later = (await metrics.expose()).text;
    expect(later).toMatch(
      /operation_duration_seconds_count\{[^}]*operation="caller",type="query",[^}]*\} 1/,
    );
    expect(later).toContain('payouts_stored_read{process="api"} 1');
    expect(later).toContain('payouts_workers_alive{process="api"} 1');
    expect(later).not.toContain('Mine_');
    expect(text).not.toMatch(/(pay|ten|ben|bac|biz|key)_[0-9a-z]{26}/);
  });
});

describe('without METRICS_PORT', () => {
  it('counts nothing', async () => {
    const harness = await startHarness({ worker: false });
    expect(harness.services.metrics).toBeNull();
    await harness.close();
  });
});
