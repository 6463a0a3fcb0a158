import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** An address in front of PostgreSQL that stays the same while the server behind it changes. */
export interface CuttingProxy {
  readonly port: number;
  /**
   * Cuts every session and leads new ones to this port of 127.0.0.1; null refuses them. A session that was
   * left open would wait for a server that is gone.
   */
  leadTo(port: number | null): void;
  close(): Promise<void>;
}

export async function startCuttingProxy(): Promise<CuttingProxy> {
  let target: number | null = null;
  const sessions = new Set<Socket>();
  const follow = (one: Socket, other: Socket): void => {
    sessions.add(one);
    one.on('error', () => other.destroy());
    one.on('close', () => {
      sessions.delete(one);
      other.destroy();
    });
    one.pipe(other);
  };
  const server = createServer((client) => {
    if (target === null) {
      client.destroy();
      return;
    }
    const upstream = connect(target, '127.0.0.1');
    follow(client, upstream);
    follow(upstream, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const session of sessions) session.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port, // a TCP server has one while it listens
    leadTo(port) {
      target = port;
      cut();
    },
    async close() {
      server.close();
      cut();
      await once(server, 'close');
    },
  };
}
