import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/values/ids.ts';
import { beneficiaryCalls, newAddress } from '../support/beneficiaries.ts';
import { formCalls, inviteOne, linkOf } from '../support/collection.ts';
import { makeTenant } from '../support/factory.ts';
import type { RestAnswer } from '../support/harness.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

let calls: ReturnType<typeof beneficiaryCalls>;
let form: ReturnType<typeof formCalls>;

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);

beforeAll(async () => {
  calls = beneficiaryCalls(harness, tenant.key);
  form = formCalls(harness);
});

const post = (invites: unknown, key = tenant.key): Promise<RestAnswer> =>
  harness.rest('POST', '/v1/beneficiaries/collection-invites', { key, body: { invites } });

const cancel = (id: string, requestId: string, key = tenant.key): Promise<RestAnswer> =>
  harness.rest('DELETE', `/v1/beneficiaries/${id}/collection-requests/${requestId}`, { key });

const newcomer = (more: Record<string, unknown> = {}) => ({
  email: newAddress(),
  beneficiary_type: 'person',
  first_name: 'Ada',
  last_name: 'Lovelace',
  ...more,
});

async function beneficiary(id: string) {
  return (await calls.get(`/${id}`)).body.beneficiary;
}

describe('canceling', () => {
  it('ends the link and answers 204, also when it is repeated', async () => {
    const { beneficiaryId, requestId, token } = await inviteOne(harness, tenant, newcomer());
    await form.save(token, { identity: { firstName: 'Ada' } });
    for (let times = 0; times < 2; times += 1) {
      const answer = await cancel(beneficiaryId, requestId);
      expect([answer.status, answer.text]).toEqual([204, '']);
    }
    expect((await form.open(token)).body.data.form.state).toBe('canceled');
    expect(await beneficiary(beneficiaryId)).toMatchObject({
      collection_status: 'not_invited',
      pending_requests: [],
    });
    expect((await calls.history(beneficiaryId)).at(-1)).toBe(
      '3 invite_canceled pending pending owner',
    );
    const { rows } = await harness.database.pool.query(
      'SELECT draft_ciphertext FROM collection_request WHERE id = $1',
      [requestId],
    );
    expect(rows).toEqual([{ draft_ciphertext: null }]);
  });

  it('after details were submitted once goes back to that', async () => {
    const { beneficiaryId: id, requestId } = await inviteOne(harness, tenant, newcomer());
    await harness.database.pool.query(
      `UPDATE beneficiary SET details_submitted_at = now() WHERE id = $1`,
      [id],
    );
    await cancel(id, requestId);
    expect(await beneficiary(id)).toMatchObject({ collection_status: 'details_submitted' });
  });

  it.each(['superseded', 'expired', 'canceled'])(
    'a request that was %s leaves the live one alone',
    async (status) => {
      const first = await inviteOne(harness, tenant, newcomer());
      const { beneficiaryId: id } = first;
      await harness.database.pool.query(
        `UPDATE collection_request SET status = $2, closed_at = now(), draft_ciphertext = NULL,
           created_at = created_at - interval '2 minutes' WHERE id = $1`,
        [first.requestId, status],
      );
      const [{ collection_request: live }] = (await post([{ beneficiary_id: id }])).body.results;
      const token = await linkOf(harness, tenant.tenantId, live.id);
      await form.save(token, { identity: { firstName: 'Ada' } });
      const before = await calls.history(id);
      expect((await cancel(id, first.requestId)).status).toBe(204);
      expect((await form.open(token)).body.data.form.state).toBe('live');
      expect(await beneficiary(id)).toMatchObject({
        collection_status: 'invited',
        pending_requests: [{ id: live.id }],
      });
      expect(await calls.history(id)).toEqual(before);
    },
  );

  it('is 409 for a request that was used, and 404 for one that does not exist', async () => {
    const { beneficiaryId, requestId } = await inviteOne(harness, tenant, newcomer());
    const other = await inviteOne(harness, tenant, newcomer());
    await harness.database.pool.query(
      `UPDATE collection_request SET status = 'submitted', closed_at = now() WHERE id = $1`,
      [requestId],
    );
    const used = await cancel(beneficiaryId, requestId);
    expect([used.status, used.body.error.code]).toEqual([409, 'conflict']);
    const unknown = [
      [beneficiaryId, randomUUID()],
      [beneficiaryId, 'no-uuid'],
      [beneficiaryId, requestId.toUpperCase()],
      [beneficiaryId, other.requestId],
      [newId('beneficiary'), other.requestId],
      ['ben_x', other.requestId],
    ];
    for (const [id = '', request = ''] of unknown) {
      expect((await cancel(id, request)).status).toBe(404);
    }
  });
});

describe('archiving', () => {
  it('ends the live link in the same transaction', async () => {
    const { beneficiaryId, requestId, token } = await inviteOne(harness, tenant, newcomer());
    const archived = await calls.remove(beneficiaryId);
    expect(archived.body.beneficiary).toMatchObject({
      collection_status: 'not_invited',
      pending_requests: [],
    });
    expect((await form.open(token)).body.data.form.state).toBe('canceled');
    expect((await calls.history(beneficiaryId)).slice(2)).toEqual([
      '3 invite_canceled pending pending owner',
      '4 archived pending archived owner',
    ]);
    expect((await cancel(beneficiaryId, requestId)).status).toBe(204);
    expect((await calls.remove(beneficiaryId)).body).toEqual(archived.body);
  });
});

describe('other tenants and roles', () => {
  it('learn nothing: an unknown id and one of another tenant get the same answer', async () => {
    const stranger = await makeTenant(harness);
    const { beneficiaryId, requestId } = await inviteOne(harness, tenant, newcomer());
    const strip = ({ status, body }: RestAnswer) => ({
      status,
      body: { ...body, error: { ...body.error, request_id: '', occurred_at: '' } },
    });
    const own = await inviteOne(harness, stranger, newcomer());
    for (const [id, request] of [
      [beneficiaryId, requestId],
      [own.beneficiaryId, requestId],
    ] as const) {
      const foreign = await cancel(id, request, stranger.key);
      const unknown = await cancel(newId('beneficiary'), randomUUID(), stranger.key);
      expect(strip(foreign)).toEqual(strip(unknown));
    }
    const invited = await post([{ beneficiary_id: beneficiaryId }], stranger.key);
    const unknown = await post([{ beneficiary_id: newId('beneficiary') }], stranger.key);
    expect(invited.text).toBe(unknown.text);
    expect((await beneficiary(beneficiaryId)).pending_requests).toHaveLength(1);
  });

  it('another environment of the same business has beneficiaries of its own', async () => {
    const production = await makeTenant(harness, { environment: 'production' });
    const row = newcomer();
    const [here] = (await post([row])).body.results;
    const [there] = (await post([row], production.key)).body.results;
    expect(there.beneficiary_id).not.toBe(here.beneficiary_id);
  });

  it.each([
    ['admin', 200],
    ['preparer', 200],
    ['approver', 403],
    ['developer', 403],
    ['viewer', 403],
  ] as const)('%s: %i', async (role, status) => {
    const key = await tenant.keyWithRole(role);
    expect((await post([newcomer()], key)).status).toBe(status);
    const { beneficiaryId, requestId } = await inviteOne(harness, tenant, newcomer());
    const canceled = await cancel(beneficiaryId, requestId, key);
    expect(canceled.status).toBe(status === 200 ? 204 : 403);
    const documents = await calls.get(`/${beneficiaryId}/tax-documents`, key);
    expect([documents.status, documents.body]).toEqual([200, { tax_documents: [] }]);
  });

  it('a page of beneficiaries costs no query for each', async () => {
    const few = await makeTenant(harness);
    const listed = async (): Promise<number> => {
      const { sent } = await harness.sql.during(() =>
        harness.rest('GET', '/v1/beneficiaries?limit=100', { key: few.key }),
      );
      return sent.filter(({ name }) => name === 'status_facts_of_beneficiaries').length;
    };
    await post([newcomer()], few.key);
    expect(await listed()).toBe(1);
    await post([newcomer(), newcomer(), newcomer()], few.key);
    expect(await listed()).toBe(1);
  });
});
