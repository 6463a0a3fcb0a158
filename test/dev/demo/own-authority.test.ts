import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  authorityFile,
  issueServerCertificate,
  loadAuthority,
} from '../../../dev/demo/certificates.ts';
import { certificateFolder, readDemoConfig } from '../../../dev/demo/config.ts';
import { runDemo } from '../../../dev/demo/demo.ts';
import { startHarness, type Harness } from '../../support/harness.ts';
import { patience } from '../../support/patience.ts';

let folder: string;
let harness: Harness;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'own-authority-'));
  const caFile = authorityFile(join(folder, 'theirs'));
  await loadAuthority(join(folder, 'theirs'));
  harness = await startHarness({
    shipped: true,
    env: { WEBHOOK_EXTRA_CA_FILE: caFile, LOG_LEVEL: 'silent' },
  });
});
afterAll(async () => {
  await harness.close();
  await rm(folder, { recursive: true });
});

const runAt = (baseUrl: string): Promise<void> => {
  const config = readDemoConfig({ DEMO_BASE_URL: baseUrl, DATA_DIR: folder });
  return runDemo(config, patience(), () => undefined);
};

test('the demo says that the service does not trust its receiver, and what mends that', async () => {
  const mend = `WEBHOOK_EXTRA_CA_FILE=${authorityFile(certificateFolder(folder))}`;
  const failure = runAt(harness.baseUrl);
  await expect(failure).rejects.toThrow('The service cannot deliver to https://localhost:');
  await expect(failure).rejects.toThrow(/tls: .*certificate/);
  await expect(failure).rejects.toThrow(mend);
});

test('the demo says that it does not trust the service', async () => {
  const authority = await loadAuthority(join(folder, 'theirs'));
  const server = createServer(await issueServerCertificate(authority), (_request, response) =>
    response.end(),
  ).listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server has one while it listens
  await expect(runAt(`https://localhost:${port}`)).rejects.toThrow(
    /^No service is ready at .*UNABLE_TO_VERIFY_LEAF_SIGNATURE.*NODE_EXTRA_CA_CERTS/,
  );
  server.close();
  server.closeAllConnections();
});
