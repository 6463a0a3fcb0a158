import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { ServerCertificate } from '../../dev/demo/x509.ts';

export interface TestHttpsServer {
  readonly port: number;
  /** TCP connections so far, those without a finished handshake included. */
  connections(): number;
  /** Server names that clients asked for, one for each connection; null where there was none. */
  readonly serverNames: (string | null)[];
  /** Ends every connection with a TCP reset. */
  reset(): void;
  close(): Promise<void>;
}

/** A real HTTPS server on 127.0.0.1 and a free port. `close` cuts what is open. */
export async function startHttpsServer(
  certificate: ServerCertificate,
  listener: RequestListener,
): Promise<TestHttpsServer> {
  const server = createServer(certificate, listener);
  const sockets = new Set<Socket>();
  const serverNames: (string | null)[] = [];
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('secureConnection', (socket) => {
    serverNames.push(typeof socket.servername === 'string' ? socket.servername : null);
  });
  server.on('tlsClientError', () => {}); // clients that refuse the certificate are the test's matter
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    serverNames,
    reset() {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
