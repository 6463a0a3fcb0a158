import { describe, expect, it } from 'vitest';
import { newAddress, person } from '../support/beneficiaries.ts';
import { makeTenant } from '../support/factory.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

/* The reference and the pairs that a business keeps of its own beside a payee and a bank account. */

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);

type Body = Record<string, unknown>;
const german = {
  account_holder_name: 'Ada Lovelace',
  country: 'DE',
  currency: 'EUR',
  iban: 'DE89370400440532013000',
};

const send = (method: string, path: string, body?: Body, key = tenant.key) =>
  harness.rest(method, path, { key, body });
const create = (more: Body, key = tenant.key) =>
  send('POST', '/v1/beneficiaries', person({ email: newAddress(), ...more }), key);
const register = (owner: string, more: Body, key = tenant.key) =>
  send('POST', `/v1/beneficiaries/${owner}/bank-accounts`, { ...german, ...more }, key);

async function made(more: Body = {}, key = tenant.key): Promise<string> {
  const answer = await create(more, key);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.beneficiary.id;
}

async function found(path: string, key = tenant.key): Promise<string[]> {
  const { body, status, text } = await send('GET', path, undefined, key);
  expect(status, text).toBe(200);
  return (body.beneficiaries ?? body.bank_accounts).map(({ id }: { id: string }) => id);
}

const taken = { status: 409, code: 'EXTERNAL_REF_ALREADY_EXISTS' };
const refusalOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => ({
  status,
  code: body.error?.code,
});

describe('the reference of a payee', () => {
  it('is answered, finds it, and is nobody else’s', async () => {
    const metadata = { team: 'north', Vendor_Key: '7' };
    const { body } = await create({ external_ref: 'vendor-1', metadata });
    expect(body.beneficiary).toMatchObject({ external_ref: 'vendor-1', metadata });
    expect(await found('/v1/beneficiaries?external_ref=vendor-1')).toEqual([body.beneficiary.id]);
    expect(
      await found('/v1/beneficiaries?external_ref=vendor-1&beneficiary_type=business'),
    ).toEqual([]);
    expect(await found('/v1/beneficiaries?external_ref=vendor')).toEqual([]);
    expect(refusalOf(await create({ external_ref: 'vendor-1' }))).toEqual(taken);
    const other = await made();
    const path = `/v1/beneficiaries/${other}`;
    expect(refusalOf(await send('PUT', path, { external_ref: 'vendor-1' }))).toEqual(taken);
    expect((await send('GET', path)).body.beneficiary.external_ref).toBeNull();
  });

  it('is another business’s too, and not seen by it', async () => {
    const stranger = await makeTenant(harness);
    const own = await made({ external_ref: 'shared' });
    expect(await found('/v1/beneficiaries?external_ref=shared', stranger.key)).toEqual([]);
    const theirs = await made({ external_ref: 'shared' }, stranger.key);
    expect(await found('/v1/beneficiaries?external_ref=shared', stranger.key)).toEqual([theirs]);
    expect(await found('/v1/beneficiaries?external_ref=shared')).toEqual([own]);
  });

  it('is changed, kept and cleared, without another acknowledgment', async () => {
    const id = await made({
      external_ref: 'first',
      metadata: { a: '1' },
      acknowledged: true,
      country_of_residence: 'US',
      date_of_birth: '1990-04-01',
    });
    const path = `/v1/beneficiaries/${id}`;
    const changed = await send('PUT', path, { external_ref: 'second' });
    expect(changed.body.beneficiary).toMatchObject({
      external_ref: 'second',
      metadata: { a: '1' },
      reacknowledgment_required: false,
    });
    const cleared = await send('PUT', path, { external_ref: null, metadata: {} });
    expect(cleared.body.beneficiary).toMatchObject({ external_ref: null, metadata: null });
    const same = await send('PUT', path, { external_ref: null, metadata: null });
    expect(same.body.beneficiary.updated_at).toBe(cleared.body.beneficiary.updated_at);
  });

  it('is freed with its accounts’ when the payee is archived', async () => {
    const id = await made({ external_ref: 'again' });
    const account = (await register(id, { external_ref: 'again' })).body.bank_account.id;
    expect(await found('/v1/bank-accounts?external_ref=again')).toEqual([account]);
    await send('DELETE', `/v1/beneficiaries/${id}`);
    expect(await found('/v1/beneficiaries?external_ref=again')).toEqual([]);
    expect(await found('/v1/bank-accounts?external_ref=again')).toEqual([]);
    expect((await send('GET', `/v1/beneficiaries/${id}`)).body.beneficiary.external_ref).toBe(
      'again',
    );
    const successor = await made({ external_ref: 'again' });
    const next = await register(successor, { external_ref: 'again' });
    expect(next.status, next.text).toBe(201);
    expect(await found('/v1/bank-accounts?external_ref=again')).toEqual([
      next.body.bank_account.id,
    ]);
  });

  it.each([
    ['a reference that is too long', { external_ref: 'x'.repeat(129) }, 'external_ref'],
    ['a number among the pairs', { metadata: { a: 1 } }, 'metadata.a'],
    [
      '21 pairs',
      { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, ''])) },
      'metadata',
    ],
  ])('is refused with %s', async (_title, more, field) => {
    const { status, body } = await create(more);
    expect([status, body.error.code, body.error.details[0].field]).toEqual([
      400,
      'validation_failed',
      field,
    ]);
  });

  it('belongs to one of two that ask for it at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => create({ external_ref: 'raced' })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 409, 409, 409, 409, 409,
    ]);
  });
});

describe('the reference of an account', () => {
  it('changes without a new version of the details', async () => {
    const owner = await made();
    const { bank_account: account } = (await register(owner, { external_ref: 'acc-1' })).body;
    expect(account).toMatchObject({ beneficiary_id: owner, external_ref: 'acc-1', metadata: null });
    const path = `/v1/beneficiaries/${owner}/bank-accounts/${account.id}`;
    const changed = await send('PUT', path, { ...german, metadata: { iban_of: 'books' } });
    expect(changed.body.bank_account).toMatchObject({
      external_ref: 'acc-1',
      metadata: { iban_of: 'books' },
    });
    expect(changed.body.bank_account.updated_at > account.updated_at).toBe(true);
    const again = await send('PUT', path, { ...german, external_ref: 'acc-1' });
    expect(again.body).toEqual(changed.body);
    const { rows } = await harness.database.pool.query(
      'SELECT version FROM bank_account WHERE id = $1',
      [account.id],
    );
    expect(rows).toEqual([{ version: 1 }]);
    const corrected = { ...german, iban: 'DE02120300000000202051', external_ref: null };
    expect((await send('PUT', path, corrected)).body.bank_account).toMatchObject({
      external_ref: null,
      metadata: { iban_of: 'books' },
    });
  });

  it('is refused where another account has it, by registration and change, also with new details', async () => {
    const [one, two] = [await made(), await made()];
    await register(one, { external_ref: 'acc-2' });
    expect(refusalOf(await register(two, { external_ref: 'acc-2' }))).toEqual(taken);
    expect(await found(`/v1/beneficiaries/${two}/bank-accounts`)).toEqual([]);
    const { bank_account: second } = (await register(two, {})).body;
    const path = `/v1/beneficiaries/${two}/bank-accounts/${second.id}`;
    expect(refusalOf(await send('PUT', path, { ...german, external_ref: 'acc-2' }))).toEqual(taken);
    const corrected = { ...german, iban: 'DE02120300000000202051', external_ref: 'acc-2' };
    expect(refusalOf(await send('PUT', path, corrected))).toEqual(taken);
    expect((await found('/v1/bank-accounts?external_ref=acc-2')).length).toBe(1);
  });

  it('is another business’s too', async () => {
    const stranger = await makeTenant(harness);
    const owner = await made({}, stranger.key);
    expect((await register(owner, { external_ref: 'acc-1x' }, stranger.key)).status).toBe(201);
    expect(await found('/v1/bank-accounts?external_ref=acc-1x')).toEqual([]);
    expect((await register(await made(), { external_ref: 'acc-1x' })).status).toBe(201);
  });
});
