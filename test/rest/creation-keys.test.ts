import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { deleteExpired } from '../../src/domain/retention/delete-expired.ts';
import { newAddress, person } from '../support/beneficiaries.ts';
import { makeTenant } from '../support/factory.ts';
import { sessionsWait } from '../support/sessions-wait.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

/* A create of a payee or an account with an idempotency key makes one, however often it is sent. */

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);

type Body = Record<string, unknown>;
const send = (path: string, body: Body, key = tenant.key, headers: Record<string, string> = {}) =>
  harness.rest('POST', path, { key, body, headers });
const someone = (more: Body = {}) => person({ email: newAddress(), ...more });
const create = (body: Body, key = tenant.key) => send('/v1/beneficiaries', body, key);
const iban = {
  account_holder_name: 'Ada',
  country: 'DE',
  currency: 'EUR',
  iban: 'DE89370400440532013000',
};

const count = async (text: string): Promise<number> =>
  (await harness.database.pool.query(`SELECT count(*)::integer AS n FROM ${text}`)).rows[0].n;

describe('a payee', () => {
  it('is made once under a key, and answered as it is by then', async () => {
    const body = someone({ idempotency_key: randomUUID() });
    const first = await create(body);
    expect(first.status).toBe(201);
    expect(first.headers.get('Idempotent-Replayed')).toBeNull();
    const { id } = first.body.beneficiary;
    await harness.rest('PUT', `/v1/beneficiaries/${id}`, {
      key: tenant.key,
      body: { nickname: 'A' },
    });
    const again = await create(body);
    expect(again.status).toBe(200);
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    expect(again.body.beneficiary).toMatchObject({ id, nickname: 'A' });
    expect(Object.keys(again.body.beneficiary)).toEqual(Object.keys(first.body.beneficiary));
  });

  it('takes the key as a header', async () => {
    const key = randomUUID();
    const body = someone();
    const headers = { 'Idempotency-Key': `"${key}"` };
    const first = await send('/v1/beneficiaries', body, tenant.key, headers);
    const again = await create({ ...body, idempotency_key: key });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body).toEqual(first.body);
  });

  it('with other content under the key is refused, and nothing is written', async () => {
    const idempotency_key = randomUUID();
    await create(someone({ idempotency_key }));
    const before = await count('beneficiary');
    const other = await create(someone({ idempotency_key }));
    expect([other.status, other.body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(await count('beneficiary')).toBe(before);
  });

  it('that is refused does not use up its key', async () => {
    const email = newAddress();
    await create(person({ email }));
    const idempotency_key = randomUUID();
    expect((await create(person({ email, idempotency_key }))).status).toBe(409);
    expect((await create(someone({ idempotency_key }))).status).toBe(201);
  });

  it('of another business may have the key', async () => {
    const stranger = await makeTenant(harness);
    const body = someone({ idempotency_key: randomUUID() });
    const answers = [await create(body), await create(body, stranger.key)];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  });

  it('is made once by several at once', async () => {
    const body = someone({ idempotency_key: randomUUID() });
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(body)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 200, 200, 200, 200, 200, 200, 201,
    ]);
    expect(new Set(answers.map(({ body: { beneficiary } }) => beneficiary.id)).size).toBe(1);
  });

  it('waits for a transaction that has the key, and is made where that is rolled back', async () => {
    const body = someone({ idempotency_key: randomUUID() });
    const holder = await harness.database.pool.connect();
    await holder.query('BEGIN');
    await holder.query(
      `INSERT INTO creation_key (tenant_id, operation, idempotency_key, resource_id, request_hash)
       VALUES ($1, 'beneficiary', $2, 'ben_x', '\\x00')`,
      [tenant.tenantId, body['idempotency_key']],
    );
    const asked = create(body);
    await sessionsWait(harness.database.pool, 1);
    await holder.query('ROLLBACK');
    holder.release();
    expect((await asked).status).toBe(201);
  });

  it('may be made anew after the time of the key, whose record is then deleted', async () => {
    const body = someone({ idempotency_key: randomUUID() });
    const { id } = (await create(body)).body.beneficiary;
    await harness.rest('DELETE', `/v1/beneficiaries/${id}`, { key: tenant.key });
    expect((await create(body)).body.beneficiary.id).toBe(id);
    const aged = (hours: number) =>
      harness.database.pool.query(
        `UPDATE creation_key SET created_at = now() - make_interval(hours => $2) WHERE idempotency_key = $1`,
        [body['idempotency_key'], hours],
      );
    await aged(25);
    const anew = await create(body);
    expect(anew.status, anew.text).toBe(201);
    expect(anew.body.beneficiary.id).not.toBe(id);
    const recorded = () =>
      count(`creation_key WHERE idempotency_key = '${String(body['idempotency_key'])}'`);
    await deleteExpired(harness.services);
    expect(await recorded()).toBe(1);
    await aged(26);
    await deleteExpired(harness.services);
    expect(await recorded()).toBe(0);
  });

  it('is marked in GraphQL', async () => {
    const input = {
      beneficiaryType: 'business',
      email: newAddress(),
      businessName: 'Engines',
      idempotencyKey: randomUUID(),
    };
    const query =
      'mutation ($input: BeneficiaryCreateInput!) { beneficiaryCreate(input: $input) { id createdBefore } }';
    const ask = () => harness.graphql(tenant.key, query, { input });
    const first = (await ask()).body.data.beneficiaryCreate;
    expect(first.createdBefore).toBe(false);
    expect((await ask()).body.data.beneficiaryCreate).toEqual({
      id: first.id,
      createdBefore: true,
    });
  });
});

describe('an account', () => {
  const ownerId = async () => (await create(someone())).body.beneficiary.id as string;
  const register = (owner: string, body: Body) =>
    send(`/v1/beneficiaries/${owner}/bank-accounts`, body);

  it('is registered once under a key, also where the details have changed since', async () => {
    const owner = await ownerId();
    const body = { ...iban, idempotency_key: randomUUID() };
    const first = await register(owner, body);
    expect(first.status).toBe(201);
    const { id } = first.body.bank_account;
    await harness.rest('PUT', `/v1/beneficiaries/${owner}/bank-accounts/${id}`, {
      key: tenant.key,
      body: { ...iban, iban: 'DE02120300000000202051' },
    });
    const again = await register(owner, body);
    expect([again.status, again.body.bank_account.id]).toEqual([200, id]);
    expect(again.body.bank_account.last4).toBe('2051');
    const other = await register(owner, { ...body, account_holder_name: 'Bea' });
    expect([other.status, other.body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    const elsewhere = await register(await ownerId(), body);
    expect(elsewhere.body.error.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('that was there before is what the key stands for', async () => {
    const owner = await ownerId();
    const { id } = (await register(owner, iban)).body.bank_account;
    const body = { ...iban, idempotency_key: randomUUID() };
    for (const _time of [1, 2]) {
      const answer = await register(owner, body);
      expect([answer.status, answer.body.bank_account.id]).toEqual([200, id]);
    }
  });

  it('that its owner does not take leaves the key free', async () => {
    const owner = await ownerId();
    const body = { ...iban, idempotency_key: randomUUID() };
    await harness.rest('DELETE', `/v1/beneficiaries/${owner}`, { key: tenant.key });
    expect((await register(owner, body)).body.error.code).toBe('BENEFICIARY_ARCHIVED');
    expect((await register(await ownerId(), body)).status).toBe(201);
  });
});
