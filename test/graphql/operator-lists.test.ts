import { beforeAll, describe, expect, it } from 'vitest';
import { handlers } from '../../jobs/handlers.ts';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { roles } from '../../src/access/roles.ts';
import { makePayee, makeTenant, type TestTenant } from '../support/factory.ts';
import { usePayoutWorld } from '../support/payout-world.ts';

const world = usePayoutWorld({
  env: { LOG_LEVEL: 'silent', ENROLL_WAIT_MS: '1', RESOLUTION_CONFIRMATION: 'second_person' },
});
const { handedOver, sql, tell } = world;
let operator: { id: string; key: string };
beforeAll(async () => {
  operator = await issueOperatorKey(world.harness.database.pool, 'ada');
});

async function ask(query: string, variables: Record<string, unknown> = {}, key = operator.key) {
  const { body } = await world.harness.graphql(key, query, variables);
  expect(body.errors).toBeUndefined();
  return body.data;
}

/** The rows of one page, whose fields are those of the type without arguments. */
const listOf = (field: string, fields: string, args = '') =>
  `query ($businessId: ID) { ${field}(businessId: $businessId${args}) { edges { node { ${fields} } } pageInfo { hasNextPage endCursor } } }`;

async function list(field: string, fields: string, variables: Record<string, unknown> = {}) {
  const found = await ask(listOf(field, fields), variables);
  return found[field].edges.map(({ node }: { node: object }) => node);
}

const rename = ({ businessId }: TestTenant, name: string) =>
  sql('UPDATE business SET company_name = $2 WHERE id = $1', [businessId, name]);

async function suspend({ businessId }: TestTenant, beneficiaryId: string): Promise<void> {
  await ask(
    `mutation ($businessId: ID!, $id: ID!) {
      operatorBeneficiarySuspend(businessId: $businessId, environment: sandbox, beneficiaryId: $id, reason: "case 9") { id }
    }`,
    { businessId, id: beneficiaryId },
  );
}

/** Runs the job of an order, as the worker does: it finds that a second person has to confirm it. */
async function work(payoutId: string): Promise<void> {
  const jobs = await sql<{ payload: Parameters<typeof handlers.resolve_payout>[0] }>(
    `SELECT payload FROM graphile_worker._private_jobs
     WHERE payload ->> 'payoutId' = $1 AND payload ->> 'actionId' IS NOT NULL`,
    [payoutId],
  );
  for (const { payload } of jobs) await handlers.resolve_payout(payload, world.call.services);
}

describe('me', () => {
  it('answers an operator with their key and name, and a member as before', async () => {
    const query = '{ me { keyId operatorName businessId environment role membershipId userId } }';
    expect((await ask(query)).me).toEqual({
      keyId: operator.id,
      operatorName: 'ada',
      businessId: null,
      environment: null,
      role: null,
      membershipId: null,
      userId: null,
    });
    expect((await ask(query, {}, world.tenant.key)).me).toMatchObject({
      operatorName: null,
      businessId: world.tenant.businessId,
      environment: 'sandbox',
      role: 'owner',
    });
  });
});

describe('businesses', () => {
  const query = `query ($find: String, $profileStatus: ProfileStatus, $first: Int, $after: String) {
    operatorBusinesses(find: $find, profileStatus: $profileStatus, first: $first, after: $after) {
      edges { node {
        id companyName emailDomain createdAt profile { legalName profileStatus profileSubmittedAt address { city } }
        tenants { id environment } members { id role acceptedAt }
      } }
      pageInfo { hasNextPage endCursor }
    } }`;
  const found = async (variables: Record<string, unknown>) =>
    (await ask(query, variables)).operatorBusinesses.edges.map(
      ({ node }: { node: Record<string, unknown> }) => node,
    );

  it('are found by a part of the name, and by an id of theirs or of a tenant', async () => {
    const tenant = await makeTenant(world.harness);
    await rename(tenant, 'Zephyr & Söhne 100% GmbH');
    const [node] = await found({ find: 'söhne 100%' });
    expect(node).toMatchObject({
      id: tenant.businessId,
      companyName: 'Zephyr & Söhne 100% GmbH',
      profile: { legalName: null, profileStatus: 'incomplete', profileSubmittedAt: null },
      members: [{ role: 'owner' }],
    });
    expect(node.tenants).toEqual([
      { id: tenant.tenantId, environment: 'sandbox' },
      { id: expect.stringMatching(/^ten_/), environment: 'production' },
    ]);
    for (const find of [tenant.businessId, tenant.tenantId, node.tenants[1].id]) {
      expect(await found({ find })).toEqual([node]);
    }
    expect(await found({ find: 'Zephyr_' })).toEqual([]);
  });

  it('are those that wait for an acceptance, until they are accepted', async () => {
    const tenant = await makeTenant(world.harness);
    const { businessId } = tenant;
    await sql(
      "UPDATE business SET profile_status = 'submitted', profile_submitted_at = now(), legal_name = 'Waits Ltd' WHERE id = $1",
      [businessId],
    );
    const waits = async () =>
      (await found({ profileStatus: 'submitted' })).map(({ id }: { id: string }) => id);
    expect(await waits()).toContain(businessId);
    const accept =
      'mutation ($id: ID!) { operatorProfileAccept(businessId: $id, reason: "fine") { id } }';
    await ask(accept, { id: businessId });
    expect(await waits()).not.toContain(businessId);
  });

  it('come page by page, each once', async () => {
    for (let n = 0; n < 5; n += 1) {
      await rename(await makeTenant(world.harness), `Paged ${n}`);
    }
    const names: string[] = [];
    for (let after: string | null = null, more = true; more;) {
      const page: {
        edges: { node: { companyName: string } }[];
        pageInfo: { hasNextPage: boolean; endCursor: string };
      } = (await ask(query, { find: 'paged', first: 2, after })).operatorBusinesses;
      names.push(...page.edges.map(({ node }) => node.companyName));
      more = page.pageInfo.hasNextPage;
      after = page.pageInfo.endCursor;
    }
    expect(names).toEqual(['Paged 4', 'Paged 3', 'Paged 2', 'Paged 1', 'Paged 0']);
    const { body } = await world.harness.graphql(operator.key, query, { first: 101 });
    expect(body.errors[0].extensions).toMatchObject({ code: 'validation_failed' });
  });
});

describe('what waits for operators', () => {
  it('lists stuck payouts as ops does, with the reason', async () => {
    const payoutId = await handedOver('unknown_lost');
    await sql("UPDATE payout SET updated_at = now() - interval '1 hour' WHERE id = $1", [payoutId]);
    const [row] = await sql<Record<string, unknown>>(
      'SELECT reason, explanation, next_step, attempt_id FROM ops.stuck_payouts WHERE payout_id = $1',
      [payoutId],
    );
    const fields = `payoutId businessId companyName environment state since reason explanation nextStep attemptId provider
      lastError amountMinor currency takenBy`;
    const { businessId } = world.tenant;
    const stuck = await list('operatorStuckPayouts', fields, { businessId });
    expect(stuck.find((node: { payoutId: string }) => node.payoutId === payoutId)).toMatchObject({
      businessId,
      environment: 'sandbox',
      state: 'approved',
      reason: row?.['reason'],
      explanation: row?.['explanation'],
      nextStep: row?.['next_step'],
      attemptId: row?.['attempt_id'],
      amountMinor: expect.any(Number),
      currency: 'USD',
      takenBy: null,
    });
    const all = (await list('operatorStuckPayouts', 'payoutId')).map(
      (node: { payoutId: string }) => node.payoutId,
    );
    const paged: string[] = [];
    const query = `query ($after: String) { operatorStuckPayouts(first: 1, after: $after) {
      edges { node { payoutId } } pageInfo { hasNextPage endCursor } } }`;
    for (let after: string | null = null, more = true; more;) {
      const page: {
        edges: { node: { payoutId: string } }[];
        pageInfo: { hasNextPage: boolean; endCursor: string };
      } = (await ask(query, { after })).operatorStuckPayouts;
      paged.push(...page.edges.map(({ node }) => node.payoutId));
      more = page.pageInfo.hasNextPage;
      after = page.pageInfo.endCursor;
    }
    expect(paged).toEqual(all);
  });

  it('lists open contradictions, until they are examined', async () => {
    const payoutId = await handedOver('ok');
    await tell(payoutId, { type: 'settled', amountMinor: 1n, currency: 'USD' });
    const fields =
      'contradictionId noticedAt payoutId subjectId provider kind said expected source takenBy businessId environment';
    const open = () => list('operatorContradictions', fields);
    const [node] = await open();
    expect(node).toMatchObject({
      payoutId,
      subjectId: expect.stringMatching(/^dat_/),
      kind: 'amount',
      said: '1',
      source: 'event',
      businessId: world.tenant.businessId,
      environment: 'sandbox',
    });
    await ask(
      `mutation ($businessId: ID!, $id: ID!) { operatorContradictionExamine(businessId: $businessId, environment: sandbox,
        contradictionId: $id, finding: as_recorded, evidence: "ticket", reason: "case") { leftOpen } }`,
      { businessId: node.businessId, id: node.contradictionId },
    );
    expect(await open()).not.toContainEqual(node);
  });

  it('lists resolutions that need a second person, until one answers', async () => {
    const payoutId = await handedOver('unknown_lost');
    const { businessId } = world.tenant;
    const { operatorPayoutResolve: order } = await ask(
      `mutation ($businessId: ID!, $payoutId: ID!) { operatorPayoutResolve(businessId: $businessId, environment: sandbox,
        payoutId: $payoutId, reason: "case 17", outcome: not_paid, evidence: "their support") { actionId } }`,
      { businessId, payoutId },
    );
    const fields =
      'orderId orderedAt orderedBy payoutId outcome providerPayoutId evidence reason takenBy businessId environment';
    await work(payoutId);
    const waiting = () => list('operatorResolutions', fields, { businessId });
    expect(await waiting()).toContainEqual({
      orderId: order.actionId,
      orderedAt: expect.any(String),
      orderedBy: operator.id,
      payoutId,
      outcome: 'not_paid',
      providerPayoutId: null,
      evidence: 'their support',
      reason: 'case 17',
      takenBy: null,
      businessId,
      environment: 'sandbox',
    });
    await ask(
      `mutation ($businessId: ID!, $orderId: ID!) { operatorPayoutResolutionAnswer(businessId: $businessId,
        environment: sandbox, orderId: $orderId, answer: declined, reason: "no") { actionId } }`,
      { businessId, orderId: order.actionId },
    );
    expect(await waiting()).toEqual([]);
  });

  it('lists suspended beneficiaries of every business, or of one', async () => {
    const tenants = [await makeTenant(world.harness), await makeTenant(world.harness)];
    const ids: string[] = [];
    for (const tenant of tenants) {
      const { beneficiaryId } = await makePayee(world.harness, tenant.key);
      await suspend(tenant, beneficiaryId);
      ids.push(beneficiaryId);
    }
    const fields = 'beneficiaryId since reason actor businessId companyName environment';
    const all = await list('operatorSuspendedBeneficiaries', fields);
    expect(all.map(({ beneficiaryId }: { beneficiaryId: string }) => beneficiaryId)).toEqual(
      ids.toReversed(),
    );
    expect(
      await list('operatorSuspendedBeneficiaries', fields, { businessId: tenants[0]?.businessId }),
    ).toEqual([
      {
        beneficiaryId: ids[0],
        since: expect.any(String),
        reason: 'case 9',
        actor: { type: 'operator', key_id: operator.id },
        businessId: tenants[0]?.businessId,
        companyName: 'Test Business',
        environment: 'sandbox',
      },
    ]);
  });
});

const documents = {
  operatorBusinesses: '{ operatorBusinesses { edges { node { id } } } }',
  operatorStuckPayouts: '{ operatorStuckPayouts { edges { node { payoutId } } } }',
  operatorContradictions: '{ operatorContradictions { edges { node { contradictionId } } } }',
  operatorBankBatches: '{ operatorBankBatches { edges { node { batchId } } } }',
  operatorBankUnmatchedLines: '{ operatorBankUnmatchedLines { edges { node { lineId } } } }',
  operatorBankStrayAnswers: '{ operatorBankStrayAnswers { edges { node { answerId } } } }',
  operatorBankMissingDebits: '{ operatorBankMissingDebits { edges { node { payoutId } } } }',
  operatorBankUnreadableFiles: '{ operatorBankUnreadableFiles { edges { node { fileId } } } }',
  operatorBankBatch: '{ operatorBankBatch(batchId: "bbt_0") { batchId } }',
  operatorBankPayments:
    '{ operatorBankPayments(batchId: "bbt_0") { edges { node { position } } } }',
  operatorBankConnections: '{ operatorBankConnections { edges { node { connectionId } } } }',
  operatorResolutions: '{ operatorResolutions { edges { node { orderId } } } }',
  operatorSuspendedBeneficiaries:
    '{ operatorSuspendedBeneficiaries { edges { node { beneficiaryId } } } }',
};

it.each(Object.entries(documents))(
  '%s is refused to every role of a business',
  async (_name, query) => {
    const refused = async (key: string | undefined) =>
      (await world.harness.graphql(key, query)).body.errors[0].extensions.code;
    for (const role of roles) {
      expect(await refused(await world.tenant.keyWithRole(role)), role).toBe('forbidden');
    }
    expect(await refused(undefined)).toBe('unauthorized');
  },
);

/** What operators look for by an id or a text that somebody else gave them. */
const sought = {
  operatorPayout: 'query ($what: ID!) { operatorPayout(id: $what) { payoutId } }',
  operatorBankBatch: 'query ($what: ID!) { operatorBankBatch(batchId: $what) { batchId } }',
  operatorBusinesses:
    'query ($what: String!) { operatorBusinesses(find: $what) { edges { node { id } } } }',
  operatorStuckPayouts:
    'query ($what: ID!) { operatorStuckPayouts(businessId: $what) { edges { node { payoutId } } } }',
  operatorJobs: 'query ($what: ID!) { operatorJobs(subjectId: $what) { edges { node { id } } } }',
  operatorActions:
    'query ($what: ID!) { operatorActions(subjectId: $what) { edges { node { id } } } }',
};

it.each(Object.entries(sought))(
  '%s finds nothing by what no id and no name can be',
  async (field, query) => {
    const no = /^operator(?:Payout|BankBatch)$/.test(field) ? null : { edges: [] };
    for (const what of ['\0', 'pay_\0', '\ud800', `pay_${'x'.repeat(10_000)}`]) {
      expect(await ask(query, { what }), JSON.stringify(what.slice(0, 9))).toEqual({ [field]: no });
    }
  },
);
