import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../dev/postgres/embedded.ts';
import { blocksOf } from '../docs/blocks.ts';
import { eventually } from '../support/factory.ts';
import { execute, within } from '../support/given-server.ts';
import { longTestMs } from '../support/patience.ts';
import { findPostgresPrograms } from './postgres-programs.ts';
import { startShipped } from '../support/shipped.ts';

const root = join(import.meta.dirname, '../..');
const programs = findPostgresPrograms();
const needed = 'needs pg_dump 18 in PATH or at TEST_POSTGRES_BIN';

/** A cluster of an installation, whose owner is no superuser. */
interface Cluster {
  readonly postgres: EmbeddedPostgres;
  readonly settings: Readonly<Record<string, string>>;
}

let folder: string;
const clusters: Cluster[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'restore-'));
  chmodSync(folder, 0o755);
});
afterAll(async () => {
  for (const { postgres } of clusters) await postgres.stop();
  rmSync(folder, { recursive: true });
});

async function startCluster(name: string): Promise<Cluster> {
  const postgres = await startEmbeddedPostgres({
    dataDir: join(folder, name, 'postgres'),
    database: 'first',
    settings: { fsync: 'off' },
    log: () => {},
  });
  await execute(
    postgres.url,
    `CREATE ROLE payouts LOGIN CREATEROLE PASSWORD 'owner'`,
    'CREATE DATABASE payouts OWNER payouts',
  );
  const as = (username: string, password: string): string =>
    Object.assign(new URL(within(postgres.url, 'payouts')), { username, password }).href;
  const cluster = {
    postgres,
    settings: {
      MIGRATION_DATABASE_URL: as('payouts', 'owner'),
      DATABASE_URL: as('payouts_app', 'service'),
    },
  };
  clusters.push(cluster);
  return cluster;
}

/** Runs lines of the page in a shell, in the folder of the project, with the dump in a folder of the test. */
async function shell(lines: string, { settings }: Cluster): Promise<string> {
  const path = [programs, dirname(process.execPath), '/usr/bin', '/bin'].join(':');
  const command = lines.replaceAll('payouts.dump', join(folder, 'payouts.dump'));
  const child = spawn('/bin/sh', ['-ec', command], {
    cwd: root,
    env: { PATH: path, HOME: folder, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const [out, error, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  expect({ code }, `${command}\n${out}\n${error}`).toEqual({ code: 0 });
  return out;
}

const blockWith = (word: string): string => {
  const found = blocksOf('docs/operating.md').filter((block) => block.text.includes(word));
  expect(found).toHaveLength(1);
  return found[0]?.text ?? '';
};

/** An API of this cluster, and what it answers. */
async function startApi({ settings }: Cluster) {
  const { DATABASE_URL } = settings;
  const api = startShipped('api', { DATABASE_URL: DATABASE_URL ?? '', PORT: '0' });
  const { port } = await api.said('API started');
  const base = `http://127.0.0.1:${String(port)}`;
  await eventually(async () => (await fetch(`${base}/readyz`)).ok);
  const call = async (method: string, path: string, key?: string, body?: object) => {
    const answer = await fetch(base + path, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answered = await answer.text();
    expect(answer.ok, answered).toBe(true);
    return JSON.parse(answered);
  };
  return { call, stop: () => api.stop() };
}

describe.skipIf(programs === null)(`a restore (${needed})`, () => {
  test(
    'goes as the page prints it, on a new cluster, and pays nothing before somebody looked',
    async () => {
      const before = await startCluster('before');
      await shell('node src/migrate.ts', before);
      const first = await startApi(before);
      const { api_key: apiKey } = await first.call('POST', '/v1/registration', undefined, {
        email: 'ada@example.com',
        company_name: 'Backup Ltd',
      });
      const key = apiKey.key as string;
      const { beneficiary } = await first.call('POST', '/v1/beneficiaries', key, {
        beneficiary_type: 'person',
        email: 'payee@example.com',
        first_name: 'Ada',
        last_name: 'Lovelace',
        country_of_residence: 'US',
        date_of_birth: '1990-04-01',
        acknowledged: true,
      });
      await first.stop();
      await shell(blockWith('pg_dump --'), before);

      const after = await startCluster('after');
      const said = await shell(blockWith('pg_restore'), after);
      expect(said).toContain('disburse_payout');
      const second = await startApi(after);
      // The keyring opens what was encrypted before, and the key of before is known.
      const found = await second.call('GET', `/v1/beneficiaries/${beneficiary.id}`, key);
      expect(found.beneficiary).toEqual(beneficiary);
      await second.stop();
      expect(await shell('npm run -s rotate-keys -- status', after)).toContain(
        'Every ciphertext is under dev.',
      );
      const url = after.settings['MIGRATION_DATABASE_URL'] ?? '';
      const asOwner = { ...after, settings: { OPS_DATABASE_URL: url } };
      expect(await shell('npm run -s ops -- paused_tasks', asOwner)).toContain('restored');
    },
    longTestMs,
  );
});
