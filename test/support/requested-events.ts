import { jobScope } from '../../src/access/system.ts';
import { expireApprovals } from '../../src/domain/approval-policy/expire.ts';
import { rulesInput } from '../../src/domain/approval-policy/rules.ts';
import { inTransaction } from '../../src/db/pool.ts';
import { suspendBeneficiary } from '../../src/domain/beneficiary/suspend.ts';
import { expireRequests } from '../../src/domain/collection/expire.ts';
import { handlers } from '../../jobs/handlers.ts';
import { loadOwn, ownList } from '../domain/screening/support.ts';
import { ageRequests, bankAccount, formCalls, identity, inviteOne } from './collection.ts';
import { eventually, makePayee, payoutBody, type TestTenant } from './factory.ts';
import type { Harness } from './harness.ts';

/*
 * A business to whom everything happens of which an event on request tells.
 */

async function ask(
  { harness, tenant }: Place,
  method: string,
  path: string,
  body?: unknown,
): Promise<Awaited<ReturnType<Harness['rest']>>['body']> {
  const answer = await harness.rest(method, path, { key: tenant.key, body });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`);
  return answer.body;
}

interface Place {
  readonly harness: Harness;
  readonly tenant: TestTenant;
}

const account = {
  account_holder_name: 'Ada Lovelace',
  country: 'US',
  currency: 'USD',
  routing_code: '021000021',
  account_number: '000123456780',
};

/** A payee whom the rail refuses first, then the platform, and then nobody needs. */
async function payeeOf(place: Place): Promise<void> {
  const { harness, tenant } = place;
  const payee = await makePayee(harness, tenant.key, { accountNumber: '000120004' });
  const path = `/v1/beneficiaries/${payee.beneficiaryId}`;
  await harness.rest('POST', `${path}/enroll`, { key: tenant.key });
  await ask(place, 'PUT', `${path}/bank-accounts/${payee.bankAccountId}`, account);
  await ask(place, 'PUT', path, { nickname: 'Ada' });
  const { pool } = harness.services;
  const scope = await jobScope(pool, tenant.tenantId, { type: 'system', name: 'test' });
  await inTransaction(pool, (client) =>
    suspendBeneficiary(client, scope, payee.beneficiaryId, 'It is on a list.'),
  );
  await ask(place, 'DELETE', path);
}

/** One form that is completed, and one whose time ends. */
async function formsOf({ harness, tenant }: Place): Promise<void> {
  const invite = (email: string) => ({
    email,
    beneficiary_type: 'person',
    first_name: 'Ada',
    last_name: 'Lovelace',
  });
  const filled = await inviteOne(harness, tenant, invite('filled@example.com'));
  const submitted = await formCalls(harness).submit(filled.token, { identity, bankAccount });
  if (submitted.body.errors !== undefined) throw new Error(submitted.text);
  const late = await inviteOne(harness, tenant, invite('late@example.com'));
  await ageRequests(harness, late.beneficiaryId, '30 days');
  await expireRequests(harness.services);
}

/** Payouts that end before their hand-over, and one that takes another's place. */
async function payoutsOf(place: Place): Promise<void> {
  const { harness, tenant } = place;
  const payee = await makePayee(harness, tenant.key, { accountNumber: '000120001' });
  const create = async (more: object = {}): Promise<string> => {
    const { payout } = await ask(place, 'POST', '/v1/payouts', payoutBody(payee, { ...more }));
    return payout.id as string;
  };
  const act = (id: string, action: string, body?: object) =>
    ask(place, 'POST', `/v1/payouts/${id}/${action}`, body);
  const held = await create();
  for (const event of ['hold', 'release']) {
    await ask(place, 'POST', `/v1/sandbox/payouts/${held}/simulate`, { event });
  }
  await act(held, 'cancel');
  await act(await create(), 'reject', { reasons: [{ message: 'Paid in cash.' }] });
  const failing = await create();
  await act(failing, 'approve');
  await eventually(async () => {
    const { payout } = await ask(place, 'GET', `/v1/payouts/${failing}`);
    return payout.state === 'failed';
  });
  await create({ replaces_payout_id: failing });
}

/** A payee whom a list has, until the list has it no more. */
async function screeningOf(place: Place): Promise<void> {
  const { harness, tenant } = place;
  const listed = async (...rows: readonly string[]) => {
    const { services } = harness;
    const text = ownList('L-0,person,Zebedee Quux,,,,,', ...rows);
    await loadOwn(services, text, { acceptedBecause: 'by the test' });
    await handlers.rescreen({}, services);
    await handlers.rescreen_tenant({ tenantId: tenant.tenantId }, services);
  };
  await listed();
  await ask(place, 'POST', '/v1/beneficiaries', {
    beneficiary_type: 'person',
    email: 'listed@example.com',
    first_name: 'Ludovika',
    last_name: 'Wrzesniewska',
    country_of_residence: 'US',
    date_of_birth: '1990-04-01',
  });
  await listed('L-1,person,Ludovika Wrzesniewska,,1990-04-01,US,,Fraud');
  await listed();
}

/** A payout whose step was not fulfilled in its time. */
async function expiredOf(place: Place): Promise<void> {
  const { harness, tenant } = place;
  const { pool } = harness.database;
  const step = { approvals: 2, groups: ['approver'], expiresAfterHours: 1 };
  const rules = rulesInput.parse([{ name: 'two', when: {}, effect: 'require', steps: [step] }]);
  const payee = await makePayee(harness, tenant.key);
  const version = (number: number, given: unknown) =>
    pool.query(
      `INSERT INTO approval_policy (tenant_id, version, rules, sums, proposed_by, proposed_at, confirmed_by)
       VALUES ($1, $2, $3, '[]', 'usr_1', now(), 'usr_2')`,
      [tenant.tenantId, number, given === null ? null : JSON.stringify(given)],
    );
  await version(1, rules);
  await ask(place, 'POST', '/v1/payouts', payoutBody(payee));
  await version(2, null);
  await pool.query(`UPDATE payout_requirement SET written_at = now() - interval '2 hours'`);
  await pool.query(`UPDATE payout_transition SET occurred_at = now() - interval '2 hours'`);
  await pool.query('UPDATE approval_expiry SET due_at = now()');
  await expireApprovals(harness.services);
}

/** Makes every event on request happen, to a tenant whose endpoint names them. */
export async function causeRequestedEvents(harness: Harness, tenant: TestTenant): Promise<void> {
  const place = { harness, tenant };
  await payeeOf(place);
  await formsOf(place);
  await payoutsOf(place);
  await screeningOf(place);
  await expiredOf(place);
}
