import { beforeAll, expect, test } from 'vitest';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { newId } from '../../src/values/ids.ts';
import { makePayee, makeTenant, payoutBody, type TestTenant } from '../support/factory.ts';
import type { RestAnswer } from '../support/harness.ts';
import { useHarness } from '../support/use-harness.ts';

let operator: { id: string; key: string };
const harness = useHarness({ worker: false, env: { LOG_LEVEL: 'silent' } });

beforeAll(async () => {
  operator = await issueOperatorKey(harness.database.pool, 'On call');
});

const documents = {
  operatorProfileAccept: `mutation ($businessId: ID!, $submittedAt: DateTime, $reason: String!) {
    operatorProfileAccept(businessId: $businessId, submittedAt: $submittedAt, reason: $reason) { id profileStatus }
  }`,
  operatorProductionKeyIssue: `mutation ($businessId: ID!, $membershipId: ID!, $role: Role!, $reason: String!) {
    operatorProductionKeyIssue(businessId: $businessId, membershipId: $membershipId, role: $role, reason: $reason) {
      id environment role key
    }
  }`,
  operatorBalanceReport: `mutation ($businessId: ID!, $currency: String!, $balance: MinorUnits!) {
    operatorBalanceReport(businessId: $businessId, currency: $currency, availableBalanceMinor: $balance) {
      id currency availableBalanceMinor asOf
    }
  }`,
  operatorBeneficiarySuspend: `mutation ($businessId: ID!, $environment: Environment!, $beneficiaryId: ID!, $reason: String!) {
    operatorBeneficiarySuspend(businessId: $businessId, environment: $environment, beneficiaryId: $beneficiaryId, reason: $reason) {
      id complianceStatus
    }
  }`,
  operatorBeneficiaryReinstate: `mutation ($businessId: ID!, $environment: Environment!, $beneficiaryId: ID!, $reason: String!) {
    operatorBeneficiaryReinstate(businessId: $businessId, environment: $environment, beneficiaryId: $beneficiaryId, reason: $reason) {
      id complianceStatus
    }
  }`,
};
type Command = keyof typeof documents;

const run = (
  command: Command,
  variables: Record<string, unknown>,
  key: string | undefined = operator.key,
): Promise<RestAnswer> =>
  harness.graphql(key, documents[command], { reason: 'reviewed', ...variables });
const codeOf = (answer: RestAnswer): string | undefined => answer.body.errors?.[0].extensions.code;

async function setStatus({ businessId }: TestTenant, status: string): Promise<void> {
  const text = 'UPDATE business SET profile_status = $2 WHERE id = $1';
  await harness.database.pool.query(text, [businessId, status]);
}

async function actions({ businessId }: TestTenant) {
  const { rows } = await harness.database.pool.query(
    `SELECT operator_key_id, action, environment, subject_id, reason, detail
     FROM operator_action WHERE business_id = $1 ORDER BY id`,
    [businessId],
  );
  return rows;
}

async function memberIdOf(key: string): Promise<string> {
  return (await harness.graphql(key, '{ me { membershipId } }')).body.data.me.membershipId;
}

const record = (action: Command, environment: string | null, subjectId: string) => ({
  operator_key_id: operator.id,
  action,
  environment,
  subject_id: subjectId,
  reason: 'reviewed',
  detail: {},
});

test('a submitted profile is accepted once, by however many operators', async () => {
  const tenant = await makeTenant(harness);
  const { businessId } = tenant;
  expect(codeOf(await run('operatorProfileAccept', { businessId }))).toBe('conflict');
  await setStatus(tenant, 'submitted');
  const answers = await Promise.all(
    [1, 2, 3].map(() => run('operatorProfileAccept', { businessId })),
  );
  for (const { body } of answers) {
    expect(body.data.operatorProfileAccept).toEqual({ id: businessId, profileStatus: 'accepted' });
  }
  expect(await actions(tenant)).toEqual([record('operatorProfileAccept', null, businessId)]);
});

test('a production key is issued after the acceptance, to a member whose role covers it', async () => {
  const tenant = await makeTenant(harness);
  const { businessId } = tenant;
  const membershipId = await memberIdOf(tenant.key);
  const order = { businessId, membershipId, role: 'owner' };
  expect(codeOf(await run('operatorProductionKeyIssue', order))).toBe('forbidden');
  await setStatus(tenant, 'submitted');
  expect(codeOf(await run('operatorProductionKeyIssue', order))).toBe('forbidden');
  await run('operatorProfileAccept', { businessId });

  const issued = (await run('operatorProductionKeyIssue', order)).body.data
    .operatorProductionKeyIssue;
  expect(issued).toMatchObject({ environment: 'production', role: 'owner' });
  expect(issued.key).toMatch(/^pos_production_/);
  const keys = '{ apiKeys { edges { node { id createdByMembershipId } } } }';
  expect((await harness.graphql(issued.key, keys)).body.data.apiKeys.edges).toEqual([
    { node: { id: issued.id, createdByMembershipId: null } },
  ]);
  const funding = await harness.rest('GET', '/v1/funding/account', { key: issued.key });
  expect(funding.body.error.code).toBe('FUNDING_DEDICATED_ACCOUNT_NOT_PROVISIONED');
  expect((await actions(tenant)).at(-1)).toEqual({
    ...record('operatorProductionKeyIssue', 'production', issued.id),
    detail: { membership_id: membershipId, role: 'owner' },
  });

  const preparer = await memberIdOf(await tenant.keyWithRole('preparer'));
  const tooMuch = await run('operatorProductionKeyIssue', { ...order, membershipId: preparer });
  expect(codeOf(tooMuch)).toBe('unprocessable_entity');
  const other = await memberIdOf((await makeTenant(harness)).key);
  for (const id of [other, newId('membership'), 'mem_1']) {
    const answer = await run('operatorProductionKeyIssue', { ...order, membershipId: id });
    expect(codeOf(answer)).toBe('not_found');
  }
  expect(await actions(tenant)).toHaveLength(2);
});

test('nothing that was recorded holds the secret of an issued key', async () => {
  const tenant = await makeTenant(harness);
  await setStatus(tenant, 'accepted');
  const order = { businessId: tenant.businessId, membershipId: await memberIdOf(tenant.key) };
  const { body } = await run('operatorProductionKeyIssue', { ...order, role: 'viewer' });
  const secret = body.data.operatorProductionKeyIssue.key.split('_')[3].slice(0, 43);
  for (const needle of [secret, operator.key.split('_')[3]?.slice(0, 43)]) {
    for (const table of ['api_key', 'operator_key', 'operator_action']) {
      const text = `SELECT FROM ${table} AS r WHERE position($1 IN r::text) > 0`;
      expect((await harness.database.pool.query(text, [needle])).rowCount).toBe(0);
    }
  }
});

test('the first balance report opens the production account, later ones move its figure', async () => {
  const tenant = await makeTenant(harness, { environment: 'production', funded: false });
  const { businessId, key } = tenant;
  const report = (currency: string, balance: number | string): Promise<RestAnswer> =>
    run('operatorBalanceReport', { businessId, currency, balance });
  const [first] = await Promise.all([report('EUR', 500), report('EUR', 500), report('EUR', 500)]);
  const { id } = first.body.data.operatorBalanceReport;
  expect((await report('EUR', 0)).body.data.operatorBalanceReport).toMatchObject({
    id,
    availableBalanceMinor: '0',
  });
  expect(codeOf(await report('USD', 1))).toBe('FUNDING_CURRENCY_MISMATCH');
  for (const [currency, balance] of [
    ['XXX', 1],
    ['EUR', -1],
    ['EUR', 1.5],
    ['EUR', '1'],
    ['EUR', 1e12],
  ]) {
    expect(codeOf(await report(String(currency), balance ?? ''))).toBe('INVALID_MONEY');
  }
  const { funding_account: account } = (await harness.rest('GET', '/v1/funding/account', { key }))
    .body;
  expect(account).toMatchObject({
    id,
    environment: 'production',
    currency: 'EUR',
    available_balance_minor: 0,
    status: 'active',
  });
  const recorded = await actions(tenant);
  expect(recorded).toHaveLength(4);
  expect(recorded.at(-1)).toEqual({
    ...record('operatorBalanceReport', 'production', id),
    reason: null,
    detail: { currency: 'EUR', available_balance_minor: 0 },
  });
});

test('a suspended beneficiary is refused payouts until an operator reinstates it', async () => {
  const tenant = await makeTenant(harness);
  const payee = await makePayee(harness, tenant.key);
  const { beneficiaryId } = payee;
  const at = { businessId: tenant.businessId, environment: 'sandbox', beneficiaryId };
  const pay = () =>
    harness.rest('POST', '/v1/payouts', { key: tenant.key, body: payoutBody(payee) });

  expect(codeOf(await run('operatorBeneficiaryReinstate', at))).toBe('conflict');
  const racers = await Promise.all([1, 2, 3].map(() => run('operatorBeneficiarySuspend', at)));
  const refused = racers.map(codeOf).filter((code) => code !== undefined);
  expect(refused).toEqual(['conflict', 'conflict']);
  expect((await pay()).body.error.code).toBe('BENEFICIARY_NOT_COMPLIANT');
  const reinstated = await run('operatorBeneficiaryReinstate', at);
  expect(reinstated.body.data.operatorBeneficiaryReinstate).toEqual({
    id: beneficiaryId,
    complianceStatus: 'compliant',
  });
  expect((await pay()).status).toBe(201);
  expect(await actions(tenant)).toEqual([
    record('operatorBeneficiarySuspend', 'sandbox', beneficiaryId),
    record('operatorBeneficiaryReinstate', 'sandbox', beneficiaryId),
  ]);
  const { rows } = await harness.database.pool.query(
    `SELECT actor, reason FROM beneficiary_transition
     WHERE beneficiary_id = $1 AND kind IN ('suspended', 'reinstated')`,
    [beneficiaryId],
  );
  const actor = { type: 'operator', key_id: operator.id };
  expect(rows).toEqual([
    { actor, reason: 'reviewed' },
    { actor, reason: 'reviewed' },
  ]);
});

test('a beneficiary is found in its own tenant only, a business by its id only', async () => {
  const [tenant, other] = [await makeTenant(harness), await makeTenant(harness)];
  const { beneficiaryId } = await makePayee(harness, tenant.key);
  const own = { businessId: tenant.businessId, environment: 'sandbox', beneficiaryId };
  for (const command of ['operatorBeneficiarySuspend', 'operatorBeneficiaryReinstate'] as const) {
    for (const wrong of [
      { environment: 'production' },
      { businessId: other.businessId },
      { businessId: newId('business') },
      { businessId: 'biz_1' },
      { beneficiaryId: newId('beneficiary') },
      { beneficiaryId: 'x' },
    ]) {
      expect(codeOf(await run(command, { ...own, ...wrong }))).toBe('not_found');
    }
    expect(codeOf(await run(command, { ...own, reason: ' ' }))).toBe('validation_failed');
  }
  for (const businessId of [newId('business'), 'biz_1', tenant.tenantId]) {
    expect(codeOf(await run('operatorProfileAccept', { businessId }))).toBe('not_found');
    const report = { businessId, currency: 'USD', balance: 1 };
    expect(codeOf(await run('operatorBalanceReport', report))).toBe('not_found');
    const order = { businessId, membershipId: newId('membership'), role: 'viewer' };
    expect(codeOf(await run('operatorProductionKeyIssue', order))).toBe('not_found');
  }
  expect([...(await actions(tenant)), ...(await actions(other))]).toEqual([]);
});

test('a change whose record cannot be written does not happen', async () => {
  const tenant = await makeTenant(harness);
  await setStatus(tenant, 'submitted');
  const { pool } = harness.database;
  await pool.query(
    'ALTER TABLE operator_action ADD CONSTRAINT broken CHECK (business_id <> $$X$$) NOT VALID'.replace(
      'X',
      tenant.businessId,
    ),
  );
  const { businessId } = tenant;
  expect(codeOf(await run('operatorProfileAccept', { businessId }))).toBe('internal_error');
  const { rows } = await pool.query('SELECT profile_status FROM business WHERE id = $1', [
    businessId,
  ]);
  expect(rows).toEqual([{ profile_status: 'submitted' }]);
  await pool.query('ALTER TABLE operator_action DROP CONSTRAINT broken');
  expect(codeOf(await run('operatorProfileAccept', { businessId }))).toBe(undefined);
});

test('an operator key opens no field of a business', async () => {
  const tenant = await makeTenant(harness);
  const fields = [
    '{ businessProfile { legalName } }',
    '{ payouts { edges { cursor } } }',
    '{ beneficiaries { edges { cursor } } }',
    '{ apiKeys { edges { cursor } } }',
    '{ members { edges { cursor } } }',
    `{ node(id: "${tenant.businessId}") { id } }`,
    'mutation { apiKeyCreate(input: { role: viewer }) { key } }',
    'mutation { businessSettingsUpdate(distinctApprover: true) { distinctApprover } }',
    `mutation { memberRemove(id: "${newId('membership')}") { id } }`,
    `mutation { payoutApprove(payoutId: "${newId('payout')}") { replayed } }`,
  ];
  for (const field of fields) {
    expect([field, codeOf(await harness.graphql(operator.key, field))]).toEqual([
      field,
      'forbidden',
    ]);
  }
});

test('REST answers an operator with 403, and a wrong operator key with 401', async () => {
  const revoked = await issueOperatorKey(harness.database.pool, 'Gone');
  await harness.database.pool.query('UPDATE operator_key SET revoked_at = now() WHERE id = $1', [
    revoked.id,
  ]);
  const calls = [
    ['GET', '/v1/payouts'],
    ['POST', '/v1/payouts'],
    ['GET', '/v1/business/profile'],
    ['GET', '/v1/beneficiaries/export'],
  ] as const;
  for (const [method, path] of calls) {
    const answer = await harness.rest(method, path, { key: operator.key });
    expect(answer.status).toBe(403);
    expect(answer.body.error).toMatchObject({ code: 'forbidden', actor: null });
    expect(answer.body.error.message).toContain('GraphQL only');
    const gone = await harness.rest(method, path, { key: revoked.key });
    expect(gone.status).toBe(401);
  }
});

test('a business, whatever its role, and a stranger may run no operator command', async () => {
  const tenant = await makeTenant(harness);
  await setStatus(tenant, 'submitted');
  const variables = {
    businessId: tenant.businessId,
    membershipId: await memberIdOf(tenant.key),
    beneficiaryId: newId('beneficiary'),
    environment: 'sandbox',
    role: 'owner',
    currency: 'USD',
    balance: 1,
  };
  for (const command of Object.keys(documents) as Command[]) {
    for (const role of ['owner', 'admin', 'viewer'] as const) {
      const key = await tenant.keyWithRole(role);
      expect(codeOf(await run(command, variables, key))).toBe('forbidden');
    }
    const anonymous = await harness.graphql(undefined, documents[command], {
      reason: 'x',
      ...variables,
    });
    expect(codeOf(anonymous)).toBe('unauthorized');
  }
  expect(await actions(tenant)).toEqual([]);
});
