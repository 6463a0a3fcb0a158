import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/values/ids.ts';
import { beneficiaryCalls, newAddress, person } from '../support/beneficiaries.ts';
import { ageRequests, formCalls, inviteOne, linkOf } from '../support/collection.ts';
import type { RestAnswer } from '../support/harness.ts';
import { storedEmails } from '../support/stored-emails.ts';
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

/** Jobs that wait to send a request's mail; no worker runs here. */
async function mailJobs(requestId: string): Promise<number> {
  const { rows } = await harness.database.pool.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM graphile_worker._private_jobs j
     WHERE j.payload::jsonb = jsonb_build_object('tenantId', $1::text, 'requestId', $2::text)`,
    [tenant.tenantId, requestId],
  );
  return rows[0]?.count ?? 0;
}

describe('an invite', () => {
  it('of a beneficiary by its id makes a link that lives seven days', async () => {
    const id = await calls.created(person());
    const answer = await post([{ beneficiary_id: id }]);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      results: [
        {
          index: 0,
          status: 'invited',
          beneficiary_id: id,
          collection_request: {
            id: expect.stringMatching(/^[0-9a-f-]{36}$/),
            scope: 'full_onboarding',
            expires_at: expect.any(String),
          },
          error: null,
        },
      ],
      summary: { total: 1, invited: 1, failed: 0 },
    });
    const request = answer.body.results[0].collection_request;
    const days = (Date.parse(request.expires_at) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(6.9);
    expect(days).toBeLessThanOrEqual(7.01);
    expect(await beneficiary(id)).toMatchObject({
      collection_status: 'invited',
      pending_requests: [request],
    });
    expect(await mailJobs(request.id)).toBe(1);
  });

  it('of an address that nobody has registers a stub', async () => {
    const row = newcomer({ nickname: 'The Countess' });
    const [result] = (await post([row])).body.results;
    expect(await beneficiary(result.beneficiary_id)).toMatchObject({
      email: row.email,
      name: 'Ada Lovelace',
      display_name: 'The Countess',
      compliance_status: 'pending',
      identity_complete: false,
      collection_status: 'invited',
    });
    expect(await calls.history(result.beneficiary_id)).toEqual([
      '1 registered new pending owner',
      '2 invited pending pending owner',
    ]);
  });

  it('of an address that somebody has invites them, whatever the case, if the type is theirs', async () => {
    const email = newAddress();
    const id = await calls.created(person({ email, first_name: 'Grace' }));
    const [same, other] = (
      await post([
        newcomer({ email: email.toUpperCase() }),
        { email: newAddress(), beneficiary_type: 'business', business_name: 'Engines Ltd' },
      ])
    ).body.results;
    expect(same).toMatchObject({ status: 'invited', beneficiary_id: id });
    expect(other).toMatchObject({ status: 'invited' });
    expect(await beneficiary(id)).toMatchObject({ email, first_name: 'Grace' });
    const [wrong] = (await post([{ email, beneficiary_type: 'business', business_name: 'E' }])).body
      .results;
    expect(wrong).toMatchObject({
      status: 'failed',
      beneficiary_id: null,
      collection_request: null,
      error: { code: 'BENEFICIARY_EMAIL_ALREADY_EXISTS' },
    });
  });

  it('that is bad fails alone, and says why', async () => {
    const archived = await calls.created(person());
    await calls.remove(archived);
    const known = await calls.created(person());
    const twice = newAddress();
    const invites = [
      { beneficiary_id: archived },
      { beneficiary_id: newId('beneficiary') },
      { beneficiary_id: 'ben_malformed' },
      { beneficiary_id: known, email: newAddress() },
      { scope: 'bank_details' },
      { email: newAddress() },
      newcomer({ last_name: null }),
      newcomer({ business_name: 'Engines Ltd' }),
      newcomer({ email: 'nobody' }),
      newcomer({ scope: 'everything' }),
      newcomer({ unknown: 1 }),
      'no object',
      newcomer({ email: twice }),
      newcomer({ email: twice.toUpperCase() }),
      { beneficiary_id: known },
      { beneficiary_id: known },
    ];
    const { body } = await post(invites);
    expect(body.summary).toEqual({ total: 16, invited: 2, failed: 14 });
    const told = body.results.map(
      (result: {
        status: string;
        error: { code: string; details?: { field: string; code: string }[] };
      }) =>
        result.status === 'invited'
          ? 'invited'
          : [
              result.error.code,
              ...(result.error.details ?? []).map((d) => `${d.field} ${d.code}`),
            ].join(' '),
    );
    expect(told).toEqual([
      'BENEFICIARY_ARCHIVED',
      'not_found',
      'not_found',
      'validation_failed invites[3].email mutually_exclusive',
      'validation_failed invites[4].email required',
      'validation_failed invites[5].beneficiary_type required',
      'BENEFICIARY_IDENTITY_INCOMPLETE',
      'BENEFICIARY_IDENTITY_INVALID',
      'validation_failed invites[8].email invalid_format',
      'validation_failed invites[9].scope invalid_value',
      'validation_failed invites[10].unknown unknown_field',
      'validation_failed invites[11] invalid_type',
      'invited',
      'validation_failed invites[13].email duplicate',
      'invited',
      'validation_failed invites[15].beneficiary_id duplicate',
    ]);
  });

  it('by id and by address of one beneficiary in one call counts as a repetition', async () => {
    const email = newAddress();
    const id = await calls.created(person({ email }));
    const { body } = await post([{ beneficiary_id: id }, newcomer({ email })]);
    expect(body.results[1].error.details).toMatchObject([
      { field: 'invites[1].email', code: 'duplicate' },
    ]);
  });

  it('is refused as a whole outside of 1 to 100 rows', async () => {
    for (const invites of [[], Array.from({ length: 101 }, () => newcomer())]) {
      const answer = await post(invites);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_failed']);
    }
    expect((await post(undefined)).status).toBe(400);
    const all = await post(Array.from({ length: 100 }, () => newcomer()));
    expect(all.body.summary).toEqual({ total: 100, invited: 100, failed: 0 });
  });

  it('of a suspended beneficiary is made: its details may be what lifts the hold', async () => {
    const id = await calls.created(person());
    await harness.database.pool.query(
      `UPDATE beneficiary SET compliance_status = 'suspended', status_before_suspension = 'pending' WHERE id = $1`,
      [id],
    );
    expect((await post([{ beneficiary_id: id }])).body.results[0].status).toBe('invited');
    expect(await beneficiary(id)).toMatchObject({ status: 'suspended' });
  });
});

describe('repeating a call', () => {
  it('by address answers with the link that is out, without another mail', async () => {
    const rows = [newcomer(), newcomer({ scope: 'bank_details' })];
    const first = await post(rows);
    const again = await post(rows);
    expect(again.body).toEqual(first.body);
    for (const { collection_request: request } of first.body.results) {
      expect(await mailJobs(request.id)).toBe(1);
    }
    // Another scope, or a quarter of an hour later, is another request.
    const [later] = first.body.results;
    for (const { beneficiary_id: id } of first.body.results) {
      await ageRequests(harness, id, '16 minutes');
    }
    const resent = await post([rows[0], { ...rows[1], scope: 'tax_documents' }]);
    for (const index of [0, 1]) {
      expect(resent.body.results[index]).toMatchObject({
        status: 'invited',
        beneficiary_id: first.body.results[index].beneficiary_id,
      });
      expect(resent.body.results[index].collection_request.id).not.toBe(
        first.body.results[index].collection_request.id,
      );
    }
    expect((await calls.history(later.beneficiary_id)).length).toBe(3);
  });

  it('by id is a resend: the older link opens nothing any more', async () => {
    const id = await calls.created(person());
    const first = await inviteOne(harness, tenant, { beneficiary_id: id });
    await ageRequests(harness, id);
    const second = await inviteOne(harness, tenant, { beneficiary_id: id });
    expect(second.requestId).not.toBe(first.requestId);
    expect((await form.open(first.token)).body.data.form.state).toBe('superseded');
    expect((await form.open(second.token)).body.data.form.state).toBe('live');
    const { pending_requests: pending } = await beneficiary(id);
    expect(pending.map((one: { id: string }) => one.id)).toEqual([second.requestId]);
    await expect(linkOf(harness, tenant.tenantId, first.requestId)).rejects.toThrow('not live');
  });

  it('by id is refused within a minute, whatever became of the link, unless its mail is dead', async () => {
    const id = await calls.created(person());
    const first = await inviteOne(harness, tenant, { beneficiary_id: id });
    const again = () => post([{ beneficiary_id: id, scope: 'bank_details' }, newcomer()]);
    const told = async () =>
      (await again()).body.results.map(
        (one: { error: { code: string } | null }) => one.error?.code ?? null,
      );
    expect(await told()).toEqual(['too_many_requests', null]);
    await calls.remove(`${id}/collection-requests/${first.requestId}`);
    expect(await told()).toEqual(['too_many_requests', null]);
    await harness.database.pool.query(
      `UPDATE collection_request SET mail_status = 'dead' WHERE id = $1`,
      [first.requestId],
    );
    expect(await told()).toEqual([null, null]);
  });

  it('for another scope ends the collection of the identity', async () => {
    const id = await calls.created(person());
    const first = await inviteOne(harness, tenant, { beneficiary_id: id });
    await ageRequests(harness, id);
    await inviteOne(harness, tenant, { beneficiary_id: id, scope: 'bank_details' });
    expect((await form.open(first.token)).body.data.form.state).toBe('superseded');
    expect(await beneficiary(id)).toMatchObject({ collection_status: 'not_invited' });
    expect(await calls.history(id)).toEqual([
      '1 registered new pending owner',
      '2 invited pending pending owner',
      '3 invite_canceled pending pending owner',
    ]);
  });

  it('at once leaves one live link of each beneficiary, and registers nobody twice', async () => {
    const rows = Array.from({ length: 5 }, () => newcomer());
    const known = await calls.created(person());
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        post([...(index % 2 ? rows : rows.toReversed()), { beneficiary_id: known }]),
      ),
    );
    // Those by address are answered with the link of the first; by id nine are within its minute.
    const results = answers.flatMap((answer) => answer.body.results);
    const refused = results.filter((one: { status: string }) => one.status === 'failed');
    expect(refused.map((one: { error: { code: string } }) => one.error.code)).toEqual(
      Array.from({ length: 9 }, () => 'too_many_requests'),
    );
    const stored = await storedEmails(harness, tenant.tenantId);
    const addressed = new Set(rows.map(({ email }) => email));
    const ids = [...stored].flatMap(([id, email]) => (addressed.has(email) ? [id] : []));
    expect(ids).toHaveLength(5);
    const { rows: counted } = await harness.database.pool.query(
      `SELECT count(r.id) FILTER (WHERE r.status = 'live')::integer AS live
       FROM collection_request r WHERE r.beneficiary_id = ANY ($1) GROUP BY r.beneficiary_id`,
      [[...ids, known]],
    );
    expect(counted).toHaveLength(6);
    for (const one of counted) expect(one).toEqual({ live: 1 });
  });
});
