import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ChildSpec } from './child.ts';
import type { DevConfig } from './config.ts';
import type { NeededPort } from './ports.ts';

const source = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Where processes on this machine reach the API: the host it listens on, unless that is "all". */
export function localUrl(config: DevConfig): string {
  const everywhere = config.host === '0.0.0.0' || config.host === '::';
  const host = everywhere ? '127.0.0.1' : config.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${config.port}`;
}

export function neededPorts(config: DevConfig): NeededPort[] {
  return [
    { port: config.port, variable: 'PORT', what: 'the API' },
    { port: config.simulatorPort, variable: 'SIMULATOR_PORT', what: 'the provider simulator' },
    { port: config.mailboxPort, variable: 'MAILBOX_PORT', what: 'the mailbox page' },
    { port: config.smtpPort, variable: 'SMTP_PORT', what: "the mailbox's SMTP server" },
  ];
}

/** The processes of a running service. */
export function serviceSpecs(config: DevConfig, databaseUrl: string): ChildSpec[] {
  const environment = {
    ...config.environment,
    DATABASE_URL: databaseUrl,
    // Types are stripped once, not at every start of every process.
    NODE_COMPILE_CACHE: join(resolve(config.dataDir), 'compile-cache'),
  };
  const spec = (name: string, entry: string, readyUrl?: string): ChildSpec => ({
    name,
    entry: source(entry),
    environment,
    ...(readyUrl === undefined ? {} : { readyUrl }),
  });
  const local = (port: number) => `http://127.0.0.1:${port}/healthz`;
  return [
    spec('simulator', 'providers/simulator/main.ts', local(config.simulatorPort)),
    spec('mailbox', 'mailbox/main.ts', local(config.mailboxPort)),
    spec('api', 'server.ts', `${localUrl(config)}/readyz`),
    spec('worker', 'worker.ts'),
  ];
}
