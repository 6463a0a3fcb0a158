import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { portOwner } from './port-owner.ts';

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
  for (const needed of ports) {
    const { port, variable } = needed;
    const twin = ports.find((other) => other.variable !== variable && other.port === port);
    if (twin !== undefined && port !== 0) {
      return `port ${port} is wanted twice: set ${variable} or ${twin.variable} to another`;
    }
    const fault = await lastingFault(port, host);
    if (fault !== null) return explain(needed, host, fault);
  }
  return null;
}

function explain({ port, variable, what }: NeededPort, host: string, fault: string): string {
  const subject = `port ${port} for ${what}`;
  if (fault === 'EADDRINUSE') {
    const owner = portOwner(port);
    const by = owner === null ? '' : ` by ${owner.name} (pid ${owner.pid})`;
    return `${subject} is in use${by}: stop what uses it, or set ${variable} to another port`;
  }
  if (fault === 'EACCES') {
    return `${subject} may not be used by this account: set ${variable} to a port above 1023`;
  }
  if (fault === 'EADDRNOTAVAIL' || fault === 'ENOTFOUND') {
    return `${host} is no address of this machine: set HOST to one that is`;
  }
  return `${subject} cannot be used (${fault}): set ${variable} to another port, or HOST`;
}

async function lastingFault(port: number, host: string): Promise<string | null> {
  for (let attempt = 1; ; attempt += 1) {
    const fault = await listenFault(port, host);
    if (fault !== 'EADDRINUSE' || attempt === 10) return fault;
    await sleep(100);
  }
}

/** The code of the error that listening gives, or null. */
function listenFault(port: number, host: string): Promise<string | null> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => done(null)));
  });
}
