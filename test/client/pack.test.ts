import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { programFolders } from '../support/config.ts';
import { longTestMs } from '../support/patience.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const tsc = join(root, 'node_modules/.bin/tsc');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pack-'));
});
afterEach(() => rm(folder, { recursive: true }));

const sample = `
import { createPayoutClient, type Payout } from 'payout-orchestration-client';
const client = createPayoutClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'pos_sandbox_x', maxRetries: 0 });
export const asked: Promise<{ payout: Payout }> = client.getPayout({ path: { payoutId: 'pay_1' } });
asked.catch((error: Error) => console.log(error.name));
`;

/** A registry that has one package: a compiler, which calls the one that is installed here. */
async function startRegistry(): Promise<{ url: string; close(): void }> {
  const made = join(folder, 'typescript');
  await mkdir(made);
  const manifest = { name: 'typescript', version: '7.0.2', bin: { tsc: 'tsc.js' } };
  const program = `#!/usr/bin/env node
require('node:child_process').execFileSync(${JSON.stringify(tsc)}, process.argv.slice(2), { stdio: 'inherit' });
`;
  await writeFile(join(made, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(made, 'tsc.js'), program);
  await run('npm', ['pack', './typescript'], { cwd: folder });
  const tarball = await readFile(join(folder, 'typescript-7.0.2.tgz'));
  const server = createServer((request, response) => {
    if (request.url?.endsWith('.tgz') === true) {
      response.end(tarball);
      return;
    }
    const dist = { tarball: `${url}/typescript-7.0.2.tgz` };
    const versions = { '7.0.2': { ...manifest, dist } };
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ name: 'typescript', 'dist-tags': { latest: '7.0.2' }, versions }),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server has one while it listens
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

test(
  'the folder alone makes a package that a program compiles with',
  async () => {
    const registry = await startRegistry();
    const elsewhere = programFolders.filter((path) => !path.includes('node_modules/.bin'));
    const env = {
      HOME: folder,
      PATH: [dirname(process.execPath), ...elsewhere].join(delimiter),
      npm_config_registry: registry.url,
      npm_config_cache: join(folder, 'cache'),
      npm_config_audit: 'false',
    };
    await cp(join(root, 'client'), join(folder, 'client'), { recursive: true });
    const { stdout } = await run('npm', ['pack', './client'], { cwd: folder, env });
    registry.close();
    const tarball = stdout.trim().split('\n').at(-1) ?? '';
    const app = join(folder, 'app');
    await mkdir(app);
    await writeFile(join(app, 'package.json'), '{"type":"module"}');
    await writeFile(join(app, 'sample.ts'), sample);
    await run('npm', ['install', '--offline', join(folder, tarball)], { cwd: app, env });
    const options = '--strict --module nodenext --target es2022 --lib es2022,dom'.split(' ');
    await run(tsc, [...options, '--types', '', 'sample.ts'], { cwd: app });
    const { stdout: said } = await run(process.execPath, ['sample.js'], { cwd: app });
    expect(said).toBe('ConnectionError\n');
    const { stdout: help } = await run('npx', ['--offline', 'payouts', '--help'], {
      cwd: app,
      env,
    });
    expect(help).toContain('payouts listen --forward-to');
  },
  longTestMs,
);
