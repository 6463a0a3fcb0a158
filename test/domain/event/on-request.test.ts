import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsOnRequest } from '../../../src/domain/event/on-request.ts';
import { eventTypes } from '../../../src/domain/event/types.ts';
import { isPayoutUsable } from '../../../src/domain/bank-account/usability.ts';
import {
  eventually,
  makePayee,
  makeTenant,
  payoutBody,
  type TestTenant,
} from '../../support/factory.ts';
import { startHarness, type Harness } from '../../support/harness.ts';
import { startReceiver, type WebhookReceiver } from '../../support/receiver.ts';
import { eventProblems } from '../../support/event-schemas.ts';
import { causeRequestedEvents } from '../../support/requested-events.ts';

let harness: Harness;
let receiver: WebhookReceiver;
let tenant: TestTenant;

beforeAll(async () => {
  receiver = await startReceiver();
  harness = await startHarness({ env: { WEBHOOK_EXTRA_CA_FILE: receiver.caFile } });
  tenant = await makeTenant(harness);
});

afterAll(async () => {
  await harness.close();
  await receiver.close();
});

const onRequest = Object.keys(eventsOnRequest);

async function ask(method: string, path: string, body?: unknown, key = tenant.key) {
  const answer = await harness.rest(method, path, { key, body });
  expect(answer.status, `${path}: ${answer.text}`).toBeLessThan(300);
  return answer.body;
}

interface Recorded {
  readonly type: string;
  readonly discriminator: string;
  readonly data: Readonly<Record<string, unknown>>;
}

async function eventsOf(subject: string, of = tenant): Promise<Recorded[]> {
  const { rows } = await harness.database.pool.query<Recorded>(
    `SELECT type, discriminator, data FROM event
     WHERE tenant_id = $1 AND coalesce(payout_id, subject_id) = $2 ORDER BY sequence`,
    [of.tenantId, subject],
  );
  return rows;
}
const typesOf = async (subject: string, of = tenant) =>
  (await eventsOf(subject, of)).map(({ type }) => type);

async function subscribe(enabled_events: readonly string[], of = tenant): Promise<void> {
  await ask('POST', '/v1/webhook-subscriptions', { url: receiver.url, enabled_events }, of.key);
}

const email = () => `payee-${Math.random()}@example.com`;
const person = (more: object = {}) => ({
  beneficiary_type: 'person',
  email: email(),
  first_name: 'Ada',
  last_name: 'Lovelace',
  country_of_residence: 'US',
  date_of_birth: '1990-04-01',
  ...more,
});
const account = (account_number: string) => ({
  account_holder_name: 'Ada Lovelace',
  country: 'US',
  currency: 'USD',
  routing_code: '021000021',
  account_number,
});

describe('nobody asks', () => {
  it('records none, and sends no statement more', async () => {
    const quiet = await makeTenant(harness);
    await subscribe(['payout.settled'], quiet);
    const counted = async (of: TestTenant) => {
      const payee = await makePayee(harness, of.key, { acknowledged: false });
      const path = `/v1/beneficiaries/${payee.beneficiaryId}/compliance-acknowledgment`;
      const { sent } = await harness.sql.during(async () => {
        await ask('POST', path, undefined, of.key);
        const { payout } = await ask('POST', '/v1/payouts', payoutBody(payee), of.key);
        await ask('POST', `/v1/payouts/${payout.id}/cancel`, undefined, of.key);
      });
      const beside = /rate_limit|api_key|job|relay|webhook/; // before every request, and the worker's
      const names = sent.flatMap(({ name }) => (name === null ? [] : [name]));
      return names.filter((name) => !beside.test(name)).toSorted();
    };
    // A task of the minute may run beside one of them.
    const fewest = async () => {
      const runs = [await counted(quiet), await counted(quiet), await counted(quiet)];
      return runs.toSorted((a, b) => a.length - b.length)[0];
    };
    const without = await fewest();
    const { rows } = await harness.database.pool.query(
      'SELECT type FROM event WHERE tenant_id = $1',
      [quiet.tenantId],
    );
    expect(rows).toEqual([]);
    await subscribe(eventTypes, quiet);
    await counted(quiet);
    expect(await fewest()).toEqual(without);
  });
});

describe('somebody asks', () => {
  beforeAll(() => subscribe(eventTypes));

  it('tells a payee from its registration to its end', async () => {
    const { beneficiary } = await ask('POST', '/v1/beneficiaries', person());
    const path = `/v1/beneficiaries/${beneficiary.id}`;
    await ask('PUT', path, { nickname: 'Ada' });
    await ask('POST', `${path}/compliance-acknowledgment`);
    const { bank_account: first } = await ask('POST', `${path}/bank-accounts`, account('12345678'));
    await ask('PUT', `${path}/bank-accounts/${first.id}`, account('12345679'));
    await ask('DELETE', path);
    expect(await typesOf(beneficiary.id)).toEqual([
      'beneficiary.created',
      'beneficiary.changed',
      'beneficiary.changed',
      'beneficiary.action_required',
      'beneficiary.ready',
      'beneficiary.archived',
    ]);
    const [, updated, acknowledged] = await eventsOf(beneficiary.id);
    expect(updated?.data).toMatchObject({ change: 'updated', changed_fields: ['nickname'] });
    expect(acknowledged?.data).toMatchObject({
      change: 'acknowledged',
      changed_fields: [],
      compliance_status: 'compliant',
    });
    expect(await typesOf(first.id)).toEqual(['bank_account.verified', 'bank_account.changed']);
  });

  it('tells that a payee is ready once, whose account waited for its acknowledgment', async () => {
    const payee = await makePayee(harness, tenant.key, { acknowledged: false });
    await ask('POST', `/v1/beneficiaries/${payee.beneficiaryId}/compliance-acknowledgment`);
    expect(await typesOf(payee.beneficiaryId)).toEqual([
      'beneficiary.created',
      'beneficiary.changed',
      'beneficiary.ready',
    ]);
    expect(await typesOf(payee.bankAccountId)).toEqual(['bank_account.verified']);
  });

  it('tells what the rail refused, and that the payee is ready again', async () => {
    const payee = await makePayee(harness, tenant.key, { accountNumber: '000120004' });
    const path = `/v1/beneficiaries/${payee.beneficiaryId}`;
    const refused = await harness.rest('POST', `${path}/enroll`, { key: tenant.key });
    expect(refused.status).toBe(422);
    await ask('PUT', `${path}/bank-accounts/${payee.bankAccountId}`, account('12345678'));
    await ask('POST', `${path}/enroll`, { bank_account_id: payee.bankAccountId });
    expect(await typesOf(payee.bankAccountId)).toEqual([
      'bank_account.verified',
      'bank_account.refused',
      'bank_account.changed',
    ]);
    expect((await typesOf(payee.beneficiaryId)).slice(1)).toEqual([
      'beneficiary.ready',
      'beneficiary.action_required',
      'beneficiary.ready',
    ]);
  });

  it('tells a payout before its hand-over, each hold and each approval', async () => {
    const payee = await makePayee(harness, tenant.key);
    const create = async (more: object = {}) =>
      (await ask('POST', '/v1/payouts', payoutBody(payee, { ...more }))).payout.id as string;
    const simulate = (id: string, event: string) =>
      ask('POST', `/v1/sandbox/payouts/${id}/simulate`, { event });
    const id = await create();
    for (const event of ['hold', 'release', 'hold', 'release']) await simulate(id, event);
    await ask('POST', `/v1/payouts/${id}/cancel`);
    expect(await typesOf(id)).toEqual([
      'payout.created',
      'payout.held',
      'payout.released',
      'payout.held',
      'payout.released',
      'payout.canceled',
    ]);
    expect((await eventsOf(id))[1]?.data).toMatchObject({
      payout_id: id,
      status: 'compliance_hold',
    });
    const rejected = await create();
    await ask('POST', `/v1/payouts/${rejected}/reject`, { reasons: [{ message: 'No.' }] });
    expect(await typesOf(rejected)).toEqual(['payout.created', 'payout.rejected']);
    const auto = await create({ validator_strategy: 'auto' });
    expect((await typesOf(auto)).slice(0, 2)).toEqual(['payout.created', 'payout.approved']);
  });

  it('tells of rows of a bulk, and of the payout that is replaced', async () => {
    const payee = await makePayee(harness, tenant.key, { accountNumber: '000120001' });
    const rows = [payoutBody(payee, { validator_strategy: 'auto' }), payoutBody(payee)];
    const { results } = await ask('POST', '/v1/payouts/bulk', { payouts: rows, mode: 'atomic' });
    const [failing, waiting] = results.map((row: { payout: { id: string } }) => row.payout.id);
    expect(await typesOf(waiting)).toEqual(['payout.created']);
    await eventually(async () => (await typesOf(failing)).includes('payout.failed'));
    const body = payoutBody(payee, { replaces_payout_id: failing });
    const { payout } = await ask('POST', '/v1/payouts', body);
    const replaced = (await eventsOf(failing)).find(({ type }) => type === 'payout.replaced');
    expect(replaced?.data).toMatchObject({ replaced_by_payout_id: payout.id, payout_id: failing });
  });

  it('tells of a form that was not completed in time', async () => {
    const { beneficiary } = await ask(
      'POST',
      '/v1/beneficiaries',
      person({ identity_pending: true }),
    );
    const { results } = await ask('POST', '/v1/beneficiaries/collection-invites', {
      invites: [{ beneficiary_id: beneficiary.id }],
    });
    const request: string = results[0].collection_request.id;
    await harness.database.pool.query(
      `UPDATE collection_request SET expires_at = now() WHERE id = $1`,
      [request],
    );
    await harness.database.pool.query(
      `UPDATE collection_request SET created_at = now() - interval '1 day' WHERE id = $1`,
      [request],
    );
    await ask('POST', '/v1/beneficiaries/collection-invites', {
      invites: [{ beneficiary_id: beneficiary.id }],
    });
    expect(await typesOf(request)).toEqual(['collection_request.expired']);
    const told = (await eventsOf(beneficiary.id)).map(({ data }) => data['change']);
    expect(told.filter(Boolean)).toEqual(['invited', 'invited']);
  });

  it('sends each as its published schema says', async () => {
    const whole = await makeTenant(harness);
    await subscribe(eventTypes, whole);
    receiver.received.length = 0;
    await causeRequestedEvents(harness, whole);
    const sent = () => receiver.received.map(({ event }) => event);
    const unseen = () => onRequest.filter((type) => !sent().some((event) => event.type === type));
    await eventually(() => Promise.resolve(unseen().length === 0)).catch(() => undefined);
    expect(unseen()).toEqual([]);
    expect(sent().flatMap(eventProblems)).toEqual([]);
  });
});

it('calls ready what the status of a payee does', async () => {
  const { rows } = await harness.database.pool.query<{
    id: string;
    standing: string | null;
    country: string;
    status: string;
    validationStatus: string;
    railRejectionReason: string | null;
  }>(
    `SELECT a.id, command.beneficiary_standing(a.tenant_id, a.beneficiary_id, false) AS standing, a.country, a.status,
       a.validation_status AS "validationStatus", a.rail_rejection_reason AS "railRejectionReason"
     FROM bank_account a JOIN beneficiary b ON b.tenant_id = a.tenant_id AND b.id = a.beneficiary_id
     WHERE a.tenant_id = $1 AND b.archived_at IS NULL`,
    [tenant.tenantId],
  );
  expect(rows.length).toBeGreaterThan(3);
  for (const row of rows) {
    expect(row.standing === 'ready', row.id).toBe(isPayoutUsable(row));
  }
});
