import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { encryptedColumns } from '../../../src/domain/encryption/columns.ts';
import { newPass, rotatePage, type RotationStep } from '../../../src/domain/encryption/rotate.ts';
import { acceptRing, ringProblems } from '../../../src/domain/encryption/ring.ts';
import { sampleEachKey } from '../../../src/domain/encryption/store.ts';
import { createKeyring } from '../../../src/crypto/keyring.ts';
import { closeServices, type Services } from '../../../src/process/services.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';
import { recordStatements } from '../../support/plans.ts';
import { sessionsWait } from '../../support/sessions-wait.ts';
import { rings, seedTenant, servicesWith } from './support.ts';

const key = () => randomBytes(32).toString('base64');
const missing = (id: string) =>
  `the key ${id}, under which data is encrypted, is not in the keyring`;
const other = (id: string) =>
  `the key ${id} of the keyring has other bytes than the one that was used`;

let database: TestDatabase;
let services: Services;

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  await database.reset();
  services = servicesWith(database, rings.before);
});
afterEach(() => closeServices(services));
afterAll(() => database.drop());

const problemsOf = (ring: string) => ringProblems(services, createKeyring(ring));
const accept = (ring: string) => acceptRing(services, createKeyring(ring));

async function probes(): Promise<string[]> {
  const { rows } = await database.pool.query<{ id: string }>(
    'SELECT id FROM encryption_key WHERE probe IS NOT NULL ORDER BY id',
  );
  return rows.map(({ id }) => id);
}

describe('a ring is judged by what is stored', () => {
  beforeEach(async () => {
    await seedTenant(database, services);
    expect(await accept(rings.before)).toEqual([]);
  });

  it.each([
    ['lacks the key', `k9:${key()}`, [missing('k1')]],
    ['has the id with other bytes', `k1:${key()}`, [other('k1')]],
    ['is of another installation', `k1:${key()},k2:${key()}`, [other('k1')]],
    ['has another key in front of the wrong one', `k2:${key()},k1:${key()}`, [other('k1')]],
  ])('one that %s is refused by name, and makes no probe', async (_name, ring, told) => {
    expect(await problemsOf(ring)).toEqual(told);
    expect(await accept(ring)).toEqual(told);
    expect(await probes()).toEqual(['k1']);
  });

  it('the order of the keys is free, and a key gets its probe when it encrypts', async () => {
    const [k1, k2] = [rings.before, rings.after];
    expect(await accept(`${k1},${k2}`)).toEqual([]);
    expect(await probes()).toEqual(['k1']);
    expect(await accept(`${k2},${k1}`)).toEqual([]);
    expect(await probes()).toEqual(['k1', 'k2']);
    // Nothing is stored under it yet: its probe alone tells.
    expect(await problemsOf(`k2:${key()},${k1}`)).toEqual([other('k2')]);
  });

  it('a key that nothing is under may be dropped, and no other', async () => {
    const during = servicesWith(database, rings.during);
    expect(await accept(rings.during)).toEqual([]);
    let step: RotationStep = { ...newPass(), finished: false };
    while (!step.finished) {
      expect(await problemsOf(rings.after)).toEqual([missing('k1')]);
      step = await rotatePage(during, step);
    }
    expect(await problemsOf(rings.after)).toEqual([]);
    await closeServices(during);
  });

  it('values that do not open refuse a key although its probe opens', async () => {
    const k1 = `k1:${key()}`;
    await database.pool.query('DELETE FROM encryption_key');
    const ring = createKeyring(k1);
    const probe = ring.encryptUnder('k1', 'the probe of a key', {
      tenantId: '',
      row: 'k1',
      field: 'probe',
    });
    await database.pool.query('INSERT INTO encryption_key (id, probe) VALUES ($1, $2)', [
      'k1',
      probe,
    ]);
    expect(await problemsOf(k1)).toEqual([other('k1')]);
  });

  it('a damaged value refuses nobody while others open', async () => {
    await database.pool.query(
      `UPDATE beneficiary SET email_ciphertext = set_byte(email_ciphertext, 40, 255 - get_byte(email_ciphertext, 40))`,
    );
    expect(await problemsOf(rings.before)).toEqual([]);
  });

  it('a key that its owner marks as lost is missed by nobody, and is not replaced by other bytes', async () => {
    await database.pool.query(`UPDATE encryption_key SET lost_at = now() WHERE id = 'k1'`);
    expect(await accept(`k3:${key()}`)).toEqual([]);
    expect(await problemsOf(`k1:${key()}`)).toEqual([other('k1')]);
  });
});

describe('a database from before the probes', () => {
  it('has one made by a ring that opens its values, and by no other', async () => {
    await seedTenant(database, services);
    await database.pool.query('DELETE FROM encryption_key');
    expect(await accept(`k1:${key()}`)).toEqual([other('k1')]);
    expect(await accept(`k9:${key()}`)).toEqual([missing('k1')]);
    expect(await probes()).toEqual([]);
    expect(await accept(rings.during)).toEqual([]);
    expect(await probes()).toEqual(['k1', 'k2']);
  });
});

describe('an empty database', () => {
  it('takes one of two rings that give one id to different keys', async () => {
    const first = await database.pool.connect();
    const [mine, theirs] = [`k1:${key()}`, `k1:${key()}`];
    await first.query('BEGIN');
    const ring = createKeyring(mine);
    const place = { tenantId: '', row: 'k1', field: 'probe' };
    await first.query('INSERT INTO encryption_key (id, probe) VALUES ($1, $2)', [
      'k1',
      ring.encryptUnder('k1', 'the probe of a key', place),
    ]);
    const second = accept(theirs);
    await sessionsWait(database.pool, 1);
    await first.query('COMMIT');
    first.release();
    expect(await second).toEqual([other('k1')]);
    expect(await accept(mine)).toEqual([]);
  });
});

describe('what is looked at', () => {
  it('every encrypted column, under each key, by its index', async () => {
    await seedTenant(database, services);
    const during = servicesWith(database, rings.during);
    await seedTenant(database, during);
    await closeServices(during);
    const found = await sampleEachKey(services.pool);
    const tenants = encryptedColumns.filter(({ tenant }) => tenant !== null);
    for (const { name } of tenants) {
      const ids = found.filter(({ column }) => column === name).map(({ keyId }) => keyId);
      expect(new Set(ids), name).toEqual(new Set(['k1', 'k2']));
    }

    const recorded = recordStatements((text) => text.includes('get_byte'));
    await sampleEachKey(services.pool);
    recorded.stop();
    const [asked] = recorded.sent;
    const client = await services.pool.connect();
    // With few rows a table is read whole; what is asked here is whether it need not be.
    await client.query('BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off');
    const plan = await client.query<{ 'QUERY PLAN': string }>({
      text: `EXPLAIN ${asked?.text ?? ''}`,
      values: [...(asked?.values ?? [])],
    });
    await client.query('ROLLBACK');
    client.release();
    const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n');
    const { rows: indexes } = await database.pool.query<{ name: string }>(
      `SELECT i.indexname AS name FROM pg_indexes i WHERE i.indexdef LIKE '%get_byte(%'`,
    );
    expect(indexes).toHaveLength(tenants.length);
    for (const { name } of indexes) expect(text).toContain(`Index Scan using ${name} `);
  });
});
