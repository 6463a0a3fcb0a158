import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/values/ids.ts';
import { connectBank, insertBank, reads, sandboxBank, setRoutes } from '../support/banking.ts';
import { makeTenant, type TestTenant } from '../support/factory.ts';
import { useHarness } from '../support/use-harness.ts';
import { makeOperator, type Operator } from './support.ts';

const harness = useHarness({ worker: false, env: { LOG_LEVEL: 'silent', ...sandboxBank } });
let operator: Operator;
beforeAll(async () => {
  operator = await makeOperator(harness.database, 'ops_operate');
});
afterAll(() => operator.leave());

const setStatus = 'SELECT ops.set_bank_connection_status($1, $2, $3, $4) AS version';
const replace = 'SELECT ops.replace_routes($1, $2, $3, $4) AS version';

const recorded = (subject: string) =>
  operator.sql(
    'SELECT action, who, reason, detail FROM ops.action_log WHERE subject_id = $1 ORDER BY id',
    [subject],
  );

const statusOf = async (id: string) =>
  (
    await operator.row<{ status: string }>(
      'SELECT status FROM ops.bank_connections WHERE id = $1',
      [id],
    )
  ).status;

describe('ops.set_bank_connection_status', () => {
  it('pauses a connection in the version that was seen, with a record', async () => {
    const id = await connectBank(harness, await makeTenant(harness));
    expect(await operator.row(setStatus, [id, 'paused', 1, 'ticket 1'])).toEqual({ version: 2 });
    expect(await statusOf(id)).toBe('paused');
    expect(await operator.row(setStatus, [id, 'active', 2, 'ticket 2'])).toEqual({ version: 3 });
    expect(await recorded(id)).toMatchObject([
      {
        action: 'set_bank_connection_status',
        who: operator.name,
        reason: 'ticket 1',
        detail: { from: 'active', to: 'paused' },
      },
      { reason: 'ticket 2', detail: { from: 'paused', to: 'active' } },
    ]);
  });

  it('closes one for good, and not while a route leads to it', async () => {
    const tenant = await makeTenant(harness);
    const id = await connectBank(harness, tenant);
    await setRoutes(harness, tenant, 0, [{ connectionId: id }]);
    expect((await operator.refusal(setStatus, [id, 'closed', 1, 'x'])).message).toContain(
      'A route leads to the bank connection',
    );
    await setRoutes(harness, tenant, 1, []);
    await operator.row(setStatus, [id, 'closed', 1, 'x']);
    expect((await operator.refusal(setStatus, [id, 'active', 2, 'x'])).message).toContain(
      'closed for good',
    );
  });

  it('names each fault, and changes and records nothing then', async () => {
    const id = await connectBank(harness, await makeTenant(harness));
    const refused = async (...values: unknown[]) =>
      (await operator.refusal(setStatus, values)).message;
    expect(await refused(id, 'paused', 1, ' ')).toMatch(/reason/);
    expect(await refused(id, 'asleep', 1, 'x')).toContain("There is no status 'asleep'");
    expect(await refused(id, null, 1, 'x')).toContain('without a name');
    expect(await refused(newId('bankConnection'), 'paused', 1, 'x')).toContain(
      'no bank connection',
    );
    expect(await refused(newId('payout'), 'paused', 1, 'x')).toContain('no bank connection');
    expect(await refused(id, 'paused', 2, 'x')).toContain('Its version is 1, not 2');
    expect(await refused(id, 'paused', null, 'x')).toContain('Its version is 1, not empty');
    expect(await statusOf(id)).toBe('active');
    expect(await recorded(id)).toEqual([]);
  });
});

describe('ops.replace_routes', () => {
  const given = (
    tenant: TestTenant,
    version: number | null,
    routes: unknown,
    reason = 'ticket 3',
  ) => [tenant.tenantId, version, JSON.stringify(routes), reason];
  const routesOf = async (tenant: TestTenant) =>
    (await harness.graphql(tenant.key, reads)).body.data.payoutRoutes;

  it('replaces the list as a whole in the version that was seen, with a record', async () => {
    const tenant = await makeTenant(harness);
    const connectionId = await connectBank(harness, tenant);
    const first = [
      { connection_id: connectionId, currency: 'USD', scheme: 'ach', amount_to_minor: 500 },
      { provider: 'simulator' },
    ];
    expect(await operator.row(replace, given(tenant, 0, first))).toEqual({ version: 1 });
    expect(await routesOf(tenant)).toMatchObject({
      version: 1,
      routes: [
        { provider: `bank:${connectionId}`, currency: 'USD', scheme: 'ach', amountToMinor: 500 },
        { provider: 'simulator', connectionId: null, currency: null },
      ],
    });
    expect(await operator.row(replace, given(tenant, 1, []))).toEqual({ version: 2 });
    expect(await routesOf(tenant)).toEqual({ version: 2, routes: [] });
    expect(await recorded(tenant.tenantId)).toMatchObject([
      {
        action: 'replace_routes',
        who: operator.name,
        reason: 'ticket 3',
        detail: { version: 1, routes: 2 },
      },
      { detail: { version: 2, routes: 0 } },
    ]);
  });

  it('names each fault, and changes and records nothing then', async () => {
    const tenant = await makeTenant(harness);
    const foreign = await connectBank(harness, await makeTenant(harness));
    const closed = await connectBank(harness, tenant);
    const wires = await connectBank(harness, tenant, { schemes: ['us_wire'] });
    await operator.row(setStatus, [closed, 'closed', 1, 'x']);
    const production = await makeTenant(harness, { environment: 'production' });
    const real = await insertBank(harness, production, {});
    const refused = async (routes: unknown, version: number | null = 0, place = tenant) =>
      (await operator.refusal(replace, given(place, version, routes))).message;
    const noRoute = 'is not one';
    const noBank = 'leads to no open bank connection';
    for (const [route, words] of [
      [{}, noRoute],
      [{ provider: 'simulator', connection_id: wires }, noRoute],
      [{ provider: 'gateway' }, noRoute],
      [{ provider: 'simulator', colour: 'red' }, noRoute],
      [{ provider: 'simulator', scheme: 'ach' }, noRoute],
      [{ provider: 'simulator', currency: 'usd' }, noRoute],
      [{ provider: 'simulator', country: 'USA' }, noRoute],
      [{ provider: 'simulator', amount_to_minor: 5 }, noRoute],
      [
        { provider: 'simulator', currency: 'USD', amount_from_minor: 6, amount_to_minor: 5 },
        noRoute,
      ],
      [{ connection_id: foreign }, noBank],
      [{ connection_id: real }, noBank],
      [{ connection_id: closed }, noBank],
      [{ connection_id: wires, scheme: 'ach' }, noBank],
    ] as const) {
      expect(await refused([route]), JSON.stringify(route)).toContain(words);
    }
    expect(await refused({})).toContain('JSON array of at most 100');
    const { pool } = harness.database;
    await pool.query('INSERT INTO installation (second_operator) VALUES (false)');
    expect(await refused([{ provider: 'simulator' }], 0, production)).toContain(noRoute);
    await pool.query('DELETE FROM installation');
    expect(await refused([], 3)).toContain('no longer those of version 3');
    expect(await refused([], null)).toContain('that is not given');
    const unknown = await operator.refusal(replace, [newId('tenant'), 0, '[]', 'x']);
    expect(unknown.message).toContain('There is no tenant');
    expect((await operator.refusal(replace, given(tenant, 0, [], ''))).message).toMatch(/reason/);
    expect(await routesOf(tenant)).toEqual({ version: 0, routes: [] });
    expect(await recorded(tenant.tenantId)).toEqual([]);
  });
});
