import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { openDestination } from '../../../src/domain/bank-account/details.ts';
import { changeBeneficiary } from '../../../src/domain/beneficiary/update.ts';
import { findBeneficiary, openIdentity } from '../../../src/domain/beneficiary/store.ts';
import { openDraft } from '../../../src/domain/collection/draft.ts';
import { readForm } from '../../../src/domain/collection/request.ts';
import { openDocument } from '../../../src/domain/collection/tax-document-store.ts';
import { encryptedColumns } from '../../../src/domain/encryption/columns.ts';
import {
  keyUse,
  newPass,
  rotatePage,
  type KeyUse,
  type RotationPass,
  type RotationStep,
} from '../../../src/domain/encryption/rotate.ts';
import { runEnrollment } from '../../../src/domain/enrollment/run.ts';
import { findEnrollment } from '../../../src/domain/enrollment/store.ts';
import { openSecret } from '../../../src/domain/webhook/subscription/secret.ts';
import { closeServices, type Services } from '../../../src/process/services.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';
import {
  callOf,
  collectedParts,
  rings,
  seedMany,
  seedTenant,
  servicesWith,
  visibleRows,
  type SeededTenant,
} from './support.ts';

let database: TestDatabase;
let before: Services;
let during: Services;
let after: Services;

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  await database.reset();
  // A process reads the key of the hashes once, and a reset removes it.
  before = servicesWith(database, rings.before);
  during = servicesWith(database, rings.during);
  after = servicesWith(database, rings.after);
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const services of [before, during, after]) await closeServices(services);
});
afterAll(() => database.drop());

/** One whole walk; `from` is where an earlier one was killed. */
async function walk(services = during, from: RotationPass = newPass()): Promise<RotationStep> {
  let step: RotationStep = { ...from, finished: false };
  for (let page = 0; page < 200 && !step.finished; page += 1) {
    step = await rotatePage(services, step);
  }
  expect(step.finished).toBe(true);
  return step;
}

const keysOf = (uses: readonly KeyUse[]) => [...new Set(uses.map((use) => use.keyId))];

/** As the service reads it that has the new key alone. */
async function taxIdOf(tenantId: string, beneficiaryId: string): Promise<string | null> {
  const call = await callOf(after, tenantId);
  const row = await findBeneficiary(call, beneficiaryId);
  return row && openIdentity(call, row).taxId;
}

/** Reads everything the way the service does, with the new key alone. */
async function expectAllOpen({ tenantId, payees, ...tenant }: SeededTenant): Promise<void> {
  const call = await callOf(after, tenantId);
  for (const payee of payees) {
    const row = await findBeneficiary(call, payee.beneficiaryId);
    if (row === null) throw new Error('a payee is gone');
    const { dateOfBirth, taxId } = payee;
    expect(openIdentity(call, row)).toEqual({ dateOfBirth, taxId });
    for (const [index, accountNumber] of payee.accountNumbers.entries()) {
      const opened = await openDestination(call, payee.bankAccountId, index + 1);
      expect(opened).toMatchObject({ accountNumber, routingCode: '021000021' });
    }
  }
  const { rows } = await database.pool.query<{ secret: Buffer }>(
    'SELECT secret_ciphertext AS secret FROM webhook_subscription WHERE tenant_id = $1',
    [tenantId],
  );
  const ciphertext = rows[0]?.secret ?? Buffer.alloc(0);
  const opened = openSecret(after.keyring, call.scope, tenant.subscriptionId, ciphertext);
  expect(opened).toBe(tenant.secret);
  const form = await readForm(call, tenant.requestId);
  expect(openDraft(call, form.id, form.draft)).toEqual(collectedParts.draft);
  expect(await openDocument(call, tenant.documentId)).toEqual(collectedParts.file);
  const enrollment = await findEnrollment(after.pool, call.scope, tenant.enrollmentId);
  if (enrollment === null) throw new Error('the enrollment is gone');
  const provider = after.providers.forEnvironment('sandbox');
  if (provider === null) throw new Error('the sandbox has a provider');
  const enroll = vi
    .spyOn(provider, 'enroll')
    .mockImplementation(({ reference }) => Promise.resolve({ recipientId: 'rcp_1', reference }));
  expect(await runEnrollment(call, enrollment)).toMatchObject({ status: 'verified' });
  expect(enroll.mock.calls[0]?.[0].payee).toMatchObject({ taxNumber: payees[0]?.taxId });
  enroll.mockRestore();
}

/** Byte columns that the keyring does not encrypt: they have a key of their own or are no secret. */
const contents = new Set([
  'tax_document.content',
  'bank_batch.content',
  'bank_file_chunk.content',
  'export_chunk.content',
  'collection_branding.logo',
  'passkey.credential_id',
  'passkey.public_key',
  // What a passkey signed, and what proves it.
  'step_up.nonce',
  'step_up.challenge',
  'step_up.credential_id',
  'step_up.public_key',
  'step_up.authenticator_data',
  'step_up.client_data',
  'step_up.signature',
  // A digest of what an approval was about.
  'payout_decision.facts',
  // What it holds is known, and it stays under its own key.
  'encryption_key.probe',
  'proposed_change.digest',
]);

it('knows every encrypted column of the schema', async () => {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND data_type = 'bytea'`,
  );
  // Each byte column that is neither a hash nor a content has to be in the list.
  const stored = rows
    .map((row) => row.name)
    .filter((name) => !name.endsWith('_hash') && !contents.has(name));
  expect(encryptedColumns.map((column) => column.name).toSorted()).toEqual(stored.toSorted());
});

it('re-encrypts everything with the first key, so that the old one can be dropped, and changes nothing else', async () => {
  const tenants = [await seedTenant(database, before), await seedTenant(database, before)];
  const visible = await visibleRows(database);
  const counted = await keyUse(before);
  expect(keysOf(counted)).toEqual(['k1']);
  expect(new Set(counted.map((use) => use.column)).size).toBe(encryptedColumns.length);
  const total = counted.reduce((sum, use) => sum + use.ciphertexts, 0);

  expect(await walk()).toMatchObject({ reencrypted: total, missed: 0, unreadable: 0 });

  expect(await keyUse(after)).toEqual(counted.map((use) => ({ ...use, keyId: 'k2' })));
  expect(await visibleRows(database)).toBe(visible);
  for (const tenant of tenants) await expectAllOpen(tenant);
  expect(await walk()).toMatchObject({ reencrypted: 0, missed: 0, unreadable: 0 });
});

it('continues where it was killed, or from the start, and re-encrypts nothing twice', async () => {
  const total = 1_700;
  const tenantId = await seedMany(database, before, total);
  const done: number[] = [];
  let saved = newPass();
  // Every page is the last one of its process; what was not saved in time is done again.
  for (let page = 0; page < 60; page += 1) {
    const { finished, ...step } = await rotatePage(during, saved);
    const uses = await keyUse(during);
    done.push(uses.find((use) => use.keyId === 'k2')?.ciphertexts ?? 0);
    if (page % 3 !== 2) saved = step;
    if (finished) break;
  }
  expect(done).toEqual(done.toSorted((a, b) => a - b));
  expect(new Set(done)).toEqual(new Set([0, 500, 1_000, 1_500, total]));
  expect(await walk()).toMatchObject({ reencrypted: 0, missed: 0 });
  const { rows } = await database.pool.query<{ id: string; sealed: Buffer }>(
    'SELECT id, tax_id_ciphertext AS sealed FROM beneficiary',
  );
  for (const { id, sealed } of rows) {
    const place = { tenantId, row: id, field: 'tax_id' };
    expect(after.keyring.decrypt(sealed, place)).toBe(`tax id of ${id}`);
  }
});

it('sends the same number of statements whatever the size of the tables before and after', async () => {
  await seedMany(database, before, 1_600);
  const query = vi.spyOn(during.pool, 'query');
  const perPage: number[] = [];
  let step: RotationStep = { ...newPass(), finished: false };
  while (!step.finished && perPage.length < 60) {
    query.mockClear();
    step = await rotatePage(during, step);
    perPage.push(query.mock.calls.length);
  }
  // A read, and for the tax ids one write for the one tenant on each page.
  expect(perPage.every((queries) => queries <= 2)).toBe(true);
});

it('does not overwrite a change that comes between its read and its write', async () => {
  const tenant = await seedTenant(database, before);
  const call = await callOf(during, tenant.tenantId);
  const [payee] = tenant.payees;
  if (payee === undefined) throw new Error('no payee');
  const original = during.pool.query.bind(during.pool) as (query: unknown) => Promise<unknown>;
  let intruded = false;
  const spy = vi.spyOn(during.pool, 'query');
  spy.mockImplementation(async (query: unknown) => {
    const { name = '' } = query as { name?: string };
    if (name.startsWith('rotation_replace_beneficiary.tax') && !intruded) {
      intruded = true;
      await changeBeneficiary(call, payee.beneficiaryId, { taxId: 'CHANGED' });
    }
    return original(query);
  });
  expect(await walk()).toMatchObject({ missed: 1 });
  spy.mockRestore();
  expect(keysOf(await keyUse(during))).toEqual(['k2']);
  expect(await taxIdOf(tenant.tenantId, payee.beneficiaryId)).toBe('CHANGED');
});

it('skips a locked row and finds it in the next walk', async () => {
  const { tenantId } = await seedTenant(database, before);
  const ofPayees = (await keyUse(before)).filter(({ column }) => column.startsWith('beneficiary.'));
  const locked = ofPayees.reduce((sum, use) => sum + use.ciphertexts, 0);
  const writer = await database.pool.connect();
  try {
    await writer.query('BEGIN');
    await writer.query('SELECT FROM beneficiary WHERE tenant_id = $1 FOR SHARE', [tenantId]);
    expect(await walk()).toMatchObject({ missed: locked });
    await writer.query('COMMIT');
  } finally {
    writer.release();
  }
  expect(await walk()).toMatchObject({ reencrypted: locked, missed: 0 });
  expect(keysOf(await keyUse(during))).toEqual(['k2']);
});

it('leaves a ciphertext that no key opens, logs it without its content, and continues', async () => {
  const tenant = await seedTenant(database, before);
  const [one, two] = tenant.payees;
  await database.pool.query(
    `UPDATE beneficiary b SET tax_id_ciphertext = o.tax_id_ciphertext FROM beneficiary o
     WHERE b.id = $1 AND o.id = $2`,
    [one?.beneficiaryId, two?.beneficiaryId],
  );
  const error = vi.spyOn(during.log, 'error');
  expect(await walk()).toMatchObject({ unreadable: 1, missed: 0 });
  expect(error.mock.calls).toEqual([
    [
      {
        column: 'beneficiary.tax_id_ciphertext',
        tenant_id: tenant.tenantId,
        row: one?.beneficiaryId,
      },
      expect.any(String),
    ],
  ]);
  const uses = await keyUse(during);
  expect(uses.filter((use) => use.keyId === 'k1')).toEqual([
    { column: 'beneficiary.tax_id_ciphertext', keyId: 'k1', ciphertexts: 1 },
  ]);
});

it('keeps the last value of every concurrent writer', async () => {
  const tenants = [await seedTenant(database, before), await seedTenant(database, before)];
  const payees = tenants.flatMap((tenant) =>
    tenant.payees.map((payee) => ({ tenantId: tenant.tenantId, payee })),
  );
  const lastTaxId = new Map<string, string>();
  // One of the writers encrypts with the old key: it has not been restarted.
  const late = servicesWith(database, `${rings.before},${rings.after}`);
  async function write(services: Services, name: string): Promise<void> {
    for (let turn = 0; turn < 40; turn += 1) {
      const { tenantId, payee } = payees[turn % payees.length] ?? payees[0] ?? expect.unreachable();
      // Each payee has one writer, so that its last value is known.
      if ((turn % payees.length) % 2 !== (name === 'late' ? 0 : 1)) continue;
      const taxId = `${name}-${turn}`;
      await changeBeneficiary(await callOf(services, tenantId), payee.beneficiaryId, { taxId });
      lastTaxId.set(payee.beneficiaryId, taxId);
    }
  }
  let writing = true;
  const writers = Promise.all([write(late, 'late'), write(during, 'new')]).finally(() => {
    writing = false;
  });
  for (let walks = 0; writing && walks < 500; walks += 1) await walk();
  await writers;
  await closeServices(late);
  expect(await walk()).toMatchObject({ missed: 0, unreadable: 0 });
  expect(keysOf(await keyUse(during))).toEqual(['k2']);
  for (const { tenantId, payee } of payees) {
    const { beneficiaryId } = payee;
    expect(await taxIdOf(tenantId, beneficiaryId)).toBe(lastTaxId.get(beneficiaryId));
  }
  expect(lastTaxId.size).toBe(payees.length);
});
