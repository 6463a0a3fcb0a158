import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createBeneficiary } from '../../../src/domain/beneficiary/create.ts';
import { lookupHash } from '../../../src/domain/encryption/lookup.ts';
import {
  openPersonal,
  personal,
  sealPersonal,
  type PersonalFieldOf,
} from '../../../src/domain/encryption/personal.ts';
import { newPass, rotatePage, type RotationStep } from '../../../src/domain/encryption/rotate.ts';
import { newId } from '../../../src/values/ids.ts';
import { closeServices, type Services } from '../../../src/process/services.ts';
import { inherited } from '../../support/config.ts';
import { testDatabase, type TestDatabase } from '../../support/database.ts';
import { makeTenant } from '../../support/factory.ts';
import { longTestMs } from '../../support/patience.ts';
import { countClearValues } from './in-clear.ts';
import { callOf, rings, servicesWith } from './support.ts';

let database: TestDatabase;
let before: Services;
/** Another process with the keys of `before`. */
let alike: Services;
let during: Services;
let after: Services;
let tenantId: string;

beforeAll(async () => {
  database = await testDatabase();
  before = servicesWith(database, rings.before);
  alike = servicesWith(database, rings.before);
  during = servicesWith(database, rings.during);
  after = servicesWith(database, rings.after);
});
beforeEach(async () => {
  ({ tenantId } = await makeTenant({ database }));
});
afterAll(async () => {
  for (const services of [before, alike, during, after]) await closeServices(services);
  await database.drop();
});

const fields = (Object.keys(personal) as (keyof typeof personal)[]).flatMap((model) =>
  Object.keys(personal[model].fields).map((field) => [model, field] as const),
);

it.each(fields)('a ciphertext of %s %s opens in its place alone', (model, name) => {
  const call = { scope: { tenantId: 'one' }, services: before };
  // Each model is given the key of all: a test may not depend on which one has which.
  const key = { id: 'one', bankAccountId: 'one', version: 1 };
  const field = name as PersonalFieldOf<typeof model>;
  const sealed = sealPersonal(call, model, key, field, 'what a payee told');
  const open = (opening: typeof call, row: typeof key, opened: string = field) => {
    const moved = { ...row, [`${opened}Ciphertext`]: sealed };
    return openPersonal(opening, model, moved as never, opened as typeof field);
  };
  expect(open(call, key)).toBe('what a payee told');
  expect(() => open(call, { ...key, id: 'two', bankAccountId: 'two' })).toThrow();
  if (model === 'bankAccountVersion') expect(() => open(call, { ...key, version: 2 })).toThrow();
  const others = Object.keys(personal.beneficiary.fields).filter((other) => other !== field);
  for (const other of others) expect(() => open(call, key, other)).toThrow();
  expect(() => open({ ...call, scope: { tenantId: 'two' } }, key)).toThrow();
});

it('gives two tenants different hashes of one address, and every process the same', async () => {
  // Both find no key of the hashes, and make one.
  const [first, second] = await Promise.all([
    lookupHash(before, 'email'),
    lookupHash(alike, 'email'),
  ]);
  const third = await lookupHash(during, 'email');
  for (const other of [second, third]) {
    expect(first('t1', 'a@example.com')).toEqual(other('t1', 'a@example.com'));
  }
  expect(first('t1', 'a@example.com')).not.toEqual(first('t2', 'a@example.com'));
});

it('keeps addresses unique for processes with the old and with the new key, during and after a rotation', async () => {
  const company = { beneficiaryType: 'business', businessName: 'Engines Ltd' } as const;
  const create = async (services: Services, email: string) =>
    createBeneficiary(await callOf(services, tenantId), { ...company, email });
  const taken = { code: 'BENEFICIARY_EMAIL_ALREADY_EXISTS' };
  await create(before, 'old@example.com');
  await create(during, 'new@example.com');
  await expect(create(during, 'OLD@example.com')).rejects.toMatchObject(taken);
  await expect(create(before, 'NEW@example.com')).rejects.toMatchObject(taken);
  let step: RotationStep = { ...newPass(), finished: false };
  while (!step.finished) step = await rotatePage(during, step);
  await expect(create(after, 'Old@example.com')).rejects.toMatchObject(taken);
  await expect(create(after, 'New@example.com')).rejects.toMatchObject(taken);
});

/** `npm run rotate-keys` as an operator runs it. */
function runProgram() {
  const program = new URL('../../../src/rotate-keys.ts', import.meta.url);
  const child = spawn(process.execPath, [program.pathname], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...inherited,
      NODE_ENV: 'test',
      DATABASE_URL: database.url,
      ENCRYPTION_KEYS: rings.during,
    },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, output }));
  return { child, ended };
}

it('carries rows over whatever kills it, and loses none', { timeout: longTestMs }, async () => {
  const total = 1_500;
  const ids = Array.from({ length: total }, () => newId('beneficiary'));
  await database.pool.query(
    `INSERT INTO beneficiary (
         tenant_id, id, beneficiary_type, email, email_key, phone, compliance_status, transition_count
       )
       SELECT $1, id, 'person', 'P-' || id || '@example.com', 'p-' || id || '@example.com', 'phone of ' || id, 'pending', 1
       FROM unnest($2::text[]) AS id`,
    [tenantId, ids],
  );
  for (const share of [0.75, 0.25]) {
    const { child, ended } = runProgram();
    while (child.exitCode === null && (await countClearValues(database)) > 2 * total * share) {
      await pause(2);
    }
    child.kill('SIGKILL');
    await ended;
  }
  expect((await runProgram().ended).code).toBe(0);
  expect(await countClearValues(database)).toBe(0);
  const call = await callOf(during, tenantId);
  const rows = await during.scopedPrisma(call.scope).beneficiary.findMany();
  expect(rows).toHaveLength(total);
  const hash = await lookupHash(during, 'email');
  for (const row of rows) {
    expect(openPersonal(call, 'beneficiary', row, 'phone')).toBe(`phone of ${row.id}`);
    expect(openPersonal(call, 'beneficiary', row, 'email')).toBe(`P-${row.id}@example.com`);
    const { emailHash } = row;
    expect(hash(tenantId, `p-${row.id}@example.com`).equals(emailHash ?? Buffer.of())).toBe(true);
  }
});
