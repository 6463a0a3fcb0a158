import type { AddressInfo } from 'node:net';
import { createApp } from '../../rest/app.ts';
import { createHttpServer } from '../../rest/http/server.ts';
import { createGraphql } from '../../schema/server.ts';
import { createAuthenticate } from '../../src/access/authenticate.ts';
import type { Config } from '../../src/process/config.ts';
import { closeServices, createServices } from '../../src/process/services.ts';

export interface SecondApi {
  readonly url: string;
  /** Ends its streams, as a process that stops does it. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

/** A further API on the database of the settings, with connections, limits and a feed of its own. */
export async function startSecondApi(config: Config): Promise<SecondApi> {
  const services = createServices(config, 'api');
  services.watch.start();
  const graphql = createGraphql(services);
  const app = createApp(services, createAuthenticate(services.pool), graphql);
  const server = createHttpServer(app, config.PUBLIC_URL);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    // A TCP server has one while it listens.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => graphql.stop(),
    async close() {
      await graphql.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await closeServices(services);
    },
  };
}
