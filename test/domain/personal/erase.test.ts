import { describe, expect, it } from 'vitest';
import { inTransaction } from '../../../src/db/pool.ts';
import { disbursePayout } from '../../../src/domain/disbursement/disburse.ts';
import { erase } from '../../../src/domain/personal/erase.ts';
import { newId } from '../../../src/values/ids.ts';
import { behind, within } from '../../support/behind.ts';
import { formCalls, inviteOne } from '../../support/collection.ts';
import { makePayee, makeTenant, payoutBody } from '../../support/factory.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';
import { enrollBeneficiary } from '../../../src/domain/enrollment/enroll.ts';

const world = usePayoutWorld();
const { sql, approved, tell } = world;

const post = (path: string, body?: unknown, key = world.tenant.key) =>
  world.harness.rest('POST', path, { key, body });
const eraseOver = (id: string, key?: string) =>
  post(`/v1/beneficiaries/${id}/erase`, { ground: 'no_longer_needed' }, key);
const read = async (id: string) => {
  const path = `/v1/beneficiaries/${id}`;
  return world.harness.rest('GET', path, { key: world.tenant.key });
};

/** A payout of the payee that ended. */
async function settled(): Promise<string> {
  const id = await approved();
  await disbursePayout(world.call, id);
  await tell(id, { type: 'settled' });
  return id;
}

/** What is in the way of an erasure, as its refusal says it. */
function obstaclesOf({
  status,
  body,
}: {
  status: number;
  body: { error?: { code: string; message: string } };
}) {
  expect([status, body.error?.code]).toEqual([409, 'BENEFICIARY_NOT_ERASABLE']);
  return body.error?.message.split('It has ')[1];
}
const recordsOf = (id: string) =>
  sql<{ kind: string }>('SELECT kind FROM personal_data_record WHERE beneficiary_id = $1', [id]);

describe('an erased payee', () => {
  it('shows its name, is archived and takes nothing', async () => {
    const { payee } = world;
    const payout = await settled();
    const before = await world.harness.rest('GET', `/v1/payouts/${payout}`, {
      key: world.tenant.key,
    });
    expect((await eraseOver(payee.beneficiaryId)).status).toBe(200);
    const { body } = await read(payee.beneficiaryId);
    expect(body.beneficiary).toMatchObject({
      id: payee.beneficiaryId,
      name: 'Ada Lovelace',
      email: `${payee.beneficiaryId}@erased.invalid`,
      date_of_birth: null,
      country_of_residence: null,
    });
    expect(body.beneficiary.erased_at).toBe(body.beneficiary.archived_at);
    const path = `/v1/beneficiaries/${payee.beneficiaryId}`;
    for (const refused of [
      await post('/v1/payouts', payoutBody(payee)),
      await world.harness.rest('PUT', path, {
        key: world.tenant.key,
        body: { phone: '+1 202 555 0100' },
      }),
      await post(`${path}/compliance-acknowledgment`),
      await post(`${path}/enroll`, { bank_account_id: payee.bankAccountId }),
    ]) {
      expect([refused.status, refused.body.error.code]).toEqual([422, 'BENEFICIARY_ARCHIVED']);
    }
    const after = await world.harness.rest('GET', `/v1/payouts/${payout}`, {
      key: world.tenant.key,
    });
    expect({ ...after.body.payout, updated_at: null }).toEqual({
      ...before.body.payout,
      updated_at: null,
    });
    const [history] = await sql(
      `SELECT kind, to_status FROM beneficiary_transition WHERE beneficiary_id = $1 ORDER BY seq DESC LIMIT 1`,
      [payee.beneficiaryId],
    );
    expect(history).toEqual({ kind: 'erased', to_status: 'erased' });
  });

  it('may have been archived before', async () => {
    const { beneficiaryId } = world.payee;
    await settled();
    await world.harness.rest('DELETE', `/v1/beneficiaries/${beneficiaryId}`, {
      key: world.tenant.key,
    });
    expect((await eraseOver(beneficiaryId)).body.erasure.kind).toBe('erased');
  });
});

it('gives a repetition the record of the first time', async () => {
  await settled();
  const gone = await makePayee(world.harness, world.tenant.key);
  for (const { beneficiaryId } of [world.payee, gone]) {
    const first = await eraseOver(beneficiaryId);
    const again = await post(`/v1/beneficiaries/${beneficiaryId}/erase`, {
      ground: 'payee_request',
    });
    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
    expect(await recordsOf(beneficiaryId)).toHaveLength(1);
  }
  expect((await read(gone.beneficiaryId)).status).toBe(404);
});

it("finds no stranger's payee, and none that nobody has", async () => {
  const stranger = await makeTenant(world.harness);
  for (const id of [world.payee.beneficiaryId, newId('beneficiary'), 'nonsense']) {
    const answer = await eraseOver(id, stranger.key);
    expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
  }
  expect((await read(world.payee.beneficiaryId)).body.beneficiary.erased_at).toBeNull();
});

describe('an erasure is refused', () => {
  it('while payouts are under way, with their states', async () => {
    const { payee } = world;
    await post('/v1/payouts', payoutBody(payee));
    const other = await approved();
    expect(obstaclesOf(await eraseOver(payee.beneficiaryId))).toBe(
      'payouts in the state approved (1), payouts in the state pending_approval (1).',
    );
    await disbursePayout(world.call, other);
    await tell(other, { type: 'disbursed' });
    expect(obstaclesOf(await eraseOver(payee.beneficiaryId))).toBe(
      'payouts in the state disbursed (1), payouts in the state pending_approval (1).',
    );
    expect(await recordsOf(payee.beneficiaryId)).toEqual([]);
  });

  it('while an enrollment waits for the provider', async () => {
    const { payee } = world;
    await sql(
      `INSERT INTO enrollment (tenant_id, id, beneficiary_id, bank_account_id, bank_account_version, provider, status)
       VALUES ($1, $2, $3, $4, 1, 'simulator', 'pending')`,
      [world.tenant.tenantId, newId('enrollment'), payee.beneficiaryId, payee.bankAccountId],
    );
    expect(obstaclesOf(await eraseOver(payee.beneficiaryId))).toBe(
      'enrollments that the payout provider has not answered (1).',
    );
  });

  it('while nobody has examined a contradiction, and while an attempt needs an operator', async () => {
    const { payee } = world;
    const payout = await settled();
    await tell(payout, { type: 'returned', amountMinor: 1n });
    expect(obstaclesOf(await eraseOver(payee.beneficiaryId))).toBe(
      'payments whose outcome an operator has to resolve (1), contradictions of the payout provider that an operator has to examine (1).',
    );
  });
});

describe('at the same time', () => {
  const first = (id: string) => (client: Parameters<typeof erase>[0]) =>
    erase(client, world.call.scope, id, 'payee_request');

  it('two erasures make one record', async () => {
    const { pool } = world.harness.database;
    const { beneficiaryId } = world.payee;
    const second = await behind(pool, first(beneficiaryId), () => eraseOver(beneficiaryId));
    expect([second.status, second.body.erasure.ground]).toEqual([200, 'payee_request']);
    expect(await recordsOf(beneficiaryId)).toEqual([{ kind: 'deleted' }]);
  });

  it('a payout waits for the erasure and is refused', async () => {
    const { pool } = world.harness.database;
    const { payee } = world;
    const unpaid = await behind(pool, first(payee.beneficiaryId), () =>
      post('/v1/payouts', payoutBody(payee)),
    );
    expect([unpaid.status, unpaid.body.error.code]).toEqual([404, 'not_found']);
  });

  it('an erasure waits for a payout, and is refused for it', async () => {
    const { pool } = world.harness.database;
    const { payee, tenant } = world;
    const answer = await behind(
      pool,
      async (client) => {
        await client.query('SELECT FROM beneficiary WHERE tenant_id = $1 AND id = $2 FOR SHARE', [
          tenant.tenantId,
          payee.beneficiaryId,
        ]);
        // Another session commits the payout while the erasure waits for this one's lock.
        const created = await post('/v1/payouts', payoutBody(payee));
        expect(created.status).toBe(201);
      },
      () => eraseOver(payee.beneficiaryId),
    );
    expect(obstaclesOf(answer)).toBe('payouts in the state pending_approval (1).');
  });

  it('an enrollment that begins first refuses the erasure', async () => {
    const { pool } = world.harness.database;
    const { payee, call } = world;
    const answer = await behind(
      pool,
      (client) =>
        enrollBeneficiary(
          within(
            {
              ...call,
              services: {
                ...call.services,
                config: { ...call.services.config, ENROLL_WAIT_MS: 1 },
              },
            },
            client,
          ),
          payee.beneficiaryId,
          null,
        ).catch((error: unknown) => error),
      () => eraseOver(payee.beneficiaryId),
    );
    expect(obstaclesOf(answer)).toBe('enrollments that the payout provider has not answered (1).');
  });

  it('a form that is sent finds that its request has ended', async () => {
    const { pool } = world.harness.database;
    const { harness, tenant } = world;
    const invite = {
      email: `${newId('user')}@example.com`,
      beneficiary_type: 'person',
      first_name: 'Ada',
      last_name: 'Lovelace',
      scope: 'bank_details',
    };
    const { beneficiaryId, token } = await inviteOne(harness, tenant, invite);
    const bankAccount = {
      accountHolderName: 'Ada Lovelace',
      country: 'US',
      currency: 'USD',
      routingCode: '021000021',
      accountNumber: '000123456789',
    };
    const sent = await behind(pool, first(beneficiaryId), () =>
      formCalls(harness).submit(token, { bankAccount }),
    );
    expect(sent.body.errors?.[0]?.extensions?.code, sent.text).toBe('conflict');
    expect(
      await sql('SELECT FROM bank_account WHERE beneficiary_id = $1', [beneficiaryId]),
    ).toEqual([]);
  });

  it("a provider's event about the payout is applied after it", async () => {
    const { pool } = world.harness.database;
    const payout = await settled();
    const outcome = await behind(pool, first(world.payee.beneficiaryId), () =>
      tell(payout, { type: 'returned', failure: { code: 'account_closed', message: 'closed' } }),
    );
    expect(outcome).toBe('applied');
    expect(await world.stateOf(payout)).toBe('returned');
  });

  it('an erasure that is cut off changes nothing', async () => {
    const { pool } = world.harness.database;
    await settled();
    const { beneficiaryId } = world.payee;
    await expect(
      inTransaction(pool, async (client) => {
        await first(beneficiaryId)(client);
        throw new Error('the process ends here');
      }),
    ).rejects.toThrow('ends here');
    expect((await read(beneficiaryId)).body.beneficiary).toMatchObject({
      erased_at: null,
      date_of_birth: '1990-04-01',
    });
    expect(await recordsOf(beneficiaryId)).toEqual([]);
  });
});
