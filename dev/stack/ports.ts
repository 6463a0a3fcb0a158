import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface NeededPort {
  port: number;
  /** The environment variable that sets it. */
  variable: string;
  what: string;
}

/**
 * Why the ports cannot be used, in one line, or null. A busy port gets a second to become free, since
 * the processes of a run that was just killed may still be ending.
 */
export async function busyPort(ports: readonly NeededPort[], host: string): Promise<string | null> {
  for (const { port, variable, what } of ports) {
    const twin = ports.find((other) => other.variable !== variable && other.port === port);
    if (twin !== undefined && port !== 0) {
      return `port ${port} is wanted twice: set ${variable} or ${twin.variable} to another`;
    }
    if (!(await becomesFree(port, host))) {
      return `port ${port} for ${what} is in use: stop what uses it, or set ${variable} to another port`;
    }
  }
  return null;
}

async function becomesFree(port: number, host: string): Promise<boolean> {
  for (let attempt = 0; attempt < 10; attempt += 1) {
    if (await canListen(port, host)) return true;
    await sleep(100);
  }
  return false;
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(false));
    server.listen(port, host, () => server.close(() => done(true)));
  });
}
