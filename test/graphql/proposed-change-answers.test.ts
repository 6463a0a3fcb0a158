import { beforeAll, describe, expect, it } from 'vitest';
import { issueOperatorKey, revokeOperatorKey } from '../../src/access/operator-key.ts';
import { inTransaction } from '../../src/db/pool.ts';
import { deleteExpired } from '../../src/domain/retention/delete-expired.ts';
import { newId } from '../../src/values/ids.ts';
import { makeOperator } from '../ops/support.ts';
import { makeTenant, type TestTenant } from '../support/factory.ts';
import { ask, codeOf, type documents } from '../support/operator-banks.ts';
import { proposedChanges, type Listed } from '../support/proposed-changes.ts';
import { sessionsWait } from '../support/sessions-wait.ts';
import { useHarness } from '../support/use-harness.ts';

/* What decides where money or secrets go, in an installation that has two operators: how it is answered. */

const harness = useHarness({
  worker: false,
  env: { LOG_LEVEL: 'silent', OPERATOR_CONFIRMATION: 'second_person' },
});
let ada: { id: string; key: string };
let adaAgain: { id: string; key: string };
let grace: { id: string; key: string };
beforeAll(async () => {
  const { pool } = harness.database;
  ada = await issueOperatorKey(pool, 'Ada');
  adaAgain = await issueOperatorKey(pool, ' ada');
  grace = await issueOperatorKey(pool, 'Grace');
});

const order = (document: keyof typeof documents, variables: Record<string, unknown>) =>
  ask(harness, ada.key, document, variables);

const { waiting, answer, ofTenant, told, sql } = proposedChanges(harness);

describe('an answer', () => {
  /** A change that waits. */
  async function proposed(): Promise<{ tenant: TestTenant; change: Listed }> {
    const tenant = await makeTenant(harness);
    await order('routes', { businessId: tenant.businessId, version: 0, routes: [] });
    const [change] = await waiting(tenant, grace.key);
    if (change === undefined) throw new Error('nothing waits');
    return { tenant, change };
  }
  const routesOf = (tenant: TestTenant) => ofTenant('payout_routing', tenant, 'x.version');
  const messageOf = (given: Awaited<ReturnType<typeof answer>>) => given.body.errors?.[0].message;

  it('is not the proposer’s, by whichever key, who may take it back', async () => {
    const { tenant, change } = await proposed();
    for (const { key } of [ada, adaAgain]) {
      const refused = await answer(tenant, change, key);
      expect(codeOf(refused)).toBe('conflict');
      expect(messageOf(refused)).toContain('You proposed this change yourself');
    }
    expect((await waiting(tenant, adaAgain.key))[0]).toMatchObject({ proposedByYou: true });
    expect(await routesOf(tenant)).toEqual([]);
    const declined = await answer(tenant, change, ada.key, 'declined');
    expect(declined.body.data.done).toEqual({
      changeId: change.changeId,
      status: 'declined',
      changedId: null,
      issuedKey: null,
    });
    expect(messageOf(await answer(tenant, change, grace.key))).toBe(
      'The change is declined already.',
    );
    expect(await routesOf(tenant)).toEqual([]);
    expect(await told(tenant)).toEqual({ records: [], mails: 0 });
  });

  it('names the business, the change and its digest, and is for operators', async () => {
    const { tenant, change } = await proposed();
    const other = await makeTenant(harness);
    expect(codeOf(await answer(other, change, grace.key))).toBe('not_found');
    for (const changeId of [newId('proposedChange'), 'pch_1'])
      expect(codeOf(await answer(tenant, { ...change, changeId }, grace.key))).toBe('not_found');
    const wrong = await answer(tenant, { ...change, digest: '0'.repeat(64) }, grace.key);
    expect(messageOf(wrong)).toBe('The digest is not that of the change. Read it again.');
    expect(codeOf(await answer(tenant, change, tenant.key))).toBe('forbidden');
    expect(await waiting(tenant, grace.key)).toHaveLength(1);
    expect((await answer(tenant, change, grace.key)).body.data.done.status).toBe('confirmed');
    expect(messageOf(await answer(tenant, change, grace.key))).toBe(
      'The change is confirmed already.',
    );
    expect(await routesOf(tenant)).toEqual([{ version: 1 }]);
  });

  it('is nobody’s whose key is revoked, also in the second for which a process still takes it', async () => {
    const { tenant, change } = await proposed();
    const lin = await issueOperatorKey(harness.database.pool, 'Lin');
    expect(await waiting(tenant, lin.key)).toHaveLength(1);
    await revokeOperatorKey(harness.database.pool, lin.id);
    for (const given of ['confirmed', 'declined']) {
      expect(codeOf(await answer(tenant, change, lin.key, given))).toBe('unauthorized');
    }
    expect(await routesOf(tenant)).toEqual([]);
    expect((await answer(tenant, change, grace.key)).body.data.done.status).toBe('confirmed');
  });

  it('waits for a revocation of its key that is under way', async () => {
    const { tenant, change } = await proposed();
    const lin = await issueOperatorKey(harness.database.pool, 'Lin');
    expect(await waiting(tenant, lin.key)).toHaveLength(1);
    const { pending } = await inTransaction(harness.database.pool, async (client) => {
      await client.query('UPDATE operator_key SET revoked_at = now() WHERE id = $1', [lin.id]);
      const asked = answer(tenant, change, lin.key);
      await sessionsWait(harness.database.pool, 1);
      return { pending: asked };
    });
    expect(codeOf(await pending)).toBe('unauthorized');
    expect(await routesOf(tenant)).toEqual([]);
  });

  it('carries nothing out for whoever was revoked since they proposed it', async () => {
    const tenant = await makeTenant(harness);
    const { businessId } = tenant;
    const lin = await issueOperatorKey(harness.database.pool, 'Lin');
    await ask(harness, lin.key, 'routes', { businessId, version: 0, routes: [] });
    const [change] = await waiting(tenant, grace.key);
    await revokeOperatorKey(harness.database.pool, lin.id);
    const refused = await answer(tenant, change as Listed, grace.key);
    expect(codeOf(refused)).toBe('conflict');
    expect(messageOf(refused)).toContain('an operator no longer');
    expect(await routesOf(tenant)).toEqual([]);
    expect(messageOf(await answer(tenant, change as Listed, grace.key))).toBe(
      'The change is stale already.',
    );
  });

  it('comes in time, and what is too old is forgotten', async () => {
    const { tenant, change } = await proposed();
    await sql(`UPDATE proposed_change SET expires_at = now() - interval '1 second' WHERE id = $1`, [
      change.changeId,
    ]);
    expect(await waiting(tenant, grace.key)).toEqual([]);
    expect(messageOf(await answer(tenant, change, grace.key))).toBe(
      'The change has expired. Have it proposed again.',
    );
    await deleteExpired(harness.services);
    expect(
      await sql('SELECT status, payload_ciphertext FROM proposed_change WHERE id = $1', [
        change.changeId,
      ]),
    ).toEqual([{ status: 'expired', payload_ciphertext: null }]);
    expect(await routesOf(tenant)).toEqual([]);
  });

  it('applies nothing where the row is not what was proposed', async () => {
    for (const altered of [
      `shown = jsonb_set(shown, '{after,version}', '7')`,
      `proposed_by = '${grace.id}'`,
      `digest = sha256('x')`,
      `kind = 'bank_connect'`,
    ]) {
      const { tenant, change } = await proposed();
      await sql(`UPDATE proposed_change SET ${altered} WHERE id = $1`, [change.changeId]);
      const key = altered.startsWith('proposed_by') ? ada.key : grace.key;
      const [seen] = await waiting(tenant, grace.key);
      const refused = await answer(tenant, seen as Listed, key);
      expect(messageOf(refused), altered).toContain('The change is not what was proposed');
      expect(await routesOf(tenant)).toEqual([]);
    }
  });

  it('of two at once is one, and the change is carried out once', async () => {
    const { tenant, change } = await proposed();
    const lin = await issueOperatorKey(harness.database.pool, 'Lin');
    const { pending } = await inTransaction(harness.database.pool, async (client) => {
      await client.query('SELECT 1 FROM proposed_change WHERE id = $1 FOR UPDATE', [
        change.changeId,
      ]);
      const asked = [grace, lin].map(({ key }) => answer(tenant, change, key));
      await sessionsWait(harness.database.pool, 2);
      return { pending: asked };
    });
    const answers = await Promise.all(pending);
    expect(answers.map((one) => codeOf(one) ?? '').toSorted()).toEqual(['', 'conflict']);
    expect(await routesOf(tenant)).toEqual([{ version: 1 }]);
    expect((await told(tenant)).records).toHaveLength(1);
  });

  it('ends a change in SQL, too', async () => {
    const { tenant, change } = await proposed();
    const operator = await makeOperator(harness.database, 'ops_operate');
    try {
      const [shown] = await operator.sql(
        'SELECT kind, proposed_by, after FROM ops.changes_to_confirm WHERE change_id = $1',
        [change.changeId],
      );
      expect(shown).toMatchObject({ kind: 'routes_replace', proposed_by: ada.id });
      await operator.sql(`SELECT ops.decline_change($1, 'nobody asked for it')`, [change.changeId]);
      const again = await operator.refusal(`SELECT ops.decline_change($1, 'x')`, [change.changeId]);
      expect(again.message).toBe(`The change ${change.changeId} is declined already.`);
      const unknown = await operator.refusal(`SELECT ops.decline_change('pch_1', 'x')`);
      expect(unknown.message).toBe(`There is no proposed change 'pch_1'.`);
    } finally {
      await operator.leave();
    }
    expect(messageOf(await answer(tenant, change, grace.key))).toBe(
      'The change is declined already.',
    );
    expect(await waiting(tenant, grace.key)).toEqual([]);
  });
});
