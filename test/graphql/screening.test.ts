import { beforeEach, describe, expect, it } from 'vitest';
import { handlers } from '../../jobs/handlers.ts';
import { loadOwn, ownList } from '../domain/screening/support.ts';
import {
  makePayee,
  makeTenant,
  payoutBody,
  type TestPayee,
  type TestTenant,
} from '../support/factory.ts';
import { useHarness } from '../support/use-harness.ts';

const harness = useHarness({
  worker: false,
  env: { LOG_LEVEL: 'silent', WATCHLIST_STALE_DAYS: '365' },
});
const sql = (text: string, values: unknown[] = []) => harness.database.pool.query(text, values);

const documents = {
  hits: `query ($filter: ScreeningHitFilter) { screeningHits(filter: $filter) { edges { node { id status list ref score ofac
    subjectName listedName listedNames listedBirths listedCountries programmes beneficiary { id }
    reasons { of verdict text } decisions { seq fromStatus toStatus reason evidence author { __typename } } } } } }`,
  figures: `{ screening { openHits oldestOpenAt payeesWithHit payeesConfirmed payeesPending payeesIncomplete
    settings { revision maxAgeDays incompleteBlocks lists confirmedAt } lists { kind state sequence listedOn } } }`,
  payee: `query ($id: ID!) { node(id: $id) { ... on Beneficiary { complianceStatus screening screenedAt
    screeningResult { engine incomplete hits bestScore subject { names birth countries } lists { kind sequence } }
    screeningHits { status } } } }`,
  decide: `mutation ($id: ID!, $verdict: ScreeningVerdict!, $reason: String!, $evidence: String) {
    screeningHitDecide(id: $id, verdict: $verdict, reason: $reason, evidence: $evidence) { id status
      decisions { toStatus reason evidence } } }`,
  settings: `mutation ($revision: Int!, $age: Int!, $blocks: Boolean!, $lists: [Watchlist!]) {
    screeningSettingsChange(revision: $revision, maxAgeDays: $age, incompleteBlocks: $blocks, lists: $lists) {
      revision maxAgeDays incompleteBlocks lists } }`,
  fourEyes: `mutation { businessSettingsUpdate(distinctApprover: true) { distinctApprover } }`,
  export: `mutation ($kind: ExportKind!) { exportCreate(input: { kind: $kind }) { id } }`,
  log: `{ accessChanges(first: 20) { edges { node { kind before after } } } }`,
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
let payee: TestPayee;
let approver: string;

const listed = 'B-1,person,Ada Lovelace,The Countess,1990-04-01,US,,Fraud';

async function load(...rows: readonly string[]): Promise<void> {
  await loadOwn(harness.services, ownList('B-0,person,Zebedee Quux,,,,,', ...rows), {
    acceptedBecause: 'by the test',
  });
  await handlers.rescreen({}, harness.services);
  await handlers.rescreen_tenant({ tenantId: tenant.tenantId }, harness.services);
}

async function hitOf(key = approver): Promise<string> {
  const { data } = await run(key, 'hits', { filter: { status: 'open' } });
  return data.screeningHits.edges[0].node.id as string;
}

const clear = { verdict: 'cleared', reason: 'Born in another town.', evidence: 'passport 1' };
const confirm = { verdict: 'confirmed', reason: 'The passport is the same.' };
const release = () =>
  handlers.release_payouts(
    { tenantId: tenant.tenantId, beneficiaryId: payee.beneficiaryId },
    harness.services,
  );
const stateOf = async (id: string): Promise<string> =>
  (await sql('SELECT state FROM payout WHERE id = $1', [id])).rows[0].state as string;

async function heldPayout(key = tenant.key): Promise<string> {
  const answer = await harness.rest('POST', '/v1/payouts', { key, body: payoutBody(payee) });
  expect(answer.body.payout.state).toBe('compliance_hold');
  return answer.body.payout.id as string;
}

beforeEach(async () => {
  await harness.database.reset();
  tenant = await makeTenant(harness);
  approver = await tenant.keyWithRole('approver');
  payee = await makePayee(harness, tenant.key);
  await load(listed);
});

it('shows the two beside each other, and why', async () => {
  const { data } = await run(approver, 'hits', { filter: { status: 'open' } });
  expect(data.screeningHits.edges).toHaveLength(1);
  expect(data.screeningHits.edges[0].node).toMatchObject({
    status: 'open',
    list: 'own',
    ref: 'B-1',
    subjectName: 'Ada Lovelace',
    listedName: 'Ada Lovelace',
    listedNames: ['Ada Lovelace', 'The Countess'],
    listedBirths: ['1990-04-01'],
    listedCountries: ['US'],
    programmes: ['Fraud'],
    beneficiary: { id: payee.beneficiaryId },
    decisions: [],
  });
  const { data: shown } = await run(approver, 'payee', { id: payee.beneficiaryId });
  expect(shown.node).toMatchObject({
    screening: 'hit',
    screeningResult: {
      engine: 'embedded',
      hits: 1,
      subject: { names: ['Ada Lovelace'], birth: '1990-04-01', countries: ['US'] },
      lists: [{ kind: 'own', sequence: 1 }],
    },
    screeningHits: [{ status: 'open' }],
  });
  const { data: figures } = await run(approver, 'figures');
  expect(figures.screening).toMatchObject({
    openHits: 1,
    payeesWithHit: 1,
    settings: { revision: 1, maxAgeDays: 30, incompleteBlocks: false, lists: null },
    lists: [{ kind: 'own', state: 'current', sequence: 1, listedOn: '2026-08-21' }],
  });
});

describe('a cleared hit', () => {
  it('releases the payouts for a decision, and is not asked again until one of the two changes', async () => {
    const id = await heldPayout();
    const { data } = await run(approver, 'decide', { id: await hitOf(), ...clear });
    expect(data.screeningHitDecide).toMatchObject({
      status: 'cleared',
      decisions: [{ toStatus: 'cleared', reason: clear.reason, evidence: clear.evidence }],
    });
    await release();
    expect(await stateOf(id)).toBe('pending_approval');
    const job = { tenantId: tenant.tenantId, beneficiaryId: payee.beneficiaryId };
    await handlers.screen_beneficiary(job, harness.services);
    const again = await run(approver, 'payee', { id: payee.beneficiaryId });
    expect(again.data.node).toMatchObject({
      screening: 'clear',
      screeningHits: [{ status: 'cleared' }],
    });
    // The entry as it is now is another one.
    await load(`${listed} and theft`);
    const later = await run(approver, 'payee', { id: payee.beneficiaryId });
    expect(later.data.node).toMatchObject({
      screening: 'hit',
      screeningHits: [{ status: 'open' }, { status: 'cleared' }],
    });
  });

  it('is decided once', async () => {
    const id = await hitOf();
    const both = await Promise.all([
      run(approver, 'decide', { id, ...clear }),
      run(approver, 'decide', { id, ...confirm }),
    ]);
    expect(both.filter(({ code }) => code === undefined)).toHaveLength(1);
    expect((await sql('SELECT 1 FROM screening_decision')).rowCount).toBe(1);
  });
});

describe('a confirmed hit', () => {
  it('suspends the payee, and stays with the owners', async () => {
    const id = await heldPayout();
    const hit = await hitOf();
    await run(approver, 'decide', { id: hit, ...confirm });
    await release();
    expect(await stateOf(id)).toBe('compliance_hold');
    const { data } = await run(approver, 'payee', { id: payee.beneficiaryId });
    expect(data.node).toMatchObject({ complianceStatus: 'suspended', screening: 'confirmed' });
    const refused = await harness.rest('POST', '/v1/payouts', {
      key: tenant.key,
      body: payoutBody(payee),
    });
    expect(refused.body.error.code).toBe('BENEFICIARY_NOT_COMPLIANT');
    expect((await run(approver, 'decide', { id: hit, ...clear })).code).toBe('forbidden');

    const owner = await tenant.keyWithRole('owner');
    expect((await run(owner, 'decide', { id: hit, ...clear })).code).toBeUndefined();
    await release();
    expect(await stateOf(id)).toBe('pending_approval');
    const after = await run(approver, 'payee', { id: payee.beneficiaryId });
    expect(after.data.node).toMatchObject({ complianceStatus: 'compliant', screening: 'clear' });
  });
});

describe('four eyes', () => {
  it('keep who created the payee or the payout from deciding', async () => {
    const owner = await tenant.keyWithRole('owner');
    await run(owner, 'fourEyes');
    const id = await hitOf();
    // tenant.key registered the payee.
    const own = await run(tenant.key, 'decide', { id, ...clear });
    expect([own.code, own.message]).toEqual([
      'forbidden',
      expect.stringContaining('distinct_approver'),
    ]);
    await heldPayout(owner);
    expect((await run(owner, 'decide', { id, ...clear })).code).toBe('forbidden');
    expect((await run(approver, 'decide', { id, ...clear })).code).toBeUndefined();
  });
});

describe('refuses', () => {
  it.each(['preparer', 'developer', 'viewer'] as const)('a %s', async (role) => {
    const id = await hitOf();
    const key = await tenant.keyWithRole(role);
    expect((await run(key, 'decide', { id, ...clear })).code).toBe('forbidden');
  });

  it('another business, and the other environment', async () => {
    const id = await hitOf();
    const other = await makeTenant(harness);
    expect((await run(other.key, 'decide', { id, ...clear })).code).toBe('not_found');
    const { data } = await run(other.key, 'hits');
    expect(data.screeningHits.edges).toEqual([]);
    const production = await makeTenant(harness, { environment: 'production' });
    expect((await run(production.key, 'decide', { id, ...clear })).code).toBe('not_found');
  });

  it('no reason, and a hit that is gone', async () => {
    const id = await hitOf();
    expect((await run(approver, 'decide', { id, ...clear, reason: ' ' })).code).toBe(
      'validation_failed',
    );
    await load();
    expect((await run(approver, 'decide', { id, ...clear })).code).toBe('conflict');
    expect((await sql('SELECT 1 FROM screening_decision')).rowCount).toBe(0);
  });
});

describe('the settings', () => {
  it('change for owners and admins, are on record, and screen all payees anew', async () => {
    const owner = await tenant.keyWithRole('owner');
    const other = { revision: 1, age: 7, blocks: true, lists: ['own', 'un'] };
    expect((await run(approver, 'settings', other)).code).toBe('forbidden');
    expect((await run(owner, 'settings', { ...other, revision: 7 })).code).toBe('conflict');
    expect((await run(owner, 'settings', { ...other, age: 0 })).code).toBe('validation_failed');
    const { data } = await run(owner, 'settings', other);
    expect(data.screeningSettingsChange).toEqual({
      revision: 2,
      maxAgeDays: 7,
      incompleteBlocks: true,
      lists: ['own', 'un'],
    });
    const { data: log } = await run(owner, 'log');
    expect(log.accessChanges.edges[0].node).toMatchObject({
      kind: 'settings_changed',
      after: { screening: { max_age_days: 7, incomplete_blocks: true, lists: ['own', 'un'] } },
    });
    await run(approver, 'decide', { id: await hitOf(), ...clear });
    await handlers.rescreen_tenant({ tenantId: tenant.tenantId }, harness.services);
    // The list of the United Nations was never loaded.
    const { data: shown } = await run(approver, 'payee', { id: payee.beneficiaryId });
    expect(shown.node).toMatchObject({
      screening: 'incomplete',
      screeningResult: { incomplete: true },
    });
    await heldPayout();
  });
});

it('exports for an auditor who was screened against what, and the age of each list', async () => {
  const hit = await hitOf();
  await run(approver, 'decide', { id: hit, ...clear, reason: '=1+1' });
  const linesOf = async (kind: string): Promise<string[]> => {
    const { data } = await run(approver, 'export', { kind });
    const exportId = data.exportCreate.id as string;
    await handlers.write_export({ tenantId: tenant.tenantId, exportId }, harness.services);
    const answer = await harness.rest('GET', `/v1/exports/${exportId}`, { key: approver });
    return answer.text.trimEnd().split(/\r?\n/);
  };
  const [head = '', ...screenings] = await linesOf('screenings');
  expect(head).toMatch(/^screening_id,beneficiary_id,screened_at,cause,engine,lists,/);
  expect(screenings).toHaveLength(1);
  const [line = ''] = screenings;
  expect(line).toContain(`,${payee.beneficiaryId},`);
  expect(line).toContain(',list,embedded,own 1 of 2026-08-21 (current),');
  expect(line).toContain(`,${hit},own,B-1,`);
  expect(line).toMatch(/,cleared,.*,usr_[0-9a-z]+,'=1\+1,passport 1$/);
  expect(line).not.toContain('Lovelace');
  const days = await linesOf('watchlist_days');
  expect(days[0]).toBe('day,list,version,listed_on,age_days,entries,sha256');
  expect(days).toHaveLength(2);
  expect(days[1]).toMatch(/^\d{4}-\d{2}-\d{2},own,1,2026-08-21,\d+,2,[0-9a-f]{64}$/);
});

it('keeps the fact of a screening when the payee is erased, and nothing of the person', async () => {
  await run(approver, 'decide', { id: await hitOf(), ...clear });
  await release();
  // A payee with a payout is kept without its data; one without is deleted.
  const answer = await harness.rest('POST', '/v1/payouts', {
    key: tenant.key,
    body: payoutBody(payee),
  });
  await harness.rest('POST', `/v1/payouts/${answer.body.payout.id}/cancel`, { key: tenant.key });
  const owner = await tenant.keyWithRole('owner');
  const erased = await harness.rest('POST', `/v1/beneficiaries/${payee.beneficiaryId}/erase`, {
    key: owner,
    body: { ground: 'payee_request' },
  });
  const { rows } = await sql(
    `SELECT r.subject_ciphertext, r.subject_hash, r.hits, h.explained_ciphertext, h.subject_hash AS of_hit, h.status,
       d.reason, d.evidence, d.to_status
     FROM screening_result r JOIN screening_hit h ON h.result_id = r.id JOIN screening_decision d ON d.hit_id = h.id`,
  );
  expect([erased.status, rows]).toEqual([
    200,
    [
      {
        subject_ciphertext: null,
        subject_hash: null,
        hits: 1,
        explained_ciphertext: null,
        of_hit: null,
        status: 'cleared',
        reason: null,
        evidence: null,
        to_status: 'cleared',
      },
    ],
  ]);
  const job = { tenantId: tenant.tenantId, beneficiaryId: payee.beneficiaryId };
  await handlers.screen_beneficiary(job, harness.services);
  expect((await sql('SELECT 1 FROM screening_result')).rowCount).toBe(1);
});
