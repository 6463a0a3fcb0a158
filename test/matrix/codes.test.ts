import { describe, expect, it } from 'vitest';
import { catalogue, type ErrorCode } from '../../src/errors/catalogue.ts';
import { makeTenant } from '../support/factory.ts';
import { referenceScenarios } from './codes/reference-scenarios.ts';
import { payeeScenarios, payoutScenarios, type Scenario } from './codes/scenarios.ts';
import { useHarness } from '../support/use-harness.ts';

/**
 * Each domain code of the interface, provoked over REST and over GraphQL: the
 * same code on both, with the status of the catalogue, and nothing left behind by either.
 */
const scenarios = [...payeeScenarios, ...payoutScenarios, ...referenceScenarios];

/** Codes that have no scenario here, and the test that provokes them. */
const elsewhere: Readonly<Partial<Record<ErrorCode, string>>> = {
  RATE_LIMITED: 'test/rest/rate-limit.test.ts',
  REGISTRATION_RATE_LIMITED: 'test/rest/rate-limit.test.ts',
  EXPORT_EXPIRED: 'test/rest/exports-async.test.ts',
  EXPORT_FAILED: 'test/rest/exports-async.test.ts',
  NAME_CHECK_NOT_PASSED: 'test/graphql/name-check.test.ts',
  // A race that a single caller cannot lose.
  PAYOUT_CONCURRENCY_CONFLICT: 'test/model/payout.test.ts',
};

const harness = useHarness();

/** Every row that a tenant has, table by table; keys aside, since their last use is written. */
async function rowsOf(tenantId: string): Promise<Record<string, string>> {
  const { pool } = harness.database;
  const tables = await pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'tenant_id' AND table_name NOT IN ('api_key', 'job_run')
     ORDER BY 1`,
  );
  const state: Record<string, string> = {};
  for (const { name } of tables.rows) {
    const { rows } = await pool.query<{ digest: string }>(
      `SELECT md5(coalesce(string_agg(r::text, '|' ORDER BY r::text), '')) AS digest FROM ${name} r WHERE r.tenant_id = $1`,
      [tenantId],
    );
    state[name] = rows[0]?.digest ?? '';
  }
  const { rows } = await pool.query<{ count: string }>(
    'SELECT count(*) FROM business b JOIN app_user u ON u.registered_business_id = b.id',
  );
  return { ...state, registrations: rows[0]?.count ?? '' };
}

describe.each(scenarios.map((scenario) => [scenario.code, scenario.title, scenario] as const))(
  '%s: %s',
  (code, _title, scenario: Scenario) => {
    it('is the answer of both interfaces and leaves nothing behind', async () => {
      const tenant = await makeTenant(harness, scenario.tenant);
      const { rest, graphql } = await scenario.make({ harness, tenant });
      const key = scenario.anonymous === true ? undefined : tenant.key;
      const before = await rowsOf(tenant.tenantId);

      const answer = await harness.rest(rest.method, rest.path, { key, body: rest.body });
      expect([answer.status, answer.body?.error?.code], answer.text).toEqual([
        catalogue[code].status,
        code,
      ]);
      expect(await rowsOf(tenant.tenantId)).toEqual(before);

      const { body, text } = await harness.graphql(key, graphql.query, graphql.variables);
      expect(body.errors?.[0]?.extensions?.code, text).toBe(code);
      expect(Object.values(body.data ?? {})).toEqual([null]);
      expect(await rowsOf(tenant.tenantId)).toEqual(before);
    });
  },
);

it('provokes every domain code of the catalogue', () => {
  const covered = new Set<string>([
    ...scenarios.map(({ code }) => code),
    ...Object.keys(elsewhere),
  ]);
  const domainCodes = Object.keys(catalogue).filter((code) => /^[A-Z]/.test(code));
  expect(domainCodes.filter((code) => !covered.has(code))).toEqual([]);
});
