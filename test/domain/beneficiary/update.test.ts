import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Beneficiary } from '../../../generated/prisma/client.ts';
import { keyIdOf } from '../../../src/crypto/keyring.ts';
import { createBeneficiary } from '../../../src/domain/beneficiary/create.ts';
import { openIdentity, readBeneficiary } from '../../../src/domain/beneficiary/store.ts';
import { changeBeneficiary } from '../../../src/domain/beneficiary/update.ts';
import { newPass, rotatePage, type RotationPass } from '../../../src/domain/encryption/rotate.ts';
import { closeServices, type Call, type Services } from '../../../src/process/services.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';
import { makeTenant } from '../../support/factory.ts';
import { callOf, rings, servicesWith } from '../encryption/support.ts';

let database: TestDatabase;
let before: Services;
let during: Services;
let tenantId: string;

beforeAll(async () => {
  database = await testDatabase();
  before = servicesWith(database, rings.before);
  during = servicesWith(database, rings.during);
  ({ tenantId } = await makeTenant({ database }));
});
afterAll(async () => {
  await closeServices(before);
  await closeServices(during);
  await database.drop();
});

const identity = { dateOfBirth: '1970-12-10', taxId: 'TAX-1' };

/** A person whose birth date and tax id are under the old key. */
async function oldPayee(email: string): Promise<Beneficiary> {
  const call = await callOf(before, tenantId);
  const name = { firstName: 'Ada', lastName: 'Lovelace', countryOfResidence: 'GB' };
  return createBeneficiary(call, { beneficiaryType: 'person', email, ...name, ...identity });
}

async function rotateAll(): Promise<void> {
  let pass: RotationPass = newPass();
  for (let page = 0; page < 100; page += 1) {
    const { finished, ...next } = await rotatePage(during, pass);
    if (finished) return;
    pass = next;
  }
  throw new Error('the rotation does not end');
}

/** The same call, in which every key is rotated between the read and the transaction that writes. */
async function rotatedMeanwhile(): Promise<Call> {
  const call = await callOf(during, tenantId);
  const pool = new Proxy(during.pool, {
    get(target, name) {
      if (name !== 'connect') return Reflect.get(target, name, target) as unknown;
      return (...lend: Parameters<typeof target.connect>) =>
        // A lone statement of the pool passes a callback; a transaction takes the connection itself.
        lend.length > 0 ? target.connect(...lend) : rotateAll().then(() => target.connect());
    },
  });
  return { ...call, services: { ...during, pool } };
}

const keysOf = (row: Beneficiary) =>
  [row.dateOfBirthCiphertext, row.taxIdCiphertext].map((one) =>
    one === null ? null : keyIdOf(Buffer.from(one)),
  );

it('leaves what a rotation wrote meanwhile', async () => {
  const { id } = await oldPayee('one@example.com');
  const updated = await changeBeneficiary(await rotatedMeanwhile(), id, { nickname: 'Countess' });
  expect(keysOf(updated)).toEqual(['k2', 'k2']);
  const call = await callOf(during, tenantId);
  const row = await readBeneficiary(call, id);
  expect(row.nickname).toBe('Countess');
  expect(openIdentity(call, row)).toEqual(identity);
});

it('writes what the caller changes, and clears what the caller clears', async () => {
  const { id } = await oldPayee('two@example.com');
  const call = await rotatedMeanwhile();
  await changeBeneficiary(call, id, { dateOfBirth: '1970-12-11', taxId: null });
  const row = await readBeneficiary(call, id);
  expect(keysOf(row)).toEqual(['k2', null]);
  expect(openIdentity(call, row)).toEqual({ dateOfBirth: '1970-12-11', taxId: null });
});

it('changes nothing when the fields are the stored ones, in any spelling of the address', async () => {
  const { id, revision } = await oldPayee('three@example.com');
  const call = await callOf(before, tenantId);
  const same = { email: 'three@example.com', firstName: ' Ada ', taxId: 'TAX-1' };
  expect(await changeBeneficiary(call, id, same)).toMatchObject({ revision });
  const changed = await changeBeneficiary(call, id, {
    firstName: 'Augusta',
    beneficiaryType: 'person',
  });
  // Without an acknowledgment before, there is none to repeat.
  expect(changed).toMatchObject({ revision: revision + 1, reacknowledgmentRequired: false });
});

it.each([
  [{ beneficiaryType: 'business' }, { code: 'validation_failed' }],
  [{ businessName: 'Engines Ltd' }, { code: 'BENEFICIARY_IDENTITY_INVALID' }],
  [{ lastName: null }, { code: 'BENEFICIARY_IDENTITY_INCOMPLETE' }],
  [{ email: 'taken@example.com' }, { code: 'BENEFICIARY_EMAIL_ALREADY_EXISTS' }],
] as const)('refuses %j', async (given, refused) => {
  const { id, revision } = await oldPayee(`${randomUUID()}@example.com`);
  const call = await callOf(before, tenantId);
  if ('email' in given) await oldPayee(given.email);
  await expect(changeBeneficiary(call, id, given)).rejects.toMatchObject(refused);
  expect((await readBeneficiary(call, id)).revision).toBe(revision);
});
