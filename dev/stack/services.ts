import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ChildSpec } from './child.ts';
import type { DevConfig } from './config.ts';
import type { NeededPort } from './ports.ts';
import { keyFile } from './running.ts';

const source = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Where processes on this machine reach the API: the host it listens on, unless that is "all". */
export function localUrl(config: DevConfig): string {
  const everywhere = config.host === '0.0.0.0' || config.host === '::';
  const host = everywhere ? '127.0.0.1' : config.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${config.port}`;
}

export function neededPorts(config: DevConfig): NeededPort[] {
  return [
    { port: config.port, variable: 'PORT' },
    { port: config.simulatorPort, variable: 'SIMULATOR_PORT' },
    { port: config.mailboxPort, variable: 'MAILBOX_PORT' },
    { port: config.smtpPort, variable: 'SMTP_PORT' },
    { port: config.metricsPort, variable: 'METRICS_PORT' },
    { port: workerMetricsPort(config), variable: 'METRICS_PORT' },
  ];
}

/** 0 takes any free port, for each of the two. */
const workerMetricsPort = ({ metricsPort }: DevConfig): number =>
  metricsPort === 0 ? 0 : metricsPort + 1;

/**
 * What every Node process of the service but the worker runs with; the Dockerfile says the same. On a machine with much
 * memory V8 lets the young generation grow to some hundred megabytes before it collects. With
 * semi-spaces of 1 MiB an API process takes some 20 MiB less than with 4, but then a quarter of its CPU time is
 * collection. No process comes near 1 GiB of old objects: the
 * bound is there because V8 lets garbage grow to four times what is in use where the heap may have 4 GiB, and
 * to little more than half as much again where it may have one. Without a fixed threshold glibc gives back less and
 * less of what is freed (mallopt(3)). With its own default as that threshold, an API that has served for a minute is
 * 20 MB smaller. The pieces of 32 KiB in which V8 takes memory to compile go back at once where each is a mapping of its
 * own: 8 MB.
 */
export const processSettings = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '32768',
  NODE_OPTIONS: '--max-semi-space-size=4 --max-old-space-size=1024',
} as const;

/**
 * What the worker runs with; docker-compose.yml and its systemd unit say the same. With many jobs under way a sixth of
 * its CPU time is collection in semi-spaces of 4 MiB, since what a job has made is still in use when they are full.
 */
export const workerSettings = {
  ...processSettings,
  NODE_OPTIONS: '--max-semi-space-size=16 --max-old-space-size=1024',
} as const;

/** The programs that run for long, from the sources. */
export const sources = {
  api: 'src/server.ts',
  worker: 'src/worker.ts',
  simulator: 'simulator/main.ts',
} as const;

/** The same from the bundle, as production runs them. */
export const programs = {
  api: 'generated/bundle/server.mjs',
  worker: 'generated/bundle/worker.mjs',
  simulator: 'generated/bundle/simulator.mjs',
} as const;

/** The processes of a running service: what is from the bundle runs with the settings of the runtime that production has. */
export function serviceSpecs(
  config: DevConfig,
  databaseUrl: string,
  from: typeof sources | typeof programs,
): ChildSpec[] {
  const bundled = from === programs;
  const given = { ...config.environment, DATABASE_URL: databaseUrl };
  // Types are stripped once. A bundle needs less memory without the cache.
  const ofSources = { NODE_COMPILE_CACHE: join(config.dataDir, 'compile-cache'), ...given };
  const environment = bundled ? { ...processSettings, ...given } : ofSources;
  const workerEnvironment = bundled ? { ...workerSettings, ...given } : ofSources;
  const local = (port: number) => `http://127.0.0.1:${port}/healthz`;
  return [
    {
      name: 'simulator',
      entry: source(from.simulator),
      environment,
      readyUrl: local(config.simulatorPort),
    },
    {
      name: 'mailbox',
      entry: source('dev/mailbox/main.ts'),
      environment,
      readyUrl: local(config.mailboxPort),
    },
    {
      name: 'api',
      entry: source(from.api),
      // The file is written when the API runs; it is read when somebody opens GraphiQL.
      environment: { ...environment, GRAPHIQL_KEY_PATH: resolve(keyFile(config.dataDir)) },
      readyUrl: `${localUrl(config)}/readyz`,
    },
    {
      name: 'worker',
      entry: source(from.worker),
      // Two processes cannot listen on one port.
      environment: { ...workerEnvironment, METRICS_PORT: String(workerMetricsPort(config)) },
    },
  ];
}
