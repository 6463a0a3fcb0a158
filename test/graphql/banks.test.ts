import { beforeAll, describe, expect, it } from 'vitest';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { inTransaction } from '../../src/db/pool.ts';
import { newId } from '../../src/values/ids.ts';
import {
  askRoutes,
  connectBank,
  europeanBank,
  reads,
  sandboxBank,
  setRoutes,
} from '../support/banking.ts';
import { ask, codeOf, detailsOf, type documents } from '../support/operator-banks.ts';
import { makeTenant, type TestTenant } from '../support/factory.ts';
import type { RestAnswer } from '../support/harness.ts';
import { sessionsWait } from '../support/sessions-wait.ts';
import { giveProductionKey } from '../support/production-key.ts';
import { useHarness } from '../support/use-harness.ts';

let operator: { id: string; key: string };
const harness = useHarness({
  worker: false,
  env: { LOG_LEVEL: 'silent', BANK_FOLDERS: '/nonexistent/banks', ...sandboxBank },
});
beforeAll(async () => {
  operator = await issueOperatorKey(harness.database.pool, 'On call');
});

const run = (
  document: keyof typeof documents,
  variables: Record<string, unknown>,
  key = operator.key,
): Promise<RestAnswer> => ask(harness, key, document, variables);

async function connected(tenant: TestTenant): Promise<string> {
  const answer = await run('connect', { businessId: tenant.businessId, ...europeanBank });
  if (answer.body.data?.done == null) throw new Error(answer.text);
  return answer.body.data.done.id as string;
}

describe('a production connection', () => {
  it('is made by an operator, with a record, and shows no secret', async () => {
    const tenant = await makeTenant(harness);
    const { businessId } = tenant;
    const answer = await run('connect', { businessId, ...europeanBank });
    expect(answer.body.data.done).toMatchObject({
      hasCredentials: true,
      transportFacts: expect.arrayContaining(['host=sftp.bank.example']),
      connection: { status: 'active', accountLast4: '2051', version: 1, transport: 'sftp' },
    });
    expect(answer.text).not.toContain('not for anybody to see');
    expect(answer.text).not.toContain('DE02120300000000202051');
    const { rows } = await harness.database.pool.query(
      `SELECT action, environment, subject_id, reason FROM operator_action WHERE business_id = $1`,
      [businessId],
    );
    expect(rows).toEqual([
      {
        action: 'operatorBankConnect',
        environment: 'production',
        subject_id: answer.body.data.done.id,
        reason: 'ticket 1',
      },
    ]);
    const stored = await harness.database.pool.query<{ text: string }>(
      'SELECT c::text AS text FROM bank_connection c WHERE id = $1',
      [answer.body.data.done.id],
    );
    expect(stored.rows[0]?.text).not.toContain('not for anybody');
    expect(stored.rows[0]?.text).not.toContain('DE0212');
    const member = await harness.graphql(await giveProductionKey(harness, tenant, 'viewer'), reads);
    expect(member.body.data.bankConnections).toMatchObject([{ name: 'Hausbank' }]);
    expect((await harness.graphql(tenant.key, reads)).body.data.bankConnections).toEqual([]);
  });

  it('is refused with what its files would lack, and leaves nothing behind', async () => {
    const { businessId } = await makeTenant(harness);
    const wrong = {
      account: { country: 'DE', currency: 'EUR', iban: 'DE02120300000000202052' },
      schemes: ['sepa_credit_transfer', 'ach'],
    };
    const answer = await run('connect', { businessId, ...europeanBank, ...wrong });
    expect(codeOf(answer)).toBe('validation_failed');
    expect(detailsOf(answer)).toEqual(['account account_unfit', 'ach missing']);
    const transport = { ...europeanBank.transport, password: undefined };
    expect(detailsOf(await run('connect', { businessId, ...europeanBank, transport }))).toEqual([
      'transport.password required',
    ]);
    const folder = { kind: 'folder', folder: '../etc' };
    expect(
      detailsOf(await run('connect', { businessId, ...europeanBank, transport: folder })),
    ).toEqual(['transport.folder invalid_value']);
    const zone = { timeZone: 'Europe/Atlantis', cutOffTime: '25:00' };
    expect(detailsOf(await run('connect', { businessId, ...europeanBank, ...zone }))).toEqual([
      'cutOffTime invalid_format',
      'timeZone invalid_value',
    ]);
    const { rows } = await harness.database.pool.query(
      'SELECT 1 FROM operator_action WHERE business_id = $1',
      [businessId],
    );
    expect(rows).toEqual([]);
  });

  it('is for operators alone, and an unknown business is not found', async () => {
    const tenant = await makeTenant(harness);
    const given = { businessId: tenant.businessId, ...europeanBank };
    expect(codeOf(await run('connect', given, tenant.key))).toBe('forbidden');
    expect(codeOf(await run('connect', { ...given, businessId: newId('business') }))).toBe(
      'not_found',
    );
  });

  it('changes only in the version that was seen; what is absent stays', async () => {
    const tenant = await makeTenant(harness);
    const { businessId } = tenant;
    const connectionId = await connected(tenant);
    const first = await run('change', { businessId, connectionId, version: 1, initiatorId: 'X1' });
    expect(first.body.data.done).toMatchObject({ initiatorId: 'X1', connection: { version: 2 } });
    const late = { businessId, connectionId, version: 1, cutOffTime: '09:00' };
    expect(codeOf(await run('change', late))).toBe('conflict');
    const second = await run('change', { ...late, version: 2 });
    expect(second.body.data.done).toMatchObject({
      initiatorId: 'X1',
      hasCredentials: true,
      connection: { version: 3, cutOffTime: '09:00' },
    });
    const other = await makeTenant(harness);
    expect(codeOf(await run('change', { ...late, businessId: other.businessId }))).toBe(
      'not_found',
    );
  });

  it('is closed for good, and not while a route leads to it', async () => {
    const tenant = await makeTenant(harness);
    const { businessId } = tenant;
    const connectionId = await connected(tenant);
    await run('routes', { businessId, version: 0, routes: [{ connectionId }] });
    const close = { businessId, connectionId, version: 1, status: 'closed' };
    expect(codeOf(await run('change', close))).toBe('conflict');
    await run('routes', { businessId, version: 1, routes: [] });
    expect((await run('change', close)).body.data.done.connection.status).toBe('closed');
    expect(codeOf(await run('change', { ...close, version: 2, status: 'active' }))).toBe(
      'conflict',
    );
    const again = await run('routes', { businessId, version: 2, routes: [{ connectionId }] });
    expect(detailsOf(again)).toEqual(['routes[0].connectionId invalid_value']);
  });

  it('takes one of two changes at once', async () => {
    const tenant = await makeTenant(harness);
    const { businessId } = tenant;
    const connectionId = await connected(tenant);
    const version = 1;
    const racers = await inTransaction(harness.database.pool, async (client) => {
      await client.query('SELECT 1 FROM bank_connection WHERE id = $1 FOR UPDATE', [connectionId]);
      const pending = ['08:00', '09:00'].map((cutOffTime) =>
        run('change', { businessId, connectionId, version, cutOffTime }),
      );
      await sessionsWait(harness.database.pool, 2);
      return { pending };
    });
    const codes = (await Promise.all(racers.pending)).map((answer) => codeOf(answer) ?? '');
    expect(new Set(codes)).toEqual(new Set(['', 'conflict']));
  });
});

describe('routes', () => {
  it('are replaced as a whole, in the version that was seen', async () => {
    const tenant = await makeTenant(harness);
    const connectionId = await connectBank(harness, tenant);
    expect(await setRoutes(harness, tenant, 0, [{ connectionId, currency: 'USD' }])).toBe(1);
    const late = await askRoutes(harness, tenant.key, 0, []);
    expect(codeOf(late)).toBe('conflict');
    expect(codeOf(await askRoutes(harness, tenant.key, 2_147_483_646, []))).toBe('conflict');
    await setRoutes(harness, tenant, 1, [
      { connectionId, currency: 'USD', scheme: 'ach', amountToMinor: 500 },
      { provider: 'simulator' },
    ]);
    const seen = await harness.graphql(await tenant.keyWithRole('viewer'), reads);
    const nothing = {
      currency: null,
      country: null,
      scheme: null,
      amountFromMinor: null,
      amountToMinor: null,
    };
    expect(seen.body.data.payoutRoutes).toEqual({
      version: 2,
      routes: [
        {
          ...nothing,
          provider: `bank:${connectionId}`,
          connectionId,
          currency: 'USD',
          scheme: 'ach',
          amountToMinor: 500,
        },
        { ...nothing, provider: 'simulator', connectionId: null },
      ],
    });
    expect(await setRoutes(harness, tenant, 2, [])).toBe(3);
  });

  it('name each fault, and change nothing then', async () => {
    const tenant = await makeTenant(harness);
    const other = await makeTenant(harness);
    const foreign = await connectBank(harness, other);
    const connectionId = await connectBank(harness, tenant, { schemes: ['ach'] });
    const ask = async (route: Record<string, unknown>) =>
      detailsOf(await askRoutes(harness, tenant.key, 0, [route]));
    expect(await ask({ connectionId: foreign })).toEqual(['routes[0].connectionId invalid_value']);
    expect(await ask({ connectionId: newId('bankConnection') })).toEqual([
      'routes[0].connectionId invalid_value',
    ]);
    expect(await ask({ connectionId, scheme: 'us_wire' })).toEqual([
      'routes[0].scheme invalid_value',
    ]);
    expect(await ask({ provider: 'gateway' })).toEqual(['routes[0].provider invalid_value']);
    expect(await ask({})).toEqual(['routes[0].provider required']);
    expect(await ask({ provider: 'simulator', scheme: 'ach' })).toEqual([
      'routes[0].scheme invalid_value',
    ]);
    expect(await ask({ provider: 'simulator', amountToMinor: 5 })).toEqual([
      'routes[0].currency required',
    ]);
    const range = { currency: 'USD', amountFromMinor: 6, amountToMinor: 5 };
    expect(await ask({ provider: 'simulator', ...range })).toEqual([
      'routes[0].amountToMinor invalid_value',
    ]);
    const seen = await harness.graphql(tenant.key, reads);
    expect(seen.body.data.payoutRoutes).toEqual({ version: 0, routes: [] });
  });

  it('of production are an operator’s, and name no provider of the sandbox', async () => {
    const tenant = await makeTenant(harness);
    const { businessId } = tenant;
    const production = await giveProductionKey(harness, tenant);
    expect(codeOf(await askRoutes(harness, production, 0, []))).toBe('SANDBOX_ONLY');
    const routes = [{ provider: 'simulator' }];
    expect(detailsOf(await run('routes', { businessId, version: 0, routes }))).toEqual([
      'routes[0].provider invalid_value',
    ]);
    const developer = await tenant.keyWithRole('developer');
    expect(codeOf(await askRoutes(harness, developer, 0, []))).toBe('forbidden');
  });
});

describe('a connection of a sandbox', () => {
  it('is made by its admins, to the sandbox bank alone', async () => {
    const tenant = await makeTenant(harness);
    const admin = await tenant.keyWithRole('admin');
    for (const currency of ['EUR', 'GBP', 'USD']) {
      await connectBank(harness, { key: admin }, { currency });
    }
    const { rows } = await harness.database.pool.query(
      `SELECT DISTINCT transport, transport_settings, credentials_ciphertext FROM bank_connection
       WHERE tenant_id = $1`,
      [tenant.tenantId],
    );
    expect(rows).toEqual([
      { transport: 'folder', transport_settings: {}, credentials_ciphertext: null },
    ]);
    const production = await giveProductionKey(harness, tenant);
    await expect(connectBank(harness, { key: production })).rejects.toThrow('SANDBOX_ONLY');
    const developer = await tenant.keyWithRole('developer');
    await expect(connectBank(harness, { key: developer })).rejects.toThrow('forbidden');
    await expect(connectBank(harness, tenant, { currency: 'JPY' })).rejects.toThrow('currency');
  });

  it('is changed in the version that was seen', async () => {
    const tenant = await makeTenant(harness);
    const connectionId = await connectBank(harness, tenant);
    const document = `mutation ($input: SandboxBankChangeInput!) {
      sandboxBankChange(input: $input) { version status maxPayments cutOffTime }
    }`;
    const ask = (key: string, input: object) => harness.graphql(key, document, { input });
    const paused = await ask(tenant.key, { connectionId, version: 1, status: 'paused' });
    expect(paused.body.data.sandboxBankChange).toEqual({
      version: 2,
      status: 'paused',
      maxPayments: 1_000,
      cutOffTime: '17:00',
    });
    expect(codeOf(await ask(tenant.key, { connectionId, version: 1 }))).toBe('conflict');
    const other = await makeTenant(harness);
    for (const [key, id] of [
      [other.key, connectionId],
      [tenant.key, newId('bankConnection')],
      [tenant.key, 'nothing'],
    ] as const) {
      expect(codeOf(await ask(key, { connectionId: id, version: 2 }))).toBe('not_found');
    }
  });
});
