import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lastEmbeddedUrls } from '../../../src/db/embedded-url.ts';
import { eventually } from '../../support/factory.ts';
import { testMs } from '../../support/patience.ts';
import { placesOf } from '../../support/planted.ts';
import { environment } from './programs/config.ts';

const secret = 'Qzerased';
const email = `${secret}@example.com`;
const program = fileURLToPath(new URL('../../../dev/start.ts', import.meta.url));
let folder: string;
let child: ChildProcess | null = null;
let log = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'erased-'));
  chmodSync(folder, 0o755);
});
afterEach(async () => {
  await stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

async function stop(signal: NodeJS.Signals): Promise<void> {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}

/** Free ports, all open at once so that they differ. */
async function freePorts(count: number): Promise<string[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => String((server.address() as AddressInfo).port));
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

async function startService(): Promise<{ baseUrl: string; mailboxUrl: string; key: string }> {
  const [port = '', simulator = '', mailbox = '', smtp = ''] = await freePorts(4);
  child = spawn(process.execPath, [program], {
    env: {
      PATH: environment['PATH'],
      DATA_DIR: folder,
      PORT: port,
      SIMULATOR_PORT: simulator,
      MAILBOX_PORT: mailbox,
      SMTP_PORT: smtp,
      METRICS_PORT: '0',
      LOG_FORMAT: 'json',
      LOG_LEVEL: 'trace',
      SIMULATOR_PAUSE_MS: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  }
  const keyFile = join(folder, 'sandbox-key');
  const key = await eventually(() =>
    Promise.resolve(existsSync(keyFile) && readFileSync(keyFile, 'utf8').trim()),
  );
  return { baseUrl: `http://127.0.0.1:${port}`, mailboxUrl: `http://127.0.0.1:${mailbox}`, key };
}

/** The files of the service in which the secret stands, whatever its case. */
function filesWithSecret(): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => new RegExp(secret, 'i').test(readFileSync(path, 'latin1')))
    .map((path) => relative(folder, path));
}

/** PostgreSQL's write-ahead log holds what was written until its files are used again (docs/personal-data.md). */
const outsideWal = (path: string): boolean => !path.includes('/pg_wal/');

test(
  'an erased payee is in no table, file or log line of a whole service',
  { timeout: testMs },
  async () => {
    const { baseUrl, mailboxUrl, key } = await startService();
    const ask = async (method: string, path: string, body?: unknown) => {
      const answer = await fetch(`${baseUrl}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      expect(answer.ok, text).toBe(true);
      return JSON.parse(text);
    };
    const { beneficiary } = await ask('POST', '/v1/beneficiaries', {
      beneficiary_type: 'person',
      email,
      nickname: secret,
      first_name: 'Erika',
      last_name: 'Mustermann',
      country_of_residence: 'US',
      date_of_birth: '1971-07-17',
      acknowledged: true,
    });
    const { bank_account: account } = await ask(
      'POST',
      `/v1/beneficiaries/${beneficiary.id}/bank-accounts`,
      {
        account_holder_name: `${secret} holder`,
        country: 'US',
        currency: 'USD',
        routing_code: '021000021',
        account_number: '000998877665',
        bank_name: `${secret} bank`,
      },
    );
    await ask('POST', '/v1/beneficiaries/collection-invites', {
      invites: [{ beneficiary_id: beneficiary.id, scope: 'tax_documents' }],
    });
    const mailbox = join(folder, 'mailbox.jsonl');
    await eventually(() =>
      Promise.resolve(existsSync(mailbox) && readFileSync(mailbox, 'utf8').includes(secret)),
    );
    const { payout } = await ask('POST', '/v1/payouts', {
      beneficiary_id: beneficiary.id,
      bank_account_id: account.id,
      amount_minor: 1_000,
      currency: 'USD',
      purpose_of_payment: 'contractor_payment',
      idempotency_key: 'erased',
      validator_strategy: 'auto',
      metadata: { note: secret },
    });
    await eventually(async () => {
      const { payout: now } = await ask('GET', `/v1/payouts/${payout.id}`);
      return now.state === 'settled';
    });

    const database = new pg.Client({ connectionString: lastEmbeddedUrls(folder)?.owner });
    await database.connect();
    try {
      await database.query('CHECKPOINT');
      expect(filesWithSecret().some((path) => path.includes('postgres/base/'))).toBe(true);
      await ask('POST', `/v1/beneficiaries/${beneficiary.id}/erase`, { ground: 'payee_request' });
      const forgotten = await fetch(`${mailboxUrl}/mails?to=${encodeURIComponent(email)}`, {
        method: 'DELETE',
      });
      expect(await forgotten.json()).toEqual({ removed: 1 });
      expect(await placesOf(database, secret)).toEqual([]);
      // Pages keep the bytes of old rows until they are written again.
      await database.query('VACUUM FULL');
      await database.query('CHECKPOINT');
    } finally {
      await database.end();
    }
    await stop('SIGTERM');
    expect(filesWithSecret().filter(outsideWal)).toEqual([]);
    expect(log).not.toContain(secret);
  },
);
