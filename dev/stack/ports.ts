import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../../src/process/settings/setting.ts';

/** Ports of the parts of `npm start`, as distances from `PORT`, so that one setting moves all. */
const distances = {
  SIMULATOR_PORT: 1,
  MAILBOX_PORT: 2,
  /** The worker has the next one. */
  METRICS_PORT: 3,
  SMTP_PORT: 25,
} as const;

const usualPort = 3_000;
const highest = 65_535 - Math.max(...Object.values(distances));

/**
 * The environment with the ports that are not set. A malformed `PORT` is left to whoever reads it.
 *
 * @throws ConfigError when `PORT` leaves no room for the others
 */
export function withPorts(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const base = Number((env['PORT'] ?? '') ? env['PORT'] : usualPort);
  if (!Number.isInteger(base)) return env;
  const missing = Object.entries(distances).filter(([name]) => (env[name] ?? '') === '');
  if (missing.length > 0 && (base < 1 || base > highest)) {
    const names = missing.map(([name]) => name).join(', ');
    throw new ConfigError(
      `PORT: must be from 1 to ${highest}, since ${names} follow from it (or set each of them)`,
    );
  }
  const derived = missing.map(([name, distance]) => [name, String(base + distance)] as const);
  return { ...env, PORT: String(base), ...Object.fromEntries(derived) };
}

export interface NeededPort {
  readonly port: number;
  /** The environment variable that sets it. */
  readonly variable: string;
}

/**
 * Why the ports cannot be used, in one line, or null. A busy port gets a second to become free, since
 * the processes of a run that was just killed may still be ending.
 */
export async function portFault(
  ports: readonly NeededPort[],
  host: string,
): Promise<string | null> {
  for (const { port, variable } of ports) {
    let fault = await listenFault(port, host);
    for (let tries = 1; fault === 'EADDRINUSE' && tries < 10; tries += 1) {
      await sleep(100);
      fault = await listenFault(port, host);
    }
    if (fault === 'EADDRINUSE') {
      return `port ${port} is in use: stop what uses it, or set ${variable} to another port`;
    }
    if (fault !== null) return `${host}, port ${port}: ${fault}. Set HOST or ${variable}.`;
  }
  return null;
}

/** The code of the error that listening gives, or null. */
function listenFault(port: number, host: string): Promise<string | null> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => done(null)));
  });
}
