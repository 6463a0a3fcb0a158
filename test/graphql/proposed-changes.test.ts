import { beforeAll, describe, expect, it } from 'vitest';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { openTransport } from '../../src/domain/bank-connection/open.ts';
import { findConnection } from '../../src/domain/bank-connection/store.ts';
import { jobScope } from '../../src/access/system.ts';
import { newId } from '../../src/values/ids.ts';
import { makeOperator } from '../ops/support.ts';
import { europeanBank } from '../support/banking.ts';
import { makeTenant, type TestTenant } from '../support/factory.ts';
import { ask, codeOf, detailsOf, type documents } from '../support/operator-banks.ts';
import { proposedChanges, type Listed } from '../support/proposed-changes.ts';
import { useHarness } from '../support/use-harness.ts';

/* What decides where money or secrets go, in an installation that has two operators. */

const harness = useHarness({
  worker: false,
  env: { LOG_LEVEL: 'silent', OPERATOR_CONFIRMATION: 'second_person' },
});
let ada: { id: string; key: string };
let grace: { id: string; key: string };
beforeAll(async () => {
  const { pool } = harness.database;
  ada = await issueOperatorKey(pool, 'Ada');
  grace = await issueOperatorKey(pool, 'Grace');
});

const order = (document: keyof typeof documents, variables: Record<string, unknown>) =>
  ask(harness, ada.key, document, variables);

const { waiting, answer, ofTenant, told, sql } = proposedChanges(harness);

/** The one change that waits. */
async function only(tenant: TestTenant): Promise<Listed> {
  const found = await waiting(tenant, grace.key);
  expect(found).toHaveLength(1);
  return found[0] as Listed;
}

/** A connection that both operators agreed to. */
async function connected(tenant: TestTenant): Promise<string> {
  await order('connect', { businessId: tenant.businessId, ...europeanBank });
  const done = await answer(tenant, await only(tenant), grace.key);
  return done.body.data.done.changedId;
}

describe('a bank connection', () => {
  it('is made once a second operator has confirmed it, and the business is told', async () => {
    const tenant = await makeTenant(harness);
    await tenant.keyWithRole('admin');
    await tenant.keyWithRole('preparer');
    const { businessId } = tenant;
    const asked = await order('connect', { businessId, ...europeanBank });
    expect(asked.body.data).toEqual({ done: null });
    expect(asked.body.errors).toBeUndefined();
    expect(await ofTenant('bank_connection', tenant)).toEqual([]);
    expect(await told(tenant)).toEqual({ records: [], mails: 0 });

    const change = await only(tenant);
    expect(change).toMatchObject({
      kind: 'bank_connect',
      subjectId: businessId,
      environment: 'production',
      reason: 'ticket 1',
      proposedBy: ada.id,
      proposedByPerson: 'ada',
      proposedByYou: false,
      shown: {
        after: {
          debtorName: 'Test Business GmbH',
          account: { country: 'DE', currency: 'EUR', last4: '2051' },
          transport: { host: 'sftp.bank.example', outFolder: 'out', inFolder: 'in' },
          credentials: 'given',
        },
      },
    });
    const [stored] = await sql<{ text: string }>(
      'SELECT c::text AS text FROM proposed_change c WHERE id = $1',
      [change.changeId],
    );
    for (const secret of ['not for anybody', 'DE0212'])
      for (const text of [stored?.text, JSON.stringify(change)]) expect(text).not.toContain(secret);

    const done = await answer(tenant, change, grace.key);
    const connectionId = done.body.data.done.changedId as string;
    expect(done.body.data.done).toMatchObject({ status: 'confirmed', issuedKey: null });
    const [made] = await ofTenant('bank_connection', tenant, 'x.id, t.id AS tenant');
    expect(made?.['id']).toBe(connectionId);
    const scope = await jobScope(harness.services.pool, made?.['tenant'] as string, {
      type: 'system',
      name: 'test',
    });
    const row = await findConnection(harness.services.pool, scope, connectionId);
    if (row === null) throw new Error('there is no connection');
    expect(openTransport({ scope, services: harness.services }, row)?.credentials).toEqual({
      password: 'not for anybody to see',
    });
    expect(await told(tenant)).toEqual({
      records: [{ kind: 'bank_connected', subject_id: connectionId, by: grace.id }],
      mails: 2,
    });
    expect(await waiting(tenant, grace.key)).toEqual([]);
    const log = await sql(
      `SELECT who, action, detail ->> 'proposed' AS proposed, detail ->> 'proposed_by' AS proposed_by
       FROM ops.action_log WHERE subject_id = $1 ORDER BY id`,
      [change.changeId],
    );
    expect(log).toEqual([
      {
        who: ada.id,
        action: 'operatorBankConnect',
        proposed: change.changeId,
        proposed_by: null,
      },
      { who: grace.id, action: 'operatorChangeAnswer', proposed: null, proposed_by: ada.id },
    ]);
    expect(
      await sql('SELECT status, payload_ciphertext FROM proposed_change WHERE id = $1', [
        change.changeId,
      ]),
    ).toEqual([{ status: 'confirmed', payload_ciphertext: null }]);
  });

  it('is refused at once where it is wrong, and nothing waits then', async () => {
    const tenant = await makeTenant(harness);
    const { businessId } = tenant;
    const transport = { ...europeanBank.transport, inFolder: 'out' };
    expect(detailsOf(await order('connect', { businessId, ...europeanBank, transport }))).toEqual([
      'transport.inFolder duplicate',
    ]);
    const phrase = { ...europeanBank.transport, passphrase: 'opens nothing' };
    const withPhrase = { businessId, ...europeanBank, transport: phrase };
    expect(detailsOf(await order('connect', withPhrase))).toEqual([
      'transport.passphrase invalid_value',
    ]);
    expect(codeOf(await order('connect', { businessId: newId('business'), ...europeanBank }))).toBe(
      'not_found',
    );
    expect(await ofTenant('proposed_change', tenant)).toEqual([]);
  });

  it('keeps its server and its folders until the second one agrees, and is paused by one', async () => {
    const tenant = await makeTenant(harness);
    const { businessId } = tenant;
    const connectionId = await connected(tenant);
    const change = { businessId, connectionId, version: 1 };
    const moved = { ...europeanBank.transport, host: 'other.bank.example', password: 'new one' };
    expect((await order('change', { ...change, transport: moved })).body.data.done).toBeNull();
    const proposed = await only(tenant);
    expect(proposed).toMatchObject({
      kind: 'bank_connection_change',
      subjectId: connectionId,
      shown: {
        before: { transport: { host: 'sftp.bank.example' } },
        after: { transport: { host: 'other.bank.example' }, credentials: 'given anew' },
      },
    });
    expect(JSON.stringify(proposed)).not.toContain('new one');
    const host = () =>
      ofTenant('bank_connection', tenant, `x.transport_settings ->> 'host' AS host`);
    expect(await host()).toEqual([{ host: 'sftp.bank.example' }]);
    expect((await answer(tenant, proposed, grace.key)).body.data.done.changedId).toBe(connectionId);
    expect(await host()).toEqual([{ host: 'other.bank.example' }]);
    const paused = await order('change', { ...change, version: 2, status: 'paused' });
    expect(paused.body.data.done.connection).toMatchObject({ status: 'paused', version: 3 });
    expect((await told(tenant)).records).toEqual([
      { kind: 'bank_connected', subject_id: connectionId, by: grace.id },
      { kind: 'bank_connection_changed', subject_id: connectionId, by: grace.id },
    ]);
  });

  it('is stale once its folder is taken', async () => {
    const [tenant, other] = [await makeTenant(harness), await makeTenant(harness)];
    const { transport } = europeanBank;
    const connect = ({ businessId }: TestTenant) =>
      order('connect', { businessId, ...europeanBank, transport });
    await connect(tenant);
    await connect(other);
    const proposed = await only(tenant);
    expect((await answer(other, await only(other), grace.key)).body.data.done.status).toBe(
      'confirmed',
    );
    const refused = await answer(tenant, proposed, grace.key);
    expect(codeOf(refused)).toBe('conflict');
    expect(refused.body.errors?.[0].message).toContain('Another bank connection has this folder');
    const [row] = await sql<{ status: string; problem: string }>(
      'SELECT status, problem FROM proposed_change WHERE id = $1',
      [proposed.changeId],
    );
    expect(row).toMatchObject({ status: 'stale' });
    expect(row?.problem).toContain('has this folder');
    expect(await ofTenant('bank_connection', tenant)).toEqual([]);
  });

  it('that was changed in between makes the proposal stale', async () => {
    const tenant = await makeTenant(harness);
    const { businessId } = tenant;
    const connectionId = await connected(tenant);
    const change = { businessId, connectionId, version: 1 };
    await order('change', { ...change, initiatorId: 'X1' });
    const proposed = await only(tenant);
    await order('change', { ...change, cutOffTime: '09:00' });
    const refused = await answer(tenant, proposed, grace.key);
    expect(codeOf(refused)).toBe('conflict');
    expect(refused.body.errors?.[0].message).toBe(
      'The change is stale, and nothing was done: The bank connection was changed since: its version is 2, not 1.',
    );
    expect(await ofTenant('bank_connection', tenant, 'x.initiator_id, x.version')).toEqual([
      { initiator_id: null, version: 2 },
    ]);
    const [row] = await sql('SELECT status, problem FROM proposed_change WHERE id = $1', [
      proposed.changeId,
    ]);
    expect(row).toEqual({
      status: 'stale',
      problem: 'The bank connection was changed since: its version is 2, not 1.',
    });
    expect((await answer(tenant, proposed, grace.key)).body.errors?.[0].message).toBe(
      'The change is stale already.',
    );
  });
});

describe('routes', () => {
  it('with amounts beyond 2^53 lead on as before until the second one agrees', async () => {
    const tenant = await makeTenant(harness);
    const { businessId } = tenant;
    const connectionId = await connected(tenant);
    const routes = [{ connectionId, currency: 'EUR', amountToMinor: 999_999_999_999 }];
    expect((await order('routes', { businessId, version: 0, routes })).body.data.done).toBeNull();
    const proposed = await only(tenant);
    expect(proposed).toMatchObject({
      kind: 'routes_replace',
      subjectId: businessId,
      shown: {
        before: { version: 0, routes: [] },
        after: { version: 1, routes: [{ connectionId, amountToMinor: '999999999999' }] },
      },
    });
    expect(await ofTenant('payout_route', tenant)).toEqual([]);
    await answer(tenant, proposed, grace.key);
    expect(await ofTenant('payout_route', tenant, 'x.connection_id, x.amount_to_minor')).toEqual([
      { connection_id: connectionId, amount_to_minor: '999999999999' },
    ]);
    expect((await told(tenant)).records.at(-1)).toMatchObject({ kind: 'routes_replaced' });
  });

  it('are replaced by SQL only where the workers say that there are not two operators', async () => {
    const tenant = await makeTenant(harness);
    const operator = await makeOperator(harness.database, 'ops_operate');
    const [production] = await sql<{ id: string }>(
      `SELECT id FROM tenant WHERE business_id = $1 AND environment = 'production'`,
      [tenant.businessId],
    );
    const replace = 'SELECT ops.replace_routes($1, 0, $2, $3) AS version';
    try {
      // No worker has said yet whether there are two.
      await sql('DELETE FROM installation');
      const early = await operator.refusal(replace, [production?.id, '[]', 'why']);
      expect(early.hint).toBe('Use the mutation operatorRoutesReplace.');
      await sql('INSERT INTO installation (second_operator) VALUES (true)');
      const refused = await operator.refusal(replace, [production?.id, '[]', 'why']);
      expect(refused.hint).toBe('Use the mutation operatorRoutesReplace.');
      expect(await operator.sql(replace, [tenant.tenantId, '[]', 'why'])).toEqual([{ version: 1 }]);
      await sql('UPDATE installation SET second_operator = false');
      expect(await operator.sql(replace, [production?.id, '[]', 'why'])).toEqual([{ version: 1 }]);
    } finally {
      await sql('DELETE FROM installation');
      await operator.leave();
    }
  });
});
