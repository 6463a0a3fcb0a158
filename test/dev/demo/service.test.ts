import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DemoConfig, readDemoConfig } from '../../../dev/demo/config.ts';
import { findOrStartService } from '../../../dev/demo/service.ts';
import { identifyProcess } from '../../../dev/postgres/process.ts';
import { eventually } from '../../support/factory.ts';
import { patience } from '../../support/patience.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'service-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function configAt(port: number): Promise<DemoConfig> {
  return readDemoConfig({ PORT: String(port), DATA_DIR: folder, PATH: '' });
}

async function entry(source: string): Promise<string> {
  const file = join(folder, 'service.mjs');
  await writeFile(file, source);
  return file;
}

const listening = `
  import { createServer } from 'node:http';
  createServer((request, response) => response.end()).listen(process.env.PORT, '127.0.0.1');
`;
const answers = (baseUrl: string): Promise<boolean> =>
  fetch(`${baseUrl}/readyz`, { headers: { Connection: 'close' } }).then(
    (response) => response.ok,
    () => false,
  );

test('uses a service that is ready and leaves it running', async () => {
  const server = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const config = await configAt((server.address() as AddressInfo).port);
  const service = await findOrStartService(config, patience(), '/nowhere');
  expect(service.startedHere).toBe(false);
  await service.stop();
  expect(await answers(config.baseUrl)).toBe(true);
  server.close();
  server.closeAllConnections();
});

test('starts one where none is, and stops it', async () => {
  const config = await configAt(await freePort());
  const file = await entry(listening);
  const service = await findOrStartService(config, patience(), file);
  expect(service.startedHere).toBe(true);
  expect(await answers(config.baseUrl)).toBe(true);
  await service.stop();
  expect(service.ended.aborted).toBe(true);
  expect(await answers(config.baseUrl)).toBe(false);
});

test('shows the end of the log of a service that does not start', async () => {
  const config = await configAt(await freePort());
  const file = await entry(`console.error('the port is taken'); process.exit(1);`);
  await expect(findOrStartService(config, patience(), file)).rejects.toThrow(
    /did not start:\n(.|\n)*the port is taken/,
  );
});

test('waits for one that runs and does not answer yet, and leaves it running', async () => {
  const config = await configAt(await freePort());
  const server = createServer((_request, response) => response.end());
  const pidFile = join(folder, 'pid');
  const file = await entry(
    `import { writeFileSync } from 'node:fs';
     writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));
     process.exit(3);`,
  );
  const finding = findOrStartService(config, patience(), file);
  // It answers only when the one that was started has ended, which says that another one runs.
  await eventually(async () => {
    const pid = Number(await readFile(pidFile, 'utf8').catch(() => ''));
    return pid > 0 && identifyProcess(pid) === null;
  });
  server.listen(Number(new URL(config.baseUrl).port), '127.0.0.1');
  const service = await finding;
  expect(service.startedHere).toBe(false);
  await service.stop();
  expect(await answers(config.baseUrl)).toBe(true);
  server.close();
  server.closeAllConnections();
});

test('fails at once where the folder has a service at another port', async () => {
  const config = await configAt(await freePort());
  const line = 'already running (pid 7) at http://localhost:1: stop it, or set DATA_DIR';
  const file = await entry(`console.error(${JSON.stringify(line)}); process.exit(3);`);
  await expect(findOrStartService(config, patience(), file)).rejects.toThrow(line);
});

test('stops one that is never ready when time is up', async () => {
  const config = await configAt(await freePort());
  const file = await entry('setInterval(() => {}, 1000);');
  await expect(findOrStartService(config, AbortSignal.timeout(800), file)).rejects.toThrow(
    `No service is ready at ${config.baseUrl}: ECONNREFUSED`,
  );
});

test('does not start a service in the place of one on another machine', async () => {
  const config = readDemoConfig({ DEMO_BASE_URL: 'https://localhost:1/', DATA_DIR: folder });
  await expect(findOrStartService(config, patience())).rejects.toThrow(
    'No service is ready at https://localhost:1: bad port.',
  );
});
