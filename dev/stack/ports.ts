import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Ports of the parts of `npm start`, as distances from `PORT`, so that one setting moves all. */
const distances = {
  SIMULATOR_PORT: 1,
  MAILBOX_PORT: 2,
  /** The worker has the next one. */
  METRICS_PORT: 3,
  SMTP_PORT: 25,
} as const;

const usualPort = '3000';

/** The environment with the ports that are not set. A malformed `PORT` is left to whoever reads it. */
export function withPorts(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const PORT = env['PORT'] || usualPort;
  if (!Number.isInteger(Number(PORT))) return env;
  const ports: NodeJS.ProcessEnv = { ...env, PORT };
  for (const [name, distance] of Object.entries(distances)) {
    ports[name] ||= String(Number(PORT) + distance);
  }
  return ports;
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
