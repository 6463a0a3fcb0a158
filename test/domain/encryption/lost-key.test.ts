import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  keyUse,
  newPass,
  rotatePage,
  type RotationStep,
} from '../../../src/domain/encryption/rotate.ts';
import { startKeys } from '../../../src/domain/encryption/ring.ts';
import { blocksOf } from '../../docs/blocks.ts';
import { eventually, makePayee, makeTenant } from '../../support/factory.ts';
import { startHarness, type Harness } from '../../support/harness.ts';

const newKey = () => randomBytes(32).toString('base64');
const [k1, k2, k3] = ['k1', 'k2', 'k3'].map((id) => `${id}:${newKey()}`);

let folder: string;
let harness: Harness;

/** Gives the running processes these keys, as whoever keeps the file does. */
async function giveKeys(...keys: (string | undefined)[]): Promise<void> {
  await writeFile(join(folder, 'keyring'), keys.join(','));
  process.emit('SIGHUP', 'SIGHUP');
  const ids = keys.map((key) => key?.slice(0, 2));
  await eventually(async () => String(harness.services.keyring.keyIds) === String(ids));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keys-'));
  await writeFile(join(folder, 'keyring'), String(k1));
  const env = { ENCRYPTION_KEYS_FILE: join(folder, 'keyring'), LOG_LEVEL: 'silent' };
  harness = await startHarness({ env });
  await startKeys(apart());
});
afterAll(async () => {
  await harness.close();
  await rm(folder, { recursive: true });
});

let calls = 0;

/** Pays the account and waits until it is settled. */
async function pay(key: string, beneficiaryId: string, bankAccountId: string): Promise<void> {
  const body = {
    beneficiary_id: beneficiaryId,
    bank_account_id: bankAccountId,
    amount_minor: 100,
    currency: 'USD',
    purpose_of_payment: 'payroll',
    idempotency_key: `pay ${(calls += 1)}`,
    validator_strategy: 'auto',
  };
  const created = await harness.rest('POST', '/v1/payouts', { key, body });
  expect(created.status, created.text).toBe(201);
  const path = `/v1/payouts/${created.body.payout.id}`;
  await eventually(
    async () => (await harness.rest('GET', path, { key })).body.payout.state === 'settled',
  );
}

/** What works across tenants, on a connection whose statements the harness does not check. */
const apart = () => ({ ...harness.services, pool: harness.database.pool });

async function rotate(): Promise<void> {
  let step: RotationStep = { ...newPass(), finished: false };
  while (!step.finished) step = await rotatePage(apart(), step);
}

it('rotates to a new key without a restart', async () => {
  const { key } = await makeTenant(harness);
  const { beneficiaryId, bankAccountId } = await makePayee(harness, key);
  await giveKeys(k1, k2);
  await giveKeys(k2, k1);
  await rotate();
  await giveKeys(k2);
  expect(new Set((await keyUse(apart())).map(({ keyId }) => keyId))).toEqual(new Set(['k2']));
  await pay(key, beneficiaryId, bankAccountId);
});

it('goes on after a key was lost, by the page that says how', async () => {
  const { key } = await makeTenant(harness);
  const { beneficiaryId } = await makePayee(harness, key);
  const path = `/v1/beneficiaries/${beneficiaryId}`;
  const [lost, forget] = blocksOf('docs/lost-and-leaked-keys.md').filter(
    ({ language }) => language === 'sql',
  );
  const ofK2 = (text: string | undefined) => String(text).replaceAll("'k1'", "'k2'");
  await harness.database.pool.query(ofK2(lost?.text));
  await giveKeys(k3);
  expect((await harness.rest('GET', path, { key })).status).toBe(503);

  await harness.database.pool.query(ofK2(forget?.text));
  const email = `${beneficiaryId}@erased.invalid`;
  const forgotten = { email, phone: null, date_of_birth: null };
  expect((await harness.rest('GET', path, { key })).body.beneficiary).toMatchObject(forgotten);

  const again = { email: 'again@example.com', date_of_birth: '1990-12-10' };
  expect((await harness.rest('PUT', path, { key, body: again })).status).toBe(200);
  expect(
    (await harness.rest('POST', `${path}/compliance-acknowledgment`, { key, body: {} })).status,
  ).toBe(200);
  const account = {
    account_holder_name: 'Ada Lovelace',
    country: 'US',
    currency: 'USD',
    routing_code: '021000021',
    account_number: '123456789',
  };
  const registered = await harness.rest('POST', `${path}/bank-accounts`, { key, body: account });
  expect(registered.status, registered.text).toBe(201);
  await pay(key, beneficiaryId, registered.body.bank_account.id);
});
