import { beforeEach, describe, expect, it } from 'vitest';
import { handlers } from '../../jobs/handlers.ts';
import {
  makePayee,
  makeTenant,
  payoutBody,
  type TestPayee,
  type TestTenant,
} from '../support/factory.ts';
import { useHarness } from '../support/use-harness.ts';

const harness = useHarness({ worker: false, env: { LOG_LEVEL: 'silent' } });
const sql = async <T>(text: string, values: unknown[] = []) =>
  (await harness.database.pool.query(text, values)).rows as T[];

const check = `nameCheck { id result effect nameOnFile source code checkedAt confirmedAt confirmedReason }`;
const documents = {
  settings: `mutation ($revision: Int!, $asks: Boolean!, $close: NameCheckEffect!, $no: NameCheckEffect!, $not: NameCheckEffect!) {
    nameCheckSettingsChange(revision: $revision, asks: $asks, closeMatch: $close, noMatch: $no, notPossible: $not) {
      revision asks closeMatch noMatch notPossible } }`,
  shown: '{ nameCheckSettings { revision asks closeMatch noMatch notPossible } }',
  account: `query ($id: ID!) { node(id: $id) { ... on BankAccount { accountHolderName ${check} } } }`,
  ask: `mutation ($beneficiaryId: ID!, $id: ID!) { bankAccountNameCheck(beneficiaryId: $beneficiaryId, id: $id) { ${check} } }`,
  confirm: `mutation ($id: ID!, $reason: String!) { nameCheckConfirm(id: $id, reason: $reason) { ${check} } }`,
  take: `mutation ($id: ID!) { nameCheckTake(id: $id) { accountHolderName ${check} } }`,
  approval: `query ($id: ID!) { node(id: $id) { ... on Payout { approval { permitted obstacles } } } }`,
  fourEyes: `mutation { businessSettingsUpdate(distinctApprover: true) { distinctApprover } }`,
  log: `{ accessChanges(first: 5) { edges { node { kind before after } } } }`,
};

async function run(key: string, name: keyof typeof documents, variables: object = {}) {
  const { body } = await harness.graphql(
    key,
    documents[name],
    variables as Record<string, unknown>,
  );
  const code = body.errors?.[0]?.extensions.code as string | undefined;
  return { code, data: body.data, message: body.errors?.[0]?.message as string | undefined };
}

let tenant: TestTenant;
let owner: string;
let approver: string;

const asking = { revision: 0, asks: true, close: 'confirm', no: 'block', not: 'show' };

beforeEach(async () => {
  await harness.database.reset();
  tenant = await makeTenant(harness);
  owner = await tenant.keyWithRole('owner');
  approver = await tenant.keyWithRole('approver');
});

/** Runs the job that waits for an account, as the worker would. */
async function answer(payee: TestPayee): Promise<void> {
  const [account] = await sql<{ version: number }>(
    'SELECT version FROM bank_account WHERE id = $1',
    [payee.bankAccountId],
  );
  await handlers.check_name(
    {
      tenantId: tenant.tenantId,
      bankAccountId: payee.bankAccountId,
      version: account?.version ?? 0,
      tries: 0,
    },
    harness.services,
  );
}

async function payeeWith(accountNumber: string): Promise<TestPayee> {
  const payee = await makePayee(harness, tenant.key, { accountNumber });
  await answer(payee);
  return payee;
}

const shownOf = async ({ bankAccountId: id }: TestPayee) =>
  (await run(approver, 'account', { id })).data.node;
const jobs = () => sql(`SELECT payload FROM job_outbox WHERE task = 'check_name' ORDER BY id`);

async function create(payee: TestPayee, more: object = {}) {
  return harness.rest('POST', '/v1/payouts', {
    key: tenant.key,
    body: payoutBody(payee, { ...more }),
  });
}

async function faults(method: string, body?: object): Promise<void> {
  const answered = await fetch(`${harness.simulatorUrl}/control/faults`, {
    method,
    headers: {
      authorization: `Bearer ${harness.services.config.SIMULATOR_API_KEY}`,
      'content-type': 'application/json',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answered.ok) throw new Error(await answered.text());
}

const approve = (id: string, key = approver) =>
  harness.rest('POST', `/v1/payouts/${id}/approve`, { key });

it('asks nobody until the business wants it', async () => {
  const payee = await payeeWith('11111111');
  expect([await shownOf(payee), await jobs()]).toMatchObject([{ nameCheck: null }, []]);
  const { status, body } = await create(payee, { validator_strategy: 'auto' });
  expect([status, body.payout.state]).toEqual([201, 'approved']);
  expect((await run(approver, 'shown')).data.nameCheckSettings).toEqual({
    revision: 0,
    asks: false,
    closeMatch: 'show',
    noMatch: 'show',
    notPossible: 'show',
  });
});

describe('the settings', () => {
  it('change for owners and admins, in turn, and are on record', async () => {
    expect((await run(approver, 'settings', asking)).code).toBe('forbidden');
    expect((await run(owner, 'settings', { ...asking, revision: 3 })).code).toBe('conflict');
    const both = await Promise.all([
      run(owner, 'settings', asking),
      run(owner, 'settings', { ...asking, no: 'confirm' }),
    ]);
    expect(both.filter(({ code }) => code === 'conflict')).toHaveLength(1);
    const { data } = await run(owner, 'log');
    expect(data.accessChanges.edges[0].node).toMatchObject({
      kind: 'settings_changed',
      before: { name_check: { asks: false } },
      after: { name_check: { asks: true, close_match: 'confirm' } },
    });
  });
});

describe('a business that asks', () => {
  beforeEach(async () => {
    expect((await run(owner, 'settings', asking)).code).toBeUndefined();
  });

  it.each([
    ['000123456789', 'match', 'MTCH', null],
    ['11111111', 'no_match', 'ANNM', null],
    ['11111112', 'close_match', 'MBAM', 'Jordan Example'],
    ['11111113', 'close_match', 'BANM', null],
    ['11111117', 'no_match', 'AC01', null],
    ['11111118', 'not_possible', 'IVCR', null],
    ['11111120', 'not_possible', 'OPTO', null],
  ])('is told of account %s: %s', async (accountNumber, result, code, nameOnFile) => {
    const payee = await payeeWith(accountNumber);
    const shown = await shownOf(payee);
    expect(shown.nameCheck).toMatchObject({ result, code, nameOnFile, source: 'simulator' });
    const { body } = await harness.rest(
      'GET',
      `/v1/beneficiaries/${payee.beneficiaryId}/bank-accounts`,
      { key: approver },
    );
    expect(body.bank_accounts[0].name_check).toMatchObject({
      result,
      code,
      name_on_file: nameOnFile,
    });
    const [stored] = await sql<{ text: string; version: number }>(
      'SELECT name_check::text AS text, version FROM name_check',
    );
    expect(stored?.version).toBe(1);
    expect(stored?.text).not.toContain('Jordan');
  });

  it('asks with the registration, once, however often the job runs', async () => {
    const payee = await makePayee(harness, tenant.key, { accountNumber: '11111111' });
    expect((await shownOf(payee)).nameCheck).toMatchObject({ result: 'pending', code: null });
    expect(await jobs()).toHaveLength(1);
    await Promise.all([answer(payee), answer(payee), answer(payee)]);
    await answer(payee);
    expect(await sql('SELECT 1 FROM name_check')).toHaveLength(1);
  });

  it('approves nothing while the answer is awaited, and then what it says', async () => {
    const payee = await makePayee(harness, tenant.key);
    const auto = await create(payee, { validator_strategy: 'auto' });
    expect([auto.status, auto.body.error.code, auto.body.error.details[0].code]).toEqual([
      409,
      'NAME_CHECK_NOT_PASSED',
      'name_check_pending',
    ]);
    const { body } = await create(payee);
    const { id } = body.payout;
    expect((await approve(id)).body.error.details[0].code).toBe('name_check_pending');
    await answer(payee);
    expect((await approve(id)).status).toBe(200);
    expect((await create(payee, { validator_strategy: 'auto' })).status).toBe(201);
  });

  it('blocks what it wants blocked, with its reason beside the payout, in a bulk too', async () => {
    const payee = await payeeWith('11111111');
    const { body } = await create(payee);
    const refused = await approve(body.payout.id);
    expect([refused.status, refused.body.error.details[0].code]).toEqual([
      409,
      'name_check_blocked',
    ]);
    const { data } = await run(approver, 'approval', { id: body.payout.id });
    expect(data.node.approval).toEqual({ permitted: false, obstacles: ['name_check_blocked'] });
    const bulk = await harness.rest('POST', '/v1/payouts/bulk', {
      key: tenant.key,
      body: {
        payouts: [
          payoutBody(payee, { validator_strategy: 'auto' }),
          payoutBody(payee),
          payoutBody(await payeeWith('000123456789'), { validator_strategy: 'auto' }),
        ],
      },
    });
    expect(
      bulk.body.results.map((row: any) => row.error?.code ?? row.payout.state), // oxlint-disable-line typescript/no-explicit-any
    ).toEqual(['NAME_CHECK_NOT_PASSED', 'pending_approval', 'approved']);
    // A confirmation does not lift what is blocked.
    const { nameCheck } = await shownOf(payee);
    await run(approver, 'confirm', { id: nameCheck.id, reason: 'I know them.' });
    expect((await approve(body.payout.id)).status).toBe(409);
  });

  it('asks for a confirmation with a reason, of another person where four eyes hold', async () => {
    const payee = await payeeWith('11111112');
    const { body } = await create(payee);
    expect((await approve(body.payout.id)).body.error.details[0].code).toBe(
      'name_check_unconfirmed',
    );
    const { nameCheck } = await shownOf(payee);
    const confirm = { id: nameCheck.id, reason: 'The maiden name.' };
    const viewer = await tenant.keyWithRole('viewer');
    expect((await run(viewer, 'confirm', confirm)).code).toBe('forbidden');
    expect((await run(approver, 'confirm', { ...confirm, reason: ' ' })).code).toBe(
      'validation_failed',
    );
    await run(owner, 'fourEyes');
    expect((await run(tenant.key, 'confirm', confirm)).message).toContain('distinct_approver');
    const [first, again] = [
      await run(approver, 'confirm', confirm),
      await run(approver, 'confirm', { ...confirm, reason: 'Again.' }),
    ];
    for (const { data } of [first, again]) {
      expect(data.nameCheckConfirm.nameCheck.confirmedReason).toBe('The maiden name.');
    }
    expect((await approve(body.payout.id)).status).toBe(200);
    // Another answer is another question.
    const { beneficiaryId, bankAccountId: id } = payee;
    await run(tenant.key, 'ask', { beneficiaryId, id });
    await answer(payee);
    expect((await shownOf(payee)).nameCheck).toMatchObject({ confirmedAt: null });
    expect((await run(approver, 'confirm', confirm)).code).toBe('conflict');
  });

  it('takes over the name that the bank has, as a new version that the bank knows', async () => {
    const payee = await payeeWith('11111112');
    const { body } = await create(payee);
    const { nameCheck } = await shownOf(payee);
    expect((await run(approver, 'take', { id: nameCheck.id })).code).toBe('forbidden');
    const { data } = await run(tenant.key, 'take', { id: nameCheck.id });
    expect(data.nameCheckTake).toMatchObject({
      accountHolderName: 'Jordan Example',
      nameCheck: { result: 'pending' },
    });
    expect((await approve(body.payout.id)).body.error.code).toBe('BANK_ACCOUNT_CHANGED');
    await answer(payee);
    expect((await shownOf(payee)).nameCheck).toMatchObject({ result: 'match' });
    expect((await run(tenant.key, 'take', { id: nameCheck.id })).code).toBe('conflict');
    expect(await sql('SELECT version, result FROM name_check ORDER BY version')).toEqual([
      { version: 1, result: 'close_match' },
      { version: 2, result: 'match' },
    ]);
  });

  it('lets an approval and an answer come one after the other', async () => {
    const payee = await payeeWith('000123456789');
    const { body } = await create(payee);
    const client = await harness.database.pool.connect();
    await client.query('BEGIN');
    await client.query(`UPDATE bank_account SET name_check = 'no_match' WHERE id = $1`, [
      payee.bankAccountId,
    ]);
    const approved = approve(body.payout.id);
    await new Promise((resolve) => {
      setTimeout(resolve, 300);
    });
    await client.query('COMMIT');
    client.release();
    const answered = await approved;
    const [payout] = await sql<{ state: string }>('SELECT state FROM payout WHERE id = $1', [
      body.payout.id,
    ]);
    expect([answered.status, payout?.state]).toEqual([409, 'pending_approval']);
  });

  it('asks a bank again that gives no answer, and then says that it could not', async () => {
    const payee = await makePayee(harness, tenant.key);
    await faults('PUT', { on: 'lookups', error_before_accept: 9 });
    await answer(payee);
    expect((await shownOf(payee)).nameCheck).toMatchObject({ result: 'pending' });
    expect((await jobs()).at(-1)).toMatchObject({ payload: { tries: 1 } });
    await handlers.check_name(
      { tenantId: tenant.tenantId, bankAccountId: payee.bankAccountId, version: 1, tries: 5 },
      harness.services,
    );
    await faults('DELETE');
    expect((await shownOf(payee)).nameCheck).toMatchObject({
      result: 'not_possible',
      code: 'NO_ANSWER',
      effect: 'show',
    });
  });

  it('is a condition of the approval policy', async () => {
    await run(owner, 'settings', { ...asking, revision: 1, no: 'show' });
    const rules = [
      { name: 'other names', effect: 'block', reason: 'Ask.', when: { nameChecks: ['no_match'] } },
      { name: 'right names', effect: 'pass', when: { nameChecks: ['match'] } },
    ];
    await sql(
      `INSERT INTO approval_policy (tenant_id, version, rules, sums, proposed_by, proposed_at, confirmed_by)
       VALUES ($1, 1, $2, '[]', 'usr_1', now(), 'usr_2')`,
      [tenant.tenantId, JSON.stringify(rules)],
    );
    const outcome = async (payee: TestPayee): Promise<unknown> => {
      const { body } = await create(payee);
      return body.error?.code ?? body.payout.state;
    };
    expect(await outcome(await payeeWith('11111111'))).toBe('PAYOUT_BLOCKED_BY_POLICY');
    expect(await outcome(await payeeWith('000123456789'))).toBe('approved');
    expect(await outcome(await payeeWith('11111118'))).toBe('pending_approval');
    // Nobody knows yet: what blocks holds, and what lets pass does not.
    const unknown = await makePayee(harness, tenant.key, { accountNumber: '000123450000' });
    expect(await outcome(unknown)).toBe('PAYOUT_BLOCKED_BY_POLICY');
  });

  it('is nothing to another business', async () => {
    const payee = await payeeWith('11111112');
    const { nameCheck } = await shownOf(payee);
    const other = await makeTenant(harness);
    const { beneficiaryId, bankAccountId } = payee;
    expect((await run(other.key, 'account', { id: bankAccountId })).data.node).toBeNull();
    const codes = [
      (await run(other.key, 'confirm', { id: nameCheck.id, reason: 'Mine.' })).code,
      (await run(other.key, 'take', { id: nameCheck.id })).code,
      (await run(other.key, 'ask', { beneficiaryId, id: bankAccountId })).code,
    ];
    expect(codes).toEqual(['not_found', 'not_found', 'not_found']);
  });

  it('keeps the fact of a check when the payee is erased, and no name', async () => {
    const payee = await payeeWith('11111112');
    const { body } = await create(payee);
    await harness.rest('POST', `/v1/payouts/${body.payout.id}/cancel`, { key: tenant.key });
    const erased = await harness.rest('POST', `/v1/beneficiaries/${payee.beneficiaryId}/erase`, {
      key: owner,
      body: { ground: 'payee_request' },
    });
    expect(erased.status).toBe(200);
    expect(await sql('SELECT result, name_on_file_ciphertext AS name FROM name_check')).toEqual([
      { result: 'close_match', name: null },
    ]);
    // An answer that comes late finds nobody.
    await sql(`UPDATE bank_account SET name_check = 'pending'`);
    await answer(payee);
    expect(await sql('SELECT 1 FROM name_check')).toHaveLength(1);
  });
});
