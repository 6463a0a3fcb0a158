import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';

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
