import { beforeEach, describe, expect, it } from 'vitest';
import { handlers } from '../../../jobs/handlers.ts';
import type { Services } from '../../../src/process/services.ts';
import { makePayee, makeTenant, type TestTenant } from '../../support/factory.ts';
import { useHarness } from '../../support/use-harness.ts';
import { loadOwn, manyPeople, ownList } from './support.ts';

const harness = useHarness({
  worker: false,
  env: { LOG_LEVEL: 'silent', WATCHLIST_STALE_DAYS: '365' },
});
const sql = async <T = Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await harness.database.pool.query(text, values)).rows as T[];

let tenant: TestTenant;
beforeEach(async () => {
  await harness.database.reset();
  tenant = await makeTenant(harness);
});

const load = (...entries: readonly string[]) =>
  loadOwn(harness.services, ownList(...manyPeople(3), ...entries), { acceptedBecause: 'the test' });

const pass = (of: TestTenant = tenant, services: Services = harness.services): Promise<void> =>
  handlers.rescreen_tenant({ tenantId: of.tenantId }, services);

/** A person of this name. */
async function register(of: TestTenant, first: string, last: string, more = {}): Promise<string> {
  const answer = await harness.rest('POST', '/v1/beneficiaries', {
    key: of.key,
    body: {
      beneficiary_type: 'person',
      email: `${first}.${last}.${Math.random()}@example.com`,
      first_name: first,
      last_name: last,
      ...more,
    },
  });
  return answer.body.beneficiary.id as string;
}

const resultsOf = (payee: string) =>
  sql<{ cause: string; hits: number }>(
    'SELECT cause, hits FROM screening_result WHERE beneficiary_id = $1 ORDER BY id',
    [payee],
  );
const standingOf = async (payee: string) =>
  (await sql<{ screening: string }>('SELECT screening FROM beneficiary WHERE id = $1', [payee]))[0]
    ?.screening;
const progress = async () =>
  (
    await sql('SELECT screened, target, after FROM screening_policy WHERE tenant_id = $1', [
      tenant.tenantId,
    ])
  )[0];

describe('the first list', () => {
  it('screens all payees of each tenant, each in a pass of its own', async () => {
    const other = await makeTenant(harness);
    const [mine, theirs] = [
      await register(tenant, 'Anna', 'Smith'),
      await register(other, 'Grace', 'Hopper'),
    ];
    await load('B-1,person,Grace Hopper,,,,,Fraud');
    await handlers.rescreen({}, harness.services);
    const jobs = await sql<{ tenant: string }>(
      `SELECT tenant_id AS tenant FROM job_outbox WHERE task = 'rescreen_tenant' ORDER BY 1`,
    );
    // Each has a sandbox and production.
    expect(jobs).toHaveLength(4);
    await pass();
    expect([await standingOf(mine), await standingOf(theirs)]).toEqual(['clear', null]);
    await pass(other);
    expect([await standingOf(mine), await standingOf(theirs)]).toEqual(['clear', 'hit']);
  });
});

describe('a later version', () => {
  it('costs a look at those whom its difference may be, and nobody else', async () => {
    const [anna, grace, company] = [
      await register(tenant, 'Anna', 'Smith'),
      await register(tenant, 'Grace', 'Hopper'),
      await register(tenant, 'Bob', 'Jones', { tax_id: 'T-2200 0129' }),
    ];
    await load();
    await handlers.rescreen({}, harness.services);
    await pass();
    await load('B-1,person,Gracie Hoper,,,,,Fraud', 'B-2,person,Someone Else,,,,T22000129,Fraud');
    await pass();
    expect(await resultsOf(anna)).toEqual([{ cause: 'list', hits: 0 }]);
    expect([await standingOf(grace), await standingOf(company)]).toEqual(['hit', 'hit']);
    expect(await progress()).toEqual({ screened: { own: 2 }, target: null, after: null });
    const before = await sql('SELECT 1 FROM screening_result');
    await pass();
    expect(await sql('SELECT 1 FROM screening_result')).toHaveLength(before.length);
  });

  it('lets go whom it has no more', async () => {
    const grace = await register(tenant, 'Grace', 'Hopper');
    await load('B-1,person,Grace Hopper,,,,,Fraud');
    await handlers.rescreen({}, harness.services);
    await pass();
    expect(await standingOf(grace)).toBe('hit');
    await load();
    await pass();
    expect(await standingOf(grace)).toBe('clear');
  });

  it('sees one who was registered during its pass', async () => {
    await load();
    await handlers.rescreen({}, harness.services);
    await pass();
    await load('B-1,person,Grace Hopper,,,,,Fraud');
    const grace = await register(tenant, 'Grace', 'Hopper');
    expect(await standingOf(grace)).toBe('pending');
    const jobs = await sql(`SELECT 1 FROM job_outbox WHERE task = 'screen_beneficiary'
      UNION ALL SELECT 1 FROM graphile_worker.jobs WHERE task_identifier = 'screen_beneficiary'`);
    expect(jobs).toHaveLength(1);
    const job = { tenantId: tenant.tenantId, beneficiaryId: grace };
    await handlers.screen_beneficiary(job, harness.services);
    expect(await standingOf(grace)).toBe('hit');
  });
});

describe('a pass that dies', () => {
  /** The same services, whose settings fail at the given read of one of them. */
  function dying(at: number): Services {
    let reads = 0;
    const config = new Proxy(harness.services.config, {
      get(target, key) {
        if (key === 'SCREENING_THRESHOLD') {
          reads += 1;
          if (reads === at) throw new Error('killed');
        }
        return Reflect.get(target, key) as unknown;
      },
    });
    return { ...harness.services, config };
  }

  it('leaves nobody out, wherever it dies', async () => {
    const payees: string[] = [];
    for (const name of ['Anna', 'Bertha', 'Clara', 'Dora']) {
      payees.push(await register(tenant, name, 'Hopper'));
    }
    await load('B-1,person,Dora Hopper,,,,,Fraud');
    await handlers.rescreen({}, harness.services);
    for (let at = 1; at <= payees.length; at += 1) {
      await expect(pass(tenant, dying(at))).rejects.toThrow('killed');
      expect(await progress()).toMatchObject({ screened: {}, target: { own: 1 } });
    }
    await pass();
    expect(await progress()).toEqual({ screened: { own: 1 }, target: null, after: null });
    const found = await Promise.all(payees.map(standingOf));
    expect(found).toEqual(['clear', 'clear', 'clear', 'hit']);
  });

  it('goes on behind whom it has looked at', async () => {
    const [first, second] = [
      await register(tenant, 'Anna', 'Smith'),
      await register(tenant, 'Bertha', 'Smith'),
    ];
    await load();
    await handlers.rescreen({}, harness.services);
    await sql(
      `UPDATE screening_policy SET target = '{"own": 1}', after = $2 WHERE tenant_id = $1`,
      [tenant.tenantId, first],
    );
    await pass();
    expect([await resultsOf(first), await resultsOf(second)]).toEqual([
      [],
      [{ cause: 'list', hits: 0 }],
    ]);
  });
});

it('is confirmed where nothing changed, and not while a list cannot be relied on', async () => {
  const { beneficiaryId } = await makePayee(harness, tenant.key);
  await load();
  await handlers.rescreen({}, harness.services);
  await pass();
  const old = `UPDATE screening_policy SET confirmed_at = now() - interval '2 hours' WHERE tenant_id = $1`;
  const isFresh = async () =>
    (
      await sql<{ fresh: boolean }>(
        `SELECT confirmed_at > now() - interval '1 hour' AS fresh FROM screening_policy WHERE tenant_id = $1`,
        [tenant.tenantId],
      )
    )[0]?.fresh;
  await sql(old, [tenant.tenantId]);
  await pass();
  expect(await isFresh()).toBe(true);
  await sql(old, [tenant.tenantId]);
  await loadOwn(harness.services, 'no list at all').catch(() => undefined);
  await pass();
  expect(await isFresh()).toBe(false);
  expect(await resultsOf(beneficiaryId)).toHaveLength(1);
});

it('adds the lost job of a payee who waits', async () => {
  await load();
  await handlers.rescreen({}, harness.services);
  await pass();
  const grace = await register(tenant, 'Grace', 'Hopper');
  await sql('DELETE FROM job_outbox');
  await sql('DELETE FROM graphile_worker._private_jobs');
  await sql(`UPDATE beneficiary SET updated_at = now() - interval '1 hour' WHERE id = $1`, [grace]);
  await pass();
  const jobs = await sql<{ payload: object }>(
    `SELECT payload FROM job_outbox WHERE task = 'screen_beneficiary'`,
  );
  expect(jobs).toEqual([{ payload: { tenantId: tenant.tenantId, beneficiaryId: grace } }]);
});
