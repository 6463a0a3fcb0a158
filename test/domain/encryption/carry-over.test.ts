import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { startWorker } from '../../../jobs/runner.ts';
import { openDestination, openHolder } from '../../../src/domain/bank-account/details.ts';
import { registerBankAccount } from '../../../src/domain/bank-account/register.ts';
import { findBankAccount } from '../../../src/domain/bank-account/store.ts';
import { createBeneficiary } from '../../../src/domain/beneficiary/create.ts';
import { archiveBeneficiary } from '../../../src/domain/beneficiary/archive.ts';
import { findBeneficiary, openContact, openEmail } from '../../../src/domain/beneficiary/store.ts';
import { changeBeneficiary } from '../../../src/domain/beneficiary/update.ts';
import { inviteBeneficiaries } from '../../../src/domain/collection/invite.ts';
import { startRotation } from '../../../src/domain/encryption/job.ts';
import { openPersonal } from '../../../src/domain/encryption/personal.ts';
import {
  keyUse,
  newPass,
  rotatePage,
  type RotationStep,
} from '../../../src/domain/encryption/rotate.ts';
import { hasClearValues } from '../../../src/domain/encryption/store.ts';
import { closeServices, type Call, type Services } from '../../../src/process/services.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually, makeTenant } from '../../support/factory.ts';
import { longTestMs } from '../../support/patience.ts';
import { countClearValues, putHolderInClear, putInClear, type ToldInClear } from './in-clear.ts';
import { callOf, rings, servicesWith } from './support.ts';

let database: TestDatabase;
let services: Services;
let call: Call;

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  await database.reset();
  services = servicesWith(database, rings.before);
  call = await callOf(services, (await makeTenant({ database })).tenantId);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await closeServices(services);
});
afterAll(() => database.drop());

const told = (email: string): Required<ToldInClear> => ({
  email,
  phone: '+44 20 7946 0000',
  registrationNumber: 'REG-1',
  postalAddress: { city: 'London', line1: '1 Analytical Row', country: 'GB' },
  maskedBankDetails: { iban: '****3000' },
});

const company = { beneficiaryType: 'business', businessName: 'Engines Ltd' } as const;

/** A company that an older release has stored. */
async function inClear(email: string): Promise<string> {
  const { id } = await createBeneficiary(call, { ...company, email });
  await putInClear(database, new Map([[id, told(email)]]));
  return id;
}

async function toldOf(id: string): Promise<unknown> {
  const row = await findBeneficiary(call, id);
  if (row === null) throw new Error('the beneficiary is gone');
  const { email, phone, postalAddress } = openContact(call, row);
  return {
    email,
    phone,
    postalAddress,
    registrationNumber: openPersonal(call, 'beneficiary', row, 'registrationNumber'),
    maskedBankDetails: JSON.parse(
      openPersonal(call, 'beneficiary', row, 'maskedBankDetails') ?? 'null',
    ),
  };
}

async function walk(): Promise<RotationStep> {
  let step: RotationStep = { ...newPass(), finished: false };
  for (let page = 0; page < 100 && !step.finished; page += 1) {
    step = await rotatePage(services, step);
  }
  expect(step.finished).toBe(true);
  return step;
}

const emailTaken = { code: 'BENEFICIARY_EMAIL_ALREADY_EXISTS' };

it('reads a row in clear as one that is carried over, and changes nothing that anybody can see', async () => {
  const id = await inClear('Clear@Example.com');
  expect(await toldOf(id)).toEqual(told('Clear@Example.com'));
  const seen = await findBeneficiary(call, id);
  expect(await walk()).toMatchObject({ reencrypted: 5, missed: 0, unreadable: 0 });
  expect(await countClearValues(database)).toBe(0);
  expect(await toldOf(id)).toEqual(told('Clear@Example.com'));
  const { revision, updatedAt } = (await findBeneficiary(call, id)) ?? {};
  expect({ revision, updatedAt }).toEqual({ revision: seen?.revision, updatedAt: seen?.updatedAt });
  expect(await walk()).toMatchObject({ reencrypted: 0 });
});

it('reads the name on an account in either form, and gives it to the provider', async () => {
  const { id } = await createBeneficiary(call, { ...company, email: 'one@example.com' });
  const {
    account: { id: accountId },
  } = await registerBankAccount(call, id, {
    accountHolderName: 'Engines Ltd',
    country: 'US',
    currency: 'USD',
    routingCode: '021000021',
    accountNumber: '000123456789',
  });
  await putHolderInClear(database, id, 'Old Engines');
  const names = async () => {
    const account = await findBankAccount(services.pool, call.scope, accountId);
    if (account === null) throw new Error('the account is gone');
    const { accountHolderName } = await openDestination(call, accountId, 1);
    return [openHolder(call, 'bankAccount', account), accountHolderName];
  };
  expect(await names()).toEqual(['Old Engines', 'Old Engines']);
  expect(await walk()).toMatchObject({ reencrypted: 2, missed: 0 });
  expect(await countClearValues(database)).toBe(0);
  expect(await names()).toEqual(['Old Engines', 'Old Engines']);
});

it.each(['in clear', 'carried over'])('keeps an address unique that is %s', async (state) => {
  const id = await inClear('one@example.com');
  if (state === 'carried over') await walk();
  const email = 'ONE@example.com';
  await expect(createBeneficiary(call, { ...company, email })).rejects.toMatchObject(emailTaken);
  const other = await createBeneficiary(call, { ...company, email: 'two@example.com' });
  await expect(changeBeneficiary(call, other.id, { email })).rejects.toMatchObject(emailTaken);
  const [invited] = await inviteBeneficiaries(call, [{ email, beneficiaryType: 'business' }]);
  expect(invited).toMatchObject({ status: 'invited', beneficiaryId: id });
  // Its own address in another spelling is no other's.
  expect(openEmail(call, await changeBeneficiary(call, id, { email }))).toBe(email);
  await archiveBeneficiary(call, id);
  expect((await createBeneficiary(call, { ...company, email })).id).not.toBe(id);
});

it('encrypts what a change writes, and leaves the rest to the walk', async () => {
  const id = await inClear('one@example.com');
  await changeBeneficiary(call, id, { phone: '+1 202 555 0100', nickname: 'Engines' });
  const { rows } = await database.pool.query(
    'SELECT phone, email, phone_ciphertext IS NULL AS open FROM beneficiary WHERE id = $1',
    [id],
  );
  expect(rows).toEqual([{ phone: null, email: 'one@example.com', open: false }]);
  const changed = { ...told('one@example.com'), phone: '+1 202 555 0100' };
  expect(await toldOf(id)).toEqual(changed);
  await changeBeneficiary(call, id, { registrationNumber: null });
  await walk();
  expect(await toldOf(id)).toEqual({ ...changed, registrationNumber: null });
});

it('does not overwrite a change that comes between its read and its write', async () => {
  const id = await inClear('one@example.com');
  const original = services.pool.query.bind(services.pool) as (query: unknown) => Promise<unknown>;
  let intruded = false;
  const spy = vi.spyOn(services.pool, 'query');
  spy.mockImplementation(async (query: unknown) => {
    const { name = '' } = query as { name?: string };
    if (name.startsWith('rotation_replace_beneficiary.phone') && !intruded) {
      intruded = true;
      await changeBeneficiary(call, id, { phone: '+1 202 555 0199' });
    }
    return original(query);
  });
  expect(await walk()).toMatchObject({ missed: 1 });
  spy.mockRestore();
  expect(await toldOf(id)).toMatchObject({ phone: '+1 202 555 0199' });
  expect(await countClearValues(database)).toBe(0);
});

it('keeps what a caller changed while the row was carried over', async () => {
  const id = await inClear('one@example.com');
  const pool = new Proxy(services.pool, {
    get(target, name) {
      if (name !== 'connect') return Reflect.get(target, name, target) as unknown;
      // Between the read of the change and its transaction.
      // A lone statement of the pool passes a callback; a transaction takes the connection itself.
      return (...lend: Parameters<typeof target.connect>) =>
        lend.length > 0 ? target.connect(...lend) : walk().then(() => target.connect());
    },
  });
  await changeBeneficiary({ ...call, services: { ...services, pool } }, id, { phone: null });
  expect(await toldOf(id)).toEqual({ ...told('one@example.com'), phone: null });
  expect(await countClearValues(database)).toBe(0);
});

it('goes past two rows in clear with one address, and says that one is left', async () => {
  const first = await inClear('one@example.com');
  const second = await inClear('two@example.com');
  await walk();
  // A process of an older release does not see the hashes.
  await putInClear(database, new Map([[second, told('one@example.com')]]));
  expect(await walk()).toMatchObject({ reencrypted: 4, missed: 1 });
  const left = (await keyUse(services)).filter(({ keyId }) => keyId === null);
  expect(left).toEqual([{ column: 'beneficiary.email_ciphertext', keyId: null, ciphertexts: 1 }]);
  await archiveBeneficiary(call, first);
  expect(await walk()).toMatchObject({ reencrypted: 1, missed: 0 });
});

it('makes hashes again that are missing, as after their key was lost', async () => {
  const { id } = await createBeneficiary(call, { ...company, email: 'one@example.com' });
  await database.pool.query('UPDATE beneficiary SET email_hash = NULL; DELETE FROM lookup_key');
  expect(await hasClearValues(database.pool)).toBe(true);
  await closeServices(services);
  services = servicesWith(database, rings.before);
  call = { ...call, services };
  expect(await walk()).toMatchObject({ reencrypted: 1 });
  expect(await hasClearValues(database.pool)).toBe(false);
  const email = 'ONE@example.com';
  await expect(createBeneficiary(call, { ...company, email })).rejects.toMatchObject(emailTaken);
  expect(await toldOf(id)).toMatchObject({ email: 'one@example.com' });
});

it(
  'is begun by the clock while something lies in clear, with one key too',
  { timeout: longTestMs },
  async () => {
    await inClear('one@example.com');
    const worker = await startWorker(services);
    try {
      await startRotation(services);
      await eventually(async () => (await countClearValues(database)) === 0);
    } finally {
      await worker.stop();
    }
    expect(await hasClearValues(database.pool)).toBe(false);
  },
);
