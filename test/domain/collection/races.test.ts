import { beforeAll, describe, expect, it, vi } from 'vitest';
import { jobScope } from '../../../src/access/system.ts';
import { expireRequests } from '../../../src/domain/collection/expire.ts';
import { prepareCollectionMail } from '../../../src/domain/collection/mail.ts';
import { beneficiaryCalls, newAddress, person } from '../../support/beneficiaries.ts';
import {
  ageRequests,
  bankAccount,
  formCalls,
  identity,
  inviteOne,
  linkOf,
  refusalOf,
  type TestInvite,
} from '../../support/collection.ts';
import { makeTenant } from '../../support/factory.ts';
import type { RestAnswer } from '../../support/harness.ts';
import { useHarness, useTenant } from '../../support/use-harness.ts';

let form: ReturnType<typeof formCalls>;
let calls: ReturnType<typeof beneficiaryCalls>;

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);

beforeAll(async () => {
  form = formCalls(harness);
  calls = beneficiaryCalls(harness, tenant.key);
});

const invite = (): Promise<TestInvite> =>
  inviteOne(harness, tenant, {
    email: newAddress(),
    beneficiary_type: 'person',
    first_name: 'Ada',
    last_name: 'Lovelace',
  });

const resend = (id: string): Promise<RestAnswer> =>
  harness.rest('POST', '/v1/beneficiaries/collection-invites', {
    key: tenant.key,
    body: { invites: [{ beneficiary_id: id }] },
  });

const cancel = ({ beneficiaryId, requestId }: TestInvite): Promise<RestAnswer> =>
  harness.rest('DELETE', `/v1/beneficiaries/${beneficiaryId}/collection-requests/${requestId}`, {
    key: tenant.key,
  });

interface Row {
  readonly status: string;
  readonly collection_status: string;
  readonly archived: boolean;
  readonly accounts: number;
  readonly submissions: number;
  readonly live: number;
}

async function rowOf({ requestId }: TestInvite): Promise<Row> {
  const { rows } = await harness.database.pool.query<Row>(
    `SELECT r.status, b.collection_status, b.archived_at IS NOT NULL AS archived,
       (SELECT count(*)::integer FROM bank_account a WHERE a.beneficiary_id = b.id) AS accounts,
       (SELECT count(*)::integer FROM beneficiary_transition t
        WHERE t.beneficiary_id = b.id AND t.kind = 'details_submitted') AS submissions,
       (SELECT count(*)::integer FROM collection_request o
        WHERE o.beneficiary_id = b.id AND o.status = 'live') AS live
     FROM collection_request r JOIN beneficiary b ON b.id = r.beneficiary_id WHERE r.id = $1`,
    [requestId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the request is gone');
  return row;
}

/** What was submitted is stored once or not at all, and a beneficiary's status fits its requests. */
function expectConsistent(row: Row): void {
  const used = row.status === 'submitted';
  expect(row).toMatchObject({ accounts: used ? 1 : 0, submissions: used ? 1 : 0 });
  expect(row.live).toBeLessThanOrEqual(1);
  expect(row.collection_status).toBe(
    row.live === 1 ? 'invited' : used ? 'details_submitted' : 'not_invited',
  );
}

const given = { identity, bankAccount };

describe('a link', () => {
  it('is used once by fifty submits at once; the others are told so', async () => {
    const invited = await invite();
    const tokens = [invited.token, await linkOf(harness, tenant.tenantId, invited.requestId)];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => form.submit(tokens[index % 2] ?? '', given)),
    );
    const refused = answers.map(refusalOf).filter((one) => one !== null);
    expect(refused).toHaveLength(49);
    for (const one of refused) expect(one).toEqual({ code: 'conflict', details: [] });
    const row = await rowOf(invited);
    expectConsistent(row);
    expect(row.status).toBe('submitted');
  });

  it('is submitted, canceled or replaced, whoever comes first', async () => {
    for (let round = 0; round < 8; round += 1) {
      const invited = await invite();
      await ageRequests(harness, invited.beneficiaryId);
      await form.save(invited.token, given);
      const [submitted, canceled, resent] = await Promise.all([
        form.submit(invited.token),
        cancel(invited),
        resend(invited.beneficiaryId),
        form.save(invited.token, { identity: { phone: '+49 30 1234567' } }),
      ]);
      const row = await rowOf(invited);
      expectConsistent(row);
      expect(resent.body.results[0].status).toBe('invited');
      expect(refusalOf(submitted) === null).toBe(row.status === 'submitted');
      expect(canceled.status).toBe(row.status === 'submitted' ? 409 : 204);
      expect(['submitted', 'canceled', 'superseded']).toContain(row.status);
    }
  });

  it('and an archive at once: the details are stored before it or not at all', async () => {
    for (let round = 0; round < 8; round += 1) {
      const invited = await invite();
      await form.save(invited.token, given);
      const [submitted, archived] = await Promise.all([
        form.submit(invited.token),
        calls.remove(invited.beneficiaryId),
      ]);
      expect(archived.status).toBe(200);
      const row = await rowOf(invited);
      expectConsistent(row);
      expect(row.archived).toBe(true);
      expect(['submitted', 'canceled']).toContain(row.status);
      expect(refusalOf(submitted) === null).toBe(row.status === 'submitted');
    }
  });
});

describe('an archived beneficiary', () => {
  it('has no live link, whether the invite or the archive came first', async () => {
    for (let round = 0; round < 8; round += 1) {
      const id = await calls.created(person());
      const [invited] = await Promise.all([resend(id), calls.remove(id)]);
      const [result] = invited.body.results;
      if (result.status === 'failed') expect(result.error.code).toBe('BENEFICIARY_ARCHIVED');
      const { rows } = await harness.database.pool.query(
        `SELECT 1 FROM collection_request WHERE beneficiary_id = $1 AND status = 'live'`,
        [id],
      );
      expect(rows).toEqual([]);
    }
  });
});

describe('a link whose time is over', () => {
  const letExpire = ({ beneficiaryId }: TestInvite): Promise<void> =>
    ageRequests(harness, beneficiaryId, '7 days 1 second');

  it('is not live for anybody, also before the job has seen it', async () => {
    const invited = await invite();
    await form.save(invited.token, given);
    await letExpire(invited);
    const opened = await form.open(invited.token);
    expect(opened.body.data.form).toMatchObject({ state: 'expired', given: [] });
    for (const answer of [form.save(invited.token, given), form.submit(invited.token)]) {
      expect(refusalOf(await answer)?.code).toBe('conflict');
    }
    const read = await calls.get(`/${invited.beneficiaryId}`);
    expect(read.body.beneficiary).toMatchObject({
      pending_requests: [],
      collection_status: 'not_invited',
    });
    const call = {
      services: harness.services,
      scope: await jobScope(harness.services.pool, tenant.tenantId, { type: 'system', name: 'x' }),
    };
    expect(await prepareCollectionMail(call, invited.requestId)).toBeNull();
  });

  it('is ended by the job, of every tenant, once', async () => {
    const stranger = await makeTenant(harness);
    const payee = await calls.created(person());
    const bank = await inviteOne(harness, tenant, { beneficiary_id: payee, scope: 'bank_details' });
    const foreign = await inviteOne(harness, stranger, {
      email: newAddress(),
      beneficiary_type: 'business',
      business_name: 'Engines Ltd',
    });
    const [live, dead] = [await invite(), await invite()];
    await form.save(dead.token, given);
    for (const one of [bank, foreign, dead]) await letExpire(one);
    await expireRequests(harness.services);
    expect(await expireRequests(harness.services)).toBe(0);
    expect((await rowOf(live)).status).toBe('live');
    for (const one of [bank, foreign, dead]) {
      expect(await rowOf(one)).toMatchObject({ status: 'expired', live: 0 });
    }
    const { rows } = await harness.database.pool.query(
      'SELECT 1 FROM collection_request WHERE draft_ciphertext IS NOT NULL AND status <> $1',
      ['live'],
    );
    expect(rows).toEqual([]);
    const { rows: records } = await harness.database.pool.query(
      `SELECT beneficiary_id, actor FROM beneficiary_transition
       WHERE kind = 'invite_expired' AND beneficiary_id = ANY ($1) ORDER BY 1`,
      [[payee, foreign.beneficiaryId, dead.beneficiaryId]],
    );
    const actor = { type: 'system', name: 'collection' };
    expect(records).toEqual(
      [foreign.beneficiaryId, dead.beneficiaryId]
        .toSorted()
        .map((beneficiary_id) => ({ beneficiary_id, actor })),
    );
  });

  it('is ended also where an earlier one cannot be, which the run tells at its end', async () => {
    const [broken, other] = [await invite(), await invite()];
    await ageRequests(harness, broken.beneficiaryId, '8 days');
    await letExpire(other);
    await harness.database.pool.query(
      `ALTER TABLE collection_request ADD CONSTRAINT broken CHECK (id <> '${broken.requestId}' OR status = 'live') NOT VALID`,
    );
    const error = vi.spyOn(harness.services.log, 'error').mockReturnValue();
    try {
      await expect(expireRequests(harness.services)).rejects.toThrow('1 collection requests');
      expect(error).toHaveBeenCalledOnce();
      expect((await rowOf(broken)).status).toBe('live');
      expect((await rowOf(other)).status).toBe('expired');
    } finally {
      error.mockRestore();
      await harness.database.pool.query(`ALTER TABLE collection_request DROP CONSTRAINT broken`);
    }
    expect(await expireRequests(harness.services)).toBe(1);
  });

  it('gives way to a resend, and stays expired in the history', async () => {
    const invited = await invite();
    await letExpire(invited);
    expect((await resend(invited.beneficiaryId)).body.results[0].status).toBe('invited');
    expect(await rowOf(invited)).toMatchObject({ status: 'expired', live: 1 });
    // Another scope ends the collection of the identity, whose time was over.
    const second = await invite();
    await letExpire(second);
    await inviteOne(harness, tenant, {
      beneficiary_id: second.beneficiaryId,
      scope: 'bank_details',
    });
    expect((await calls.history(second.beneficiaryId)).at(-1)).toBe(
      '3 invite_expired pending pending owner',
    );
  });

  it('cannot be canceled into another state', async () => {
    const invited = await invite();
    await letExpire(invited);
    expect((await cancel(invited)).status).toBe(204);
    expect((await rowOf(invited)).status).toBe('expired');
  });
});
