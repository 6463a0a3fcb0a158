import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import {
  countedMetrics,
  storedMetrics,
  type Declared,
  type StoredMetric,
} from './metrics/declared.ts';
import type { Stored } from './metrics/stored.ts';

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

/** One executed GraphQL operation. */
export interface MeasuredOperation {
  /** The name of a document of the service's own; null for a caller's document, whose name could be anything. */
  readonly name: string | null;
  readonly type: 'query' | 'mutation' | 'subscription';
  readonly outcome: 'ok' | 'error';
  readonly milliseconds: number;
}

/** The mails that a caller can cause. */
export type MailKind = 'collection' | 'member' | 'registration' | 'sign_in';

/** What a process counts for Prometheus. */
export interface Metrics {
  request(request: MeasuredRequest): void;
  operation(operation: MeasuredOperation): void;
  providerCall(call: MeasuredCall): void;
  job(job: MeasuredJob): void;
  /** @param outcome as the help of `payouts_webhook_attempts_total` lists them */
  webhookAttempt(outcome: string): void;
  /** @param count mails of one kind that one bound kept from being sent */
  mailsRefused(kind: MailKind, bound: 'mailbox' | 'tenant', count: number): void;
  /** Adds what is read when the metrics are collected. */
  watch(parts: Watched): void;
  /** All metrics in the text format of Prometheus, and its content type. */
  expose(): Promise<{ readonly contentType: string; readonly text: string }>;
  /** Closes the connection by which `watch` reads. */
  close(): Promise<void>;
}

interface Watched {
  readonly pool: {
    readonly totalCount: number;
    readonly idleCount: number;
    readonly waitingCount: number;
  };
  /** Why the database cannot be used, or null. */
  readonly databaseProblem: () => string | null;
  /** The nodes of a cluster that do not answer. */
  readonly silentNodes: () => readonly string[];
  /** Whether the database has no room for what is written. */
  readonly databaseFull: () => boolean;
  /** How many seconds the clock of the process is ahead of the database's; null while nobody knows. */
  readonly clockAhead: () => number | null;
  /** State of the circuit breaker of each provider, by the provider's name. */
  readonly circuits: () => Readonly<Record<string, string>>;
  /**
   * Ids of the encryption keys, the encrypting one first, whether they could not be read again, and whether nothing
   * may be encrypted with them.
   */
  readonly keys: () => {
    readonly ids: readonly string[];
    readonly unread: boolean;
    readonly wrong: boolean;
  };
  /** What is read from the database; absent for the process's own metrics alone. */
  readonly stored?: Stored;
}

const circuitStates = ['closed', 'open', 'half_open'];

/** Upper bounds in seconds, from a millisecond to the time-outs. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** What prom-client makes a metric from. */
const optionsOf = (registry: Registry, name: string, { help, labels }: Declared) => ({
  name,
  help,
  labelNames: [...labels],
  registers: [registry],
});

/** @param process label of every metric: `api` or `worker` */
export function createMetrics(process: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ process });
  collectDefaultMetrics({ register: registry });
  const histogram = (name: keyof typeof countedMetrics) =>
    new Histogram({ ...optionsOf(registry, name, countedMetrics[name]), buckets });
  const requests = histogram('payouts_http_request_duration_seconds');
  const operations = histogram('payouts_graphql_operation_duration_seconds');
  const calls = histogram('payouts_provider_call_duration_seconds');
  const jobs = histogram('payouts_job_duration_seconds');
  const attempts = new Counter(
    optionsOf(
      registry,
      'payouts_webhook_attempts_total',
      countedMetrics.payouts_webhook_attempts_total,
    ),
  );
  const refusedMails = new Counter(
    optionsOf(registry, 'payouts_mails_refused_total', countedMetrics.payouts_mails_refused_total),
  );
  let readStored = async (): Promise<void> => {};
  let close = async (): Promise<void> => {};
  return {
    request: ({ route, method, status, milliseconds }) =>
      requests.observe({ route, method, status }, milliseconds / 1_000),
    operation: ({ name, type, outcome, milliseconds }) =>
      operations.observe({ operation: name ?? 'caller', type, outcome }, milliseconds / 1_000),
    providerCall: ({ provider, operation, outcome, durationMs }) =>
      calls.observe({ provider, operation, outcome }, durationMs / 1_000),
    job: ({ task, outcome, milliseconds }) => jobs.observe({ task, outcome }, milliseconds / 1_000),
    webhookAttempt: (outcome) => attempts.inc({ outcome }),
    mailsRefused: (kind, bound, count) => refusedMails.inc({ kind, bound }, count),
    watch({ stored, ...parts }) {
      watch(registry, parts);
      if (stored === undefined) return;
      readStored = storedGauges(registry, stored);
      close = stored.close;
    },
    async expose() {
      await readStored();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
    close: () => close(),
  };
}

function watch(
  registry: Registry,
  {
    pool,
    databaseProblem,
    databaseFull,
    silentNodes,
    clockAhead,
    circuits,
    keys,
  }: Omit<Watched, 'stored'>,
): void {
  const away = new Gauge({
    ...optionsOf(registry, 'payouts_database_away', countedMetrics.payouts_database_away),
    collect() {
      away.set(databaseProblem() === null ? 0 : 1);
    },
  });
  const silent = new Gauge({
    ...optionsOf(
      registry,
      'payouts_database_nodes_silent',
      countedMetrics.payouts_database_nodes_silent,
    ),
    collect() {
      silent.set(silentNodes().length);
    },
  });
  const connections = new Gauge({
    ...optionsOf(registry, 'payouts_database_pool', countedMetrics.payouts_database_pool),
    collect() {
      connections.set({ state: 'total' }, pool.totalCount);
      connections.set({ state: 'used' }, pool.totalCount - pool.idleCount);
      connections.set({ state: 'idle' }, pool.idleCount);
      connections.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
  const circuit = new Gauge({
    ...optionsOf(registry, 'payouts_provider_circuit', countedMetrics.payouts_provider_circuit),
    collect() {
      for (const [provider, current] of Object.entries(circuits())) {
        for (const state of circuitStates) {
          circuit.set({ provider, state }, state === current ? 1 : 0);
        }
      }
    },
  });
  const full = new Gauge({
    ...optionsOf(registry, 'payouts_database_full', countedMetrics.payouts_database_full),
    collect() {
      full.set(databaseFull() ? 1 : 0);
    },
  });
  const ahead = new Gauge({
    ...optionsOf(
      registry,
      'payouts_clock_ahead_seconds',
      countedMetrics.payouts_clock_ahead_seconds,
    ),
    collect() {
      const seconds = clockAhead();
      if (seconds === null) ahead.remove();
      else ahead.set(seconds);
    },
  });
  const key = new Gauge({
    ...optionsOf(registry, 'payouts_encryption_key', countedMetrics.payouts_encryption_key),
    collect() {
      key.reset();
      for (const [at, id] of keys().ids.entries()) {
        key.set({ key: id, use: at === 0 ? 'encrypt' : 'decrypt' }, 1);
      }
    },
  });
  const unread = new Gauge({
    ...optionsOf(
      registry,
      'payouts_encryption_keys_unread',
      countedMetrics.payouts_encryption_keys_unread,
    ),
    collect() {
      unread.set(keys().unread ? 1 : 0);
    },
  });
  const wrong = new Gauge({
    ...optionsOf(
      registry,
      'payouts_encryption_keys_wrong',
      countedMetrics.payouts_encryption_keys_wrong,
    ),
    collect() {
      wrong.set(keys().wrong ? 1 : 0);
    },
  });
}

/**
 * Makes the gauges of what is stored, and returns what sets them. A value that could not be read is absent:
 * an old one would hide an outage.
 */
function storedGauges(registry: Registry, stored: Pick<Stored, 'read'>): () => Promise<void> {
  const gauges = new Map<StoredMetric, Gauge | Counter>();
  for (const name of Object.keys(storedMetrics) as StoredMetric[]) {
    const { kind } = storedMetrics[name];
    const options = optionsOf(registry, name, storedMetrics[name]);
    gauges.set(name, kind === 'counter' ? new Counter(options) : new Gauge(options));
  }
  return async () => {
    const values = await stored.read();
    for (const [name, gauge] of gauges) {
      gauge.reset();
      // A gauge without labels is 0 after a reset, which would say that all is well.
      if (values === null && storedMetrics[name].labels.length === 0) gauge.remove();
    }
    gauges.get('payouts_stored_read')?.inc(values === null ? 0 : 1);
    for (const { metric, labels, value } of values ?? []) {
      const names: readonly string[] = storedMetrics[metric].labels;
      const pairs = names.map((name, index): [string, string] => [name, labels[index] ?? '']);
      const labelled: Record<string, string> = Object.fromEntries(pairs);
      // Each was reset, so what is added is the value.
      gauges.get(metric)?.inc(labelled, value);
    }
  };
}
