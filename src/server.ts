import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from '../rest/app.ts';
import { createHttpServer } from '../rest/http/server.ts';
import { createGraphql } from '../schema/server.ts';
import { createAuthenticate } from './access/authenticate.ts';
import { loadConfig } from './process/config.ts';
import { armCrashPoint } from './process/crash-point.ts';
import { keepHeapSmall } from './process/heap.ts';
import { createReadiness } from './db/ready.ts';
import { startKeys } from './domain/encryption/ring.ts';
import { gracefully, onStopSignal, orEnd } from './process/lifetime.ts';
import { healthParts } from './process/health.ts';
import { shutdownDelayOf } from './process/settings/api.ts';
import { closeServices, createServices, startMetrics } from './process/services.ts';

/**
 * The API process: REST, GraphQL, provider events. SIGTERM makes it not ready; after SHUTDOWN_DELAY_MS it drains the
 * requests under way, and ends streams.
 */
keepHeapSmall();
const config = gracefully(() => loadConfig());
armCrashPoint(config.CRASH_POINT);
const services = gracefully(() => createServices(config, 'api'));
const authenticate = createAuthenticate(services.pool);
const readiness = createReadiness(services.pool, services.watch, healthParts(services));
services.watch.start();
const graphql = createGraphql(services);
const app = createApp(services, authenticate, graphql, readiness);

const server = createHttpServer(app, config.PUBLIC_URL);

server.on('error', (error) => {
  services.log.fatal({ message: error.message }, 'the API cannot listen');
  process.exit(1);
});

server.listen(config.PORT, config.HOST, () => {
  const { port } = server.address() as AddressInfo; // a TCP server has one while it listens
  services.log.info({ host: config.HOST, port }, 'API started');
});

const shutdownDelayMs = shutdownDelayOf(config);
onStopSignal(
  services.log,
  async () => {
    readiness.drain();
    // A balancer goes on sending until it has heard that this process is not ready.
    await sleep(shutdownDelayMs);
    const closed = server.drain();
    await graphql.stop();
    await closed;
    await closeServices(services);
  },
  shutdownDelayMs,
);

await orEnd(services.log, startKeys(services));
await startMetrics(services);
