import { beforeEach, describe, expect, it } from 'vitest';
import { handlers } from '../../jobs/handlers.ts';
import { newId } from '../../src/values/ids.ts';
import { loadOwn, ownList } from '../domain/screening/support.ts';
import { makePayee, makeTenant, type TestPayee, type TestTenant } from '../support/factory.ts';
import { useHarness } from '../support/use-harness.ts';

const harness = useHarness({
  worker: false,
  env: { LOG_LEVEL: 'silent', WATCHLIST_STALE_DAYS: '365' },
});

let tenant: TestTenant;
let payee: TestPayee;
let approver: string;

const first = 'B-1,person,Ada Lovelace,The Countess,1990-04-01,US,,Fraud';
const second = 'B-2,person,Ada Lovelace,,1990,US,,Theft';
const clear = { verdict: 'cleared', reason: 'Born in another town.', evidence: 'Passport 1' };

async function load(...rows: readonly string[]): Promise<void> {
  await loadOwn(harness.services, ownList('B-0,person,Zebedee Quux,,,,,', ...rows), {
    acceptedBecause: 'by the test',
  });
  await handlers.rescreen({}, harness.services);
  await handlers.rescreen_tenant({ tenantId: tenant.tenantId }, harness.services);
}

const get = (path: string, key = approver) => harness.rest('GET', path, { key });
const decide = (id: string, body: object = clear, key = approver) =>
  harness.rest('POST', `/v1/screening/hits/${id}/decide`, { key, body });

async function hitIds(query = ''): Promise<string[]> {
  const { body } = await get(`/v1/screening/hits${query}`);
  return (body.hits as { id: string }[]).map(({ id }) => id);
}

const decisions = async () =>
  (await harness.database.pool.query('SELECT to_status FROM screening_decision')).rows;

beforeEach(async () => {
  await harness.database.reset();
  tenant = await makeTenant(harness);
  approver = await tenant.keyWithRole('approver');
  payee = await makePayee(harness, tenant.key);
});

it('says that nothing is screened while no list is loaded', async () => {
  const { status, body } = await get('/v1/screening');
  expect([status, body.screening]).toEqual([
    200,
    expect.objectContaining({ settings: null, lists: [], open_hits: 0, oldest_open_at: null }),
  ]);
  const ofPayee = await get(`/v1/beneficiaries/${payee.beneficiaryId}/screening`);
  expect(ofPayee.body.screening).toEqual({
    standing: null,
    screened_at: null,
    result: null,
    hits: [],
  });
});

describe('with a hit', () => {
  beforeEach(() => load(first, second));

  it('shows lists, figures, the payee and its results', async () => {
    const { body } = await get('/v1/screening');
    expect(body.screening).toMatchObject({
      settings: { revision: 1, max_age_days: 30, incomplete_blocks: false, lists: null },
      lists: [{ kind: 'own', state: 'current', sequence: 1, listed_on: '2026-08-21' }],
      open_hits: 2,
      payees_with_hit: 1,
    });
    const path = `/v1/beneficiaries/${payee.beneficiaryId}/screening`;
    const { body: shown } = await get(path);
    expect(shown.screening).toMatchObject({
      standing: 'hit',
      result: { engine: 'embedded', hits: 2, subject: { names: ['Ada Lovelace'] } },
      hits: [{ status: 'open' }, { status: 'open' }],
    });
    await load(first, second, 'B-3,person,Ada Augusta Lovelace,,1990-04,US,,Bribes');
    const { body: page } = await get(`${path}/results?limit=1`);
    expect(page.results).toMatchObject([{ hits: 3, lists: [{ sequence: 2 }] }]);
    const { body: next } = await get(`${path}/results?limit=1&cursor=${page.next_cursor}`);
    expect([next.results, next.next_cursor]).toEqual([
      [expect.objectContaining({ hits: 2 })],
      null,
    ]);
  });

  it('lists hits page by page, and by status, payee and list', async () => {
    const { body } = await get('/v1/screening/hits?limit=1');
    const { body: next } = await get(`/v1/screening/hits?limit=1&cursor=${body.next_cursor}`);
    expect(next.next_cursor).toBeNull();
    const refs = new Set([body.hits[0].ref, next.hits[0].ref]);
    expect(refs).toEqual(new Set(['B-1', 'B-2']));
    expect(await hitIds(`?beneficiary_id=${payee.beneficiaryId}&status=open&list=own`)).toEqual([
      body.hits[0].id,
      next.hits[0].id,
    ]);
    expect(await hitIds('?list=un')).toEqual([]);
    expect(await hitIds('?status=cleared')).toEqual([]);
    expect((await get('/v1/screening/hits?status=lost')).body.error.code).toBe('validation_failed');
    // A cursor is for the filter that it was given with.
    const other = await get(`/v1/screening/hits?list=own&cursor=${body.next_cursor}`);
    expect(other.body.error.code).toBe('validation_failed');
  });

  it('clears one, once, however often the same person says so', async () => {
    const [id = ''] = await hitIds();
    const answers = [await decide(id), await decide(id)];
    for (const { status, body } of answers) {
      expect([status, body.hit]).toEqual([
        200,
        expect.objectContaining({
          id,
          status: 'cleared',
          decisions: [
            expect.objectContaining({
              seq: 1,
              from_status: 'open',
              to_status: 'cleared',
              reason: clear.reason,
              evidence: clear.evidence,
              actor: expect.objectContaining({ type: 'member', role: 'approver' }),
            }),
          ],
        }),
      ]);
    }
    expect((await get(`/v1/screening/hits/${id}`)).body).toEqual(answers[1]?.body);
    // Others, and other words, are another decision.
    const owner = await tenant.keyWithRole('owner');
    for (const again of [
      await decide(id, clear, owner),
      await decide(id, { ...clear, reason: 'Another one.' }),
      await decide(id, { verdict: 'confirmed', reason: 'It is.' }),
    ]) {
      expect([again.status, again.body.error.code]).toEqual([409, 'conflict']);
    }
    expect(await decisions()).toEqual([{ to_status: 'cleared' }]);
  });

  it('takes one of two decisions at once', async () => {
    const [id = ''] = await hitIds();
    const other = { ...clear, reason: 'Another person.' };
    const both = await Promise.all([decide(id), decide(id, other)]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(await decisions()).toHaveLength(1);
  });

  it.each(['preparer', 'developer', 'viewer'] as const)('refuses a %s', async (role) => {
    const [id = ''] = await hitIds();
    const { status, body } = await decide(id, clear, await tenant.keyWithRole(role));
    expect([status, body.error.code]).toEqual([403, 'forbidden']);
  });

  it('refuses who registered the payee, where four eyes hold', async () => {
    await harness.database.pool.query('UPDATE business SET distinct_approver = true');
    const [id = ''] = await hitIds();
    const own = await decide(id, clear, tenant.key);
    expect([own.status, own.body.error.message]).toEqual([
      403,
      expect.stringContaining('distinct_approver'),
    ]);
    expect((await decide(id)).status).toBe(200);
  });

  it.each([
    ['no verdict', { reason: 'Because.' }],
    ['an unknown verdict', { verdict: 'open', reason: 'Because.' }],
    ['no reason', { verdict: 'cleared' }],
    ['a blank reason', { verdict: 'cleared', reason: ' ' }],
    ['an unknown field', { ...clear, colour: 'blue' }],
    ['evidence without end', { ...clear, evidence: 'x'.repeat(1_001) }],
  ])('refuses %s, and writes nothing', async (_what, body) => {
    const [id = ''] = await hitIds();
    const { status, body: answer } = await decide(id, body);
    expect([status, answer.error.code]).toEqual([400, 'validation_failed']);
    expect(await decisions()).toEqual([]);
  });

  it('is nothing to another business, nor to the other environment', async () => {
    const [id = ''] = await hitIds();
    const strangers = [
      await makeTenant(harness),
      await makeTenant(harness, { environment: 'production' }),
    ];
    const ofPayee = `/v1/beneficiaries/${payee.beneficiaryId}/screening`;
    for (const { key } of strangers) {
      for (const answer of [
        await get(`/v1/screening/hits/${id}`, key),
        await get(ofPayee, key),
        await get(`${ofPayee}/results`, key),
        await decide(id, clear, key),
      ]) {
        expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
      }
      expect((await get('/v1/screening/hits', key)).body.hits).toEqual([]);
      expect((await get('/v1/screening', key)).body.screening.open_hits).toBe(0);
    }
    expect((await decide(newId('screeningHit'))).body.error.code).toBe('not_found');
    expect(await decisions()).toEqual([]);
  });
});
