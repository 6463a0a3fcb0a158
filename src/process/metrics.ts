import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Log } from './log.ts';

/** One answered request. `route` is the template, since a path may hold an id and a label must not. */
export interface MeasuredRequest {
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly milliseconds: number;
}

export interface MeasuredCall {
  readonly provider: string;
  readonly operation: string;
  /** `ok`, a verdict of the provider port, or `circuit_open` for a call that was not made. */
  readonly outcome: string;
  readonly durationMs: number;
}

export interface MeasuredJob {
  readonly task: string;
  readonly outcome: 'ok' | 'failed';
  readonly milliseconds: number;
}

/** What a process counts for Prometheus. */
export interface Metrics {
  request(request: MeasuredRequest): void;
  providerCall(call: MeasuredCall): void;
  job(job: MeasuredJob): void;
  /** Adds what is read when the metrics are collected: the connection pool and the circuits. */
  watch(parts: Watched): void;
  /** All metrics in the text format of Prometheus, and its content type. */
  expose(): Promise<{ readonly contentType: string; readonly text: string }>;
}

interface Watched {
  readonly pool: {
    readonly totalCount: number;
    readonly idleCount: number;
    readonly waitingCount: number;
    query(text: string): Promise<{ readonly rows: readonly { readonly seconds: number }[] }>;
  };
  /** State of the circuit breaker of each provider, by the provider's name. */
  readonly circuits: () => Readonly<Record<string, string>>;
}

const circuitStates = ['closed', 'open', 'half_open'];

/** Upper bounds in seconds, from a millisecond to the time-outs. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** @param process label of every metric: `api` or `worker` */
export function createMetrics(process: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ process });
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Histogram({
    name: 'payouts_http_request_duration_seconds',
    help: 'Duration of answered requests, by route template, method and status.',
    labelNames: ['route', 'method', 'status'],
    buckets,
    registers,
  });
  const calls = new Histogram({
    name: 'payouts_provider_call_duration_seconds',
    help: 'Duration of calls to payout providers, by operation and outcome.',
    labelNames: ['provider', 'operation', 'outcome'],
    buckets,
    registers,
  });
  const jobs = new Histogram({
    name: 'payouts_job_duration_seconds',
    help: 'Duration of ended jobs, by task and outcome.',
    labelNames: ['task', 'outcome'],
    buckets,
    registers,
  });
  return {
    request: ({ route, method, status, milliseconds }) =>
      requests.observe({ route, method, status }, milliseconds / 1_000),
    providerCall: ({ provider, operation, outcome, durationMs }) =>
      calls.observe({ provider, operation, outcome }, durationMs / 1_000),
    job: ({ task, outcome, milliseconds }) => jobs.observe({ task, outcome }, milliseconds / 1_000),
    watch(parts) {
      watch(registry, parts);
      if (process === 'worker') watchOutbox(registry, parts);
    },
    expose: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

const oldestInOutbox = `
  SELECT coalesce(extract(epoch FROM clock_timestamp() - min(uuid_extract_timestamp(id))), 0)::float8 AS seconds
  FROM job_outbox`;

/** Tells of a worker whether jobs reach it: its relay empties the outbox within milliseconds. */
function watchOutbox(registry: Registry, { pool }: Watched): void {
  const age = new Gauge({
    name: 'payouts_job_outbox_oldest_seconds',
    help: 'Age of the oldest job in the outbox; 0 when it is empty, NaN when the database does not answer. Workers empty it within milliseconds.',
    registers: [registry],
    async collect() {
      const answer = await pool.query(oldestInOutbox).catch(() => null);
      age.set(answer?.rows[0]?.seconds ?? Number.NaN);
    },
  });
}

function watch(registry: Registry, { pool, circuits }: Watched): void {
  const connections = new Gauge({
    name: 'payouts_database_pool',
    help: 'Connections to PostgreSQL: all, idle ones, and calls that wait for one.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      connections.set({ state: 'total' }, pool.totalCount);
      connections.set({ state: 'idle' }, pool.idleCount);
      connections.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
  const circuit = new Gauge({
    name: 'payouts_provider_circuit',
    help: "State of a provider's circuit breaker: 1 for the current state, 0 for the others.",
    labelNames: ['provider', 'state'],
    registers: [registry],
    collect() {
      for (const [provider, current] of Object.entries(circuits())) {
        for (const state of circuitStates) {
          circuit.set({ provider, state }, state === current ? 1 : 0);
        }
      }
    },
  });
}

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves `GET /metrics` on a port of its own, so that no proxy has to hide the path from the public.
 * A port that is taken is logged and null is returned: payouts go on without metrics.
 */
export async function serveMetrics(
  metrics: Metrics,
  place: { readonly host: string; readonly port: number },
  log: Log,
): Promise<MetricsServer | null> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics.expose().then(
      ({ contentType, text }) => {
        response.writeHead(200, { 'Content-Type': contentType }).end(text);
      },
      (error: unknown) => {
        log.error({ message: String(error) }, 'metrics cannot be collected');
        response.writeHead(500).end();
      },
    );
  });
  const { promise, resolve } = Promise.withResolvers<Error | null>();
  server.once('error', resolve);
  server.listen(place.port, place.host, () => resolve(null));
  const failure = await promise;
  if (failure !== null) {
    log.error(
      { port: place.port, message: failure.message },
      'metrics are not served: the port cannot be used',
    );
    return null;
  }
  server.unref();
  const { port } = server.address() as AddressInfo; // a TCP server has one while it listens
  log.info({ port }, 'metrics are served');
  return {
    port,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
