import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/values/ids.ts';
import { makePayee, makeTenant, payoutBody } from '../support/factory.ts';
import { useHarness, usePayee, useTenant } from '../support/use-harness.ts';

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);
const payee = usePayee(harness, tenant);

const create = (body: unknown, key = tenant.key) =>
  harness.rest('POST', '/v1/payouts', { key, body });

async function counts(): Promise<unknown> {
  const { rows } = await harness.database.pool.query(
    `SELECT (SELECT count(*) FROM payout) AS payouts, (SELECT count(*) FROM payout_transition) AS records,
            (SELECT count(*) FROM payout_idempotency) AS keys`,
  );
  return rows[0];
}

/** The books of the tenant have nothing in them, which a sandbox refuses nothing for. */
const funding = { currency: 'USD', available_minor: 0, shortfall_minor: 125_000 };
const dryRun = { payout: null, dry_run: true, funding };

describe('POST /v1/payouts', () => {
  it('creates a payout with its transition record', async () => {
    const body = payoutBody(payee, { external_ref: 'invoice 7', metadata: { order: '7' } });
    const { status, body: answer, headers } = await create(body);
    expect(status).toBe(201);
    expect(headers.get('x-request-id')).toMatch(/^req_/);
    expect(answer.payout).toMatchObject({
      ...body,
      state: 'pending_approval',
      beneficiary_name: 'Ada Lovelace',
      beneficiary_type: 'person',
      validator_strategy: 'manual',
      environment: 'sandbox',
      provider: null,
      rail_ref: null,
      replaces_payout_id: null,
      approved_at: null,
    });
    expect(answer.payout.id).toMatch(/^pay_/);
    const { rows } = await harness.database.pool.query(
      'SELECT seq, from_state, to_state, actor FROM payout_transition WHERE payout_id = $1',
      [answer.payout.id],
    );
    expect(rows).toMatchObject([
      { seq: 1, from_state: 'new', to_state: 'pending_approval', actor: { role: 'owner' } },
    ]);
  });

  it('replays the original with 200, whatever the key order', async () => {
    const body = payoutBody(payee);
    const first = await create(body);
    const again = await create(Object.fromEntries(Object.entries(body).toReversed()));
    expect(again.status).toBe(200);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
  });

  it('replays what is asked again with null where nothing stood, on either surface', async () => {
    const body = payoutBody(payee);
    const first = await create(body);
    const nothing = { external_ref: null, replaces_payout_id: null, metadata: null };
    const again = await create({ ...body, ...nothing });
    expect([again.status, again.body.payout?.id]).toEqual([200, first.body.payout.id]);
    const graphql = await harness.graphql(
      tenant.key,
      'mutation ($input: PayoutCreateInput!) { payoutCreate(input: $input) { payout { id } replayed } }',
      {
        input: {
          beneficiaryId: body.beneficiary_id,
          bankAccountId: body.bank_account_id,
          amountMinor: body.amount_minor,
          currency: body.currency,
          purposeOfPayment: body.purpose_of_payment,
          idempotencyKey: body.idempotency_key,
          externalRef: null,
          metadata: null,
          beneficiary: null,
          validatorStrategy: null,
        },
      },
    );
    expect(graphql.body.data?.payoutCreate, graphql.text).toEqual({
      payout: { id: first.body.payout.id },
      replayed: true,
    });
  });

  it('refuses the key with another body and writes nothing', async () => {
    const body = payoutBody(payee);
    await create(body);
    const before = await counts();
    const other = await create({ ...body, amount_minor: 1 });
    expect([other.status, other.body.error.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
    expect(await counts()).toEqual(before);
  });

  it('makes one payout of twenty callers with one key', async () => {
    const body = payoutBody(payee);
    const answers = await Promise.all(Array.from({ length: 20 }, () => create(body)));
    expect(answers.map((a) => a.status).toSorted((a, b) => a - b)).toEqual([
      ...Array(19).fill(200),
      201,
    ]);
    expect(new Set(answers.map((a) => a.body.payout.id)).size).toBe(1);
  });

  it("frees a key after 24 hours of the database's clock", async () => {
    const body = payoutBody(payee);
    const first = await create(body);
    await harness.database.pool.query(
      `UPDATE payout_idempotency SET created_at = now() - interval '24 hours' WHERE idempotency_key = $1`,
      [body.idempotency_key],
    );
    const answers = await Promise.all([create(body), create(body)]);
    expect(answers.map((a) => a.status).toSorted((a, b) => a - b)).toEqual([200, 201]);
    expect(answers[0]?.body.payout.id).toBe(answers[1]?.body.payout.id);
    expect(answers[0]?.body.payout.id).not.toBe(first.body.payout.id);
  });

  it('keeps the keys of tenants apart', async () => {
    const other = await makeTenant(harness);
    const theirs = await makePayee(harness, other.key);
    const idempotency_key = randomUUID();
    const mine = await create(payoutBody(payee, { idempotency_key }));
    const answer = await create(payoutBody(theirs, { idempotency_key }), other.key);
    expect([mine.status, answer.status]).toEqual([201, 201]);
  });

  it('checks everything and writes nothing in a dry run', async () => {
    const before = await counts();
    const good = await create(payoutBody(payee, { dry_run: true }));
    expect([good.status, good.body]).toEqual([200, dryRun]);
    const bad = await create(payoutBody(payee, { dry_run: true, currency: 'EUR' }));
    expect([bad.status, bad.body.error.code]).toEqual([422, 'unprocessable_entity']);
    expect(await counts()).toEqual(before);
  });

  it('takes no metadata and empty metadata for the same, and writes nothing when a key is tried dry', async () => {
    const body = payoutBody(payee);
    await create(body);
    expect((await create({ ...body, metadata: {} })).status).toBe(200);
    const dry = await create({ ...body, dry_run: true });
    expect([dry.status, dry.body]).toEqual([200, dryRun]);
  });

  it('approves at creation with validator_strategy auto', async () => {
    const { body } = await create(payoutBody(payee, { validator_strategy: 'auto' }));
    expect(body.payout).toMatchObject({ state: 'approved', validator_strategy: 'auto' });
    expect(body.payout.approved_at).not.toBeNull();
    const decisions = await harness.rest('GET', `/v1/payouts/${body.payout.id}/decisions`, {
      key: tenant.key,
    });
    expect(decisions.body.decisions).toMatchObject([
      { status: 'approved', reasons: [{ code: 'AUTO_APPROVAL' }] },
    ]);
  });

  it.each([
    ['a string amount', { amount_minor: '100' }, 400, 'INVALID_MONEY'],
    ['a fraction', { amount_minor: 1.5 }, 400, 'INVALID_MONEY'],
    ['zero', { amount_minor: 0 }, 400, 'INVALID_MONEY'],
    ['more than a number holds', { amount_minor: '1e400' }, 400, 'INVALID_MONEY'],
    ['too much', { amount_minor: 1_000_000_000_000 }, 400, 'INVALID_MONEY'],
    ['an unknown currency', { currency: 'XXX' }, 400, 'INVALID_MONEY'],
    ['no amount', { amount_minor: undefined }, 400, 'validation_failed'],
    ['no purpose', { purpose_of_payment: undefined }, 422, 'INVALID_PURPOSE_OF_PAYMENT'],
    ['an unknown purpose', { purpose_of_payment: 'fun' }, 422, 'INVALID_PURPOSE_OF_PAYMENT'],
    ['an unknown field', { amount: 5 }, 400, 'validation_failed'],
    ['a wrong strategy', { validator_strategy: 'dice' }, 400, 'validation_failed'],
    ['an unknown beneficiary', { beneficiary_id: newId('beneficiary') }, 404, 'not_found'],
    ['a malformed beneficiary', { beneficiary_id: 'ben_1' }, 404, 'not_found'],
    [
      'an unknown account',
      { bank_account_id: newId('bankAccount') },
      404,
      'BANK_ACCOUNT_NOT_FOUND',
    ],
    ["another currency than the account's", { currency: 'EUR' }, 422, 'unprocessable_entity'],
    ['a wrong echo', { beneficiary: { last_name: 'Byron' } }, 422, 'BENEFICIARY_MISMATCH'],
    [
      'an unknown predecessor',
      { replaces_payout_id: newId('payout') },
      422,
      'PREDECESSOR_NOT_REPLACEABLE',
    ],
  ])('refuses %s and writes nothing', async (_name, change, status, code) => {
    const before = await counts();
    const answer = await create(payoutBody(payee, change));
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    expect(answer.body.error.docs_url).toBe(`http://localhost:3000/docs/errors#${code}`);
    expect(await counts()).toEqual(before);
  });

  it('accepts a right echo, encrypted fields included', async () => {
    const echo = { last_name: 'Lovelace', date_of_birth: '1990-04-01' };
    expect((await create(payoutBody(payee, { beneficiary: echo }))).status).toBe(201);
    const wrong = await create(payoutBody(payee, { beneficiary: { date_of_birth: '1990-04-02' } }));
    expect(wrong.body.error.code).toBe('BENEFICIARY_MISMATCH');
  });

  it('names each rejected field', async () => {
    const { body } = await create({ ...payoutBody(payee), idempotency_key: '', surprise: 1 });
    expect(body.error.details).toEqual([
      expect.objectContaining({ field: 'idempotency_key', code: 'too_short' }),
      expect.objectContaining({ field: 'surprise', code: 'unknown_field' }),
    ]);
  });

  it('refuses a beneficiary that is not compliant, and an account of another', async () => {
    const pending = await makePayee(harness, tenant.key, { acknowledged: false });
    expect((await create(payoutBody(pending))).body.error.code).toBe('BENEFICIARY_NOT_COMPLIANT');
    const second = await makePayee(harness, tenant.key);
    const mixed = await create(payoutBody(payee, { bank_account_id: second.bankAccountId }));
    expect(mixed.body.error.code).toBe('BANK_ACCOUNT_BENEFICIARY_MISMATCH');
  });

  it('refuses an unfunded sandbox wallet, and takes the same request once it is funded', async () => {
    const poor = await makeTenant(harness, { funded: false });
    const theirs = await makePayee(harness, poor.key);
    const body = payoutBody(theirs);
    const refused = await create(body, poor.key);
    expect([refused.status, refused.body.error.code]).toEqual([422, 'SANDBOX_WALLET_UNFUNDED']);
    await harness.database.pool.query(
      `INSERT INTO funding_account (tenant_id, id, currency, status, available_balance_minor, as_of)
       VALUES ($1, $2, 'USD', 'active', 1, now())`,
      [poor.tenantId, newId('fundingAccount')],
    );
    expect((await create(body, poor.key)).status).toBe(201);
  });

  it.each([
    ['owner', 201],
    ['admin', 201],
    ['preparer', 201],
    ['approver', 403],
    ['developer', 403],
    ['viewer', 403],
  ] as const)('is open to %s: %i', async (role, status) => {
    const key = await tenant.keyWithRole(role);
    const answer = await create(payoutBody(payee), key);
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.body.error.actor).toMatchObject({ role });
  });

  it('asks for the permission before it looks at the body', async () => {
    const key = await tenant.keyWithRole('viewer');
    expect((await create('{', key)).status).toBe(403);
    expect((await create('{', 'nonsense')).status).toBe(401);
    expect((await create('{')).body.error.code).toBe('bad_request');
  });

  it("answers another tenant's ids like unknown ones", async () => {
    const other = await makeTenant(harness);
    const answer = await create(payoutBody(payee), other.key);
    const unknown = await create(
      payoutBody({ beneficiaryId: newId('beneficiary'), bankAccountId: newId('bankAccount') }),
      other.key,
    );
    const strip = ({ error }: { error: Record<string, unknown> }) => ({
      ...error,
      request_id: '',
      occurred_at: '',
    });
    expect(answer.status).toBe(unknown.status);
    expect(strip(answer.body)).toEqual(strip(unknown.body));
  });

  it('sends one statement for a create', async () => {
    const statements: string[] = [];
    const { pool } = harness.services;
    const query = pool.query.bind(pool);
    // Counts what the process sends; the pool's own query is called unchanged.
    Object.assign(pool, {
      query: (...args: Parameters<typeof query>) => {
        statements.push((args[0] as { name?: string }).name ?? 'unnamed');
        return query(...args);
      },
    });
    await create(payoutBody(payee));
    Object.assign(pool, { query });
    expect(statements.filter((name) => name !== 'stored_api_key')).toEqual(['create_one_payout']);
  });
});
