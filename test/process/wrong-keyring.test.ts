import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createBeneficiary } from '../../src/domain/beneficiary/create.ts';
import { acceptRing } from '../../src/domain/encryption/ring.ts';
import { closeServices } from '../../src/process/services.ts';
import { callOf, rings, seedTenant, servicesWith } from '../domain/encryption/support.ts';
import { inherited } from '../support/config.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { eventually, makeTenant } from '../support/factory.ts';
import { freePort } from '../support/free-port.ts';

/*
 * The programs themselves with a keyring that is not the one of their database.
 */
const root = join(import.meta.dirname, '../..');
const key = () => randomBytes(32).toString('base64');
const wrong: [string, string, string][] = [
  ['lacks the key of the data', `k9:${key()}`, 'the key k1, under which data is encrypted'],
  ['has other bytes for it', `k1:${key()}`, 'the key k1 of the keyring has other bytes'],
];

const lastWords: Readonly<Record<string, string>> = {
  'server.ts': 'The keyring is not the one of this database.',
  'worker.ts': 'The keyring is not the one of this database.',
  'rotate-keys.tsstatus': 'These keys do not open the data.',
};

let database: TestDatabase;
let folder: string;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  database = await testDatabase();
  folder = await mkdtemp(join(tmpdir(), 'wrong-keyring-'));
  const services = servicesWith(database, rings.before);
  await seedTenant(database, services);
  expect(await acceptRing(services, services.keyring)).toEqual([]);
  await closeServices(services);
});
afterEach(async () => {
  for (const child of running) {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  running.clear();
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

function start(program: string, args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [join(root, 'src', program), ...args], {
    env: { ...inherited, NODE_ENV: 'test', LOG_LEVEL: 'info', DATABASE_URL: database.url, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const ended = once(child, 'exit').then(([status]) => status as number | null);
  const said = Promise.all([text(child.stdout), text(child.stderr)]).then((parts) =>
    parts.join(''),
  );
  return { child, ended, said };
}

it.each(
  wrong.flatMap(([name, ring, told]) => [
    { name, ring, told, program: 'server.ts', args: [] },
    { name, ring, told, program: 'worker.ts', args: [] },
    { name, ring, told, program: 'rotate-keys.ts', args: ['status'] },
    { name, ring, told, program: 'rotate-keys.ts', args: [] },
  ]),
)('$program $args ends where the ring $name, and says which', async (given) => {
  const { ended, said } = start(given.program, given.args, {
    ENCRYPTION_KEYS: given.ring,
    PORT: String(await freePort()),
  });
  expect(await ended).toBe(1);
  expect(await said).toContain(given.told);
  expect(await said).toContain(lastWords[given.program + given.args.join()] ?? '');
  expect(await said).not.toContain('Every ciphertext');
});

it('an API keeps its ring beside a bad one, and writes nothing once its own is wrong', async () => {
  const file = join(folder, 'keyring');
  await writeFile(file, rings.before);
  const port = await freePort();
  const { child } = start('server.ts', [], { ENCRYPTION_KEYS_FILE: file, PORT: String(port) });
  const call = (path: string, given: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, given);
  interface Told {
    readonly status: string;
    readonly reason?: string;
    readonly warnings?: string[];
  }
  const ready = async () => {
    const answer = await call('/readyz').catch(() => null);
    if (answer === null) return { status: null, body: null };
    return { status: answer.status, body: (await answer.json()) as Told };
  };
  await eventually(async () => (await ready()).status === 200);
  expect((await ready()).body).toEqual({ status: 'ready' });

  for (const [, ring] of wrong) {
    await writeFile(file, ring);
    child.kill('SIGHUP');
    await eventually(async () => (await ready()).body?.warnings?.[0]?.includes('key k1'));
    await writeFile(file, rings.before);
    child.kill('SIGHUP');
    await eventually(async () => (await ready()).body?.warnings === undefined);
  }

  // As after the database of another installation was restored under the running process.
  await database.pool.query(
    `UPDATE encryption_key SET probe = set_byte(probe, 40, 255 - get_byte(probe, 40))`,
  );
  child.kill('SIGHUP');
  const refused = await eventually(async () => {
    const answer = await ready();
    return answer.status === 503 ? answer.body : null;
  });
  expect(refused.reason).toContain('the key k1 of the keyring has other bytes');
  const { key: apiKey } = await makeTenant({ database });
  const created = await call('/v1/beneficiaries', {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      beneficiary_type: 'person',
      email: 'ada@example.com',
      first_name: 'Ada',
      last_name: 'Lovelace',
      country_of_residence: 'US',
      date_of_birth: '1990-04-01',
      acknowledged: true,
    }),
  });
  expect(created.status).toBe(503);
  expect(created.headers.get('retry-after')).not.toBeNull();
  expect(await created.json()).toMatchObject({ error: { code: 'service_unavailable' } });
});

it('an API that lacks the key of a newer row says so, and is not ready until it has it', async () => {
  const port = await freePort();
  const ring = { before: `a1:${key()}`, during: `a2:${key()}` };
  const file = join(folder, 'old-keyring');
  await writeFile(file, ring.before);
  const own = await testDatabase();
  try {
    const { child } = start('server.ts', [], {
      DATABASE_URL: own.url,
      ENCRYPTION_KEYS_FILE: file,
      PORT: String(port),
    });
    const get = (path: string, headers: Record<string, string> = {}) =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers }).catch(() => null);
    await eventually(async () => (await get('/readyz'))?.status === 200);

    const newer = servicesWith(own, `${ring.during},${ring.before}`);
    const { key: apiKey, tenantId } = await makeTenant({ database: own });
    await createBeneficiary(await callOf(newer, tenantId), {
      beneficiaryType: 'person',
      email: 'newer@example.com',
      firstName: 'Ada',
      lastName: 'Lovelace',
      countryOfResidence: 'US',
      dateOfBirth: '1990-04-01',
      acknowledged: true,
    });
    await closeServices(newer);
    const authorization = `Bearer ${apiKey}`;
    const read = await get('/v1/beneficiaries', { authorization });
    expect(read?.status).toBe(503);
    expect(read?.headers.get('retry-after')).not.toBeNull();
    expect(await read?.json()).toMatchObject({ error: { code: 'service_unavailable' } });
    await eventually(async () => (await get('/readyz'))?.status === 503);

    await writeFile(file, `${ring.during},${ring.before}`);
    child.kill('SIGHUP');
    await eventually(async () => (await get('/readyz'))?.status === 200);
    expect((await get('/v1/beneficiaries', { authorization }))?.status).toBe(200);
  } finally {
    await own.drop();
  }
});
