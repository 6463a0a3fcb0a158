import { beforeEach, describe, expect, it } from 'vitest';
import { vouchForPasskeys } from '../../../src/domain/access/vouch-passkeys.ts';
import { beginApproval } from '../../../src/domain/payout/begin-step-up.ts';
import { approveInBulkSigned, approveSigned } from '../../../src/domain/payout/decide-signed.ts';
import { challengeOf, itemsDigest } from '../../../src/domain/step-up/challenge.ts';
import type { Call } from '../../../src/process/services.ts';
import { newUlid } from '../../../src/values/ulid.ts';
import { always, givePolicy } from '../../support/approval-world.ts';
import { behind } from '../../support/behind.ts';
import { makePayee, makeTenant } from '../../support/factory.ts';
import {
  codeOf,
  decide,
  memberCall,
  newPayout,
  refusalOf,
  withSettings,
} from '../../support/payout-command.ts';
import { usePayoutWorld } from '../../support/payout-world.ts';
import { otherSession, signer, type Signer } from '../../support/signer.ts';

const world = usePayoutWorld({ fresh: true });
const { sql, stateOf } = world;

let creator: Call;
let treasurer: Signer;
beforeEach(async () => {
  creator = await memberCall(world.call.services, world.tenant, 'preparer');
  treasurer = await signer(world, 'approver');
  await givePolicy(world, [always({ approvals: 1, groups: ['approver'], stepUp: true })]);
});

const made = (more = {}) => newPayout(creator, world.payee, more);
const approve = (one: Signer, id: string, response: unknown, decisionId = newUlid()) =>
  approveSigned(one.call, id, { decisionId, reasons: [] }, response);
const locks = () =>
  sql<{ kind: string }>(`SELECT kind FROM access_change WHERE kind = 'passkey_locked'`);

describe('a step that asks for a passkey', () => {
  it('takes its signature over what is approved, and keeps what proves it', async () => {
    const id = await made();
    const begun = await treasurer.begin(id);
    const text = JSON.parse(begun.text) as Record<string, unknown>;
    expect(text).toEqual({
      account: world.payee.bankAccountId,
      account_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      account_version: 1,
      amount: '1250.00',
      business: world.tenant.businessId,
      currency: 'USD',
      decision: 'approve',
      environment: 'sandbox',
      expires_at: begun.expiresAt.toISOString(),
      payee: world.payee.beneficiaryId,
      payout: id,
      policy_version: 1,
      purpose: 'payout.approve',
      v: 1,
    });
    // As RFC 8785 has it: keys in order, no space.
    expect(begun.text).toBe(JSON.stringify(text, Object.keys(text).toSorted()));
    const { payout, decision } = await approve(treasurer, id, treasurer.answer(begun));
    expect(payout.state).toBe('approved');
    const [kept] = await sql<Record<string, Buffer | string>>(
      `SELECT s.*, i.decision_id FROM step_up s JOIN step_up_item i ON i.step_up_id = s.id`,
    );
    expect(kept).toMatchObject({ text: begun.text, decision_id: decision.id, rp_id: 'localhost' });
    const challenge = challengeOf(kept?.['nonce'] as Buffer, begun.text);
    expect(challenge).toEqual(kept?.['challenge']);
    expect(begun.options).toMatchObject({
      challenge: challenge.toString('base64url'),
      userVerification: 'required',
      allowCredentials: [{ id: treasurer.passkey.id }],
    });
  });

  it('is fulfilled neither without a signature nor by an API key, which the error names', async () => {
    const id = await made();
    expect(await codeOf(approve(treasurer, id, null))).toBe('STEP_UP_REQUIRED');
    const key = await memberCall(world.call.services, world.tenant, 'approver');
    const refused = await refusalOf(decide(key, id, 'approved'));
    expect(refused).toMatchObject({
      code: 'STEP_UP_REQUIRED',
      message: expect.stringContaining('API key'),
    });
    expect(await codeOf(beginApproval(key, [id]))).toBe('STEP_UP_REQUIRED');
    expect(await stateOf(id)).toBe('pending_approval');
    expect(await sql('SELECT FROM payout_decision')).toEqual([]);
  });

  it('replays the decision without another signature', async () => {
    const id = await made();
    const response = await treasurer.sign(id);
    const decisionId = newUlid();
    await approve(treasurer, id, response, decisionId);
    expect((await approve(treasurer, id, response, decisionId)).replayed).toBe(true);
  });

  it('counts among others of the policy as the person counts', async () => {
    await givePolicy(world, [always({ approvals: 2, groups: ['approver'], stepUp: true })]);
    const id = await made();
    const other = await signer(world, 'approver');
    expect((await approve(treasurer, id, await treasurer.sign(id))).payout.state).toBe(
      'pending_approval',
    );
    expect(await codeOf(approve(treasurer, id, await treasurer.sign(id)))).toBe('forbidden');
    await approve(other, id, await other.sign(id));
    expect(await stateOf(id)).toBe('approved');
  });

  it('is asked of nobody who decides not, and not of a payout that waits for nothing', async () => {
    const id = await made();
    const viewer = await signer(world, 'viewer');
    expect(await codeOf(viewer.begin(id))).toBe('forbidden');
    await decide(treasurer.call, id, 'rejected');
    expect(await codeOf(treasurer.begin(id))).toBe('INVALID_STATE_TRANSITION');
    expect(await codeOf(treasurer.begin('pay_01jz0000000000000000000000'))).toBe(
      'PAYOUT_NOT_FOUND',
    );
    expect(await codeOf(treasurer.begin())).toBe('validation_failed');
  });
});

it('is asked of nobody for the payout of another business', async () => {
  const other = await makeTenant(world.harness);
  const payee = await makePayee(world.harness, other.key);
  const preparer = await memberCall(world.call.services, other, 'preparer');
  const foreign = await newPayout(preparer, payee);
  expect(await codeOf(treasurer.begin(foreign))).toBe('PAYOUT_NOT_FOUND');
  const begun = await treasurer.begin(foreign, await made());
  expect(begun.leftOut).toEqual([foreign]);
  const results = await approveInBulkSigned(treasurer.call, [foreign], [], treasurer.answer(begun));
  expect(results.map(({ error }) => error?.code)).toEqual(['PAYOUT_NOT_FOUND']);
});

describe('a signature', () => {
  it('counts once, also for two who show it at once', async () => {
    const [one, two] = [await made(), await made()];
    const response = await treasurer.sign(one, two);
    expect(await codeOf(approve(treasurer, await made(), response))).toBe('STEP_UP_REQUIRED');
    expect(await codeOf(approve(treasurer, one, response))).toBe('STEP_UP_REQUIRED');
    const again = await treasurer.sign(one);
    const ended = await Promise.allSettled([
      approve(treasurer, one, again),
      approve(treasurer, one, again),
    ]);
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await stateOf(one)).toBe('approved');
    expect(await stateOf(two)).toBe('pending_approval');
  });

  it('is of one session and one person', async () => {
    const id = await made();
    const other = await otherSession(world, treasurer);
    expect(await codeOf(approve(other, id, await treasurer.sign(id)))).toBe('STEP_UP_REQUIRED');
    const colleague = await signer(world, 'approver');
    expect(await codeOf(approve(colleague, id, await treasurer.sign(id)))).toBe('STEP_UP_REQUIRED');
    const mixed = { ...treasurer, passkey: colleague.passkey };
    const begun = await treasurer.begin(id);
    const foreign = mixed.passkey.get({ challenge: begun.options.challenge });
    expect(await codeOf(approve(treasurer, id, foreign))).toBe('STEP_UP_REQUIRED');
    expect(await stateOf(id)).toBe('pending_approval');
  });

  it('ends after five minutes', async () => {
    const id = await made();
    const response = await treasurer.sign(id);
    await sql(`UPDATE step_up SET expires_at = now() - interval '1 second'`);
    expect(await codeOf(approve(treasurer, id, response))).toBe('STEP_UP_REQUIRED');
  });

  it.each([
    ['without user verification', { verified: false }],
    ['from another page', { origin: 'https://payouts.example' }],
    ['for another host', { rpId: 'payouts.example' }],
    ['made for adding', { type: 'webauthn.create' }],
  ])('%s is refused', async (_what, given) => {
    const id = await made();
    const begun = await treasurer.begin(id);
    expect(await codeOf(approve(treasurer, id, treasurer.answer(begun, given)))).toBe(
      'STEP_UP_REQUIRED',
    );
    expect(await stateOf(id)).toBe('pending_approval');
  });

  it('is about the payout as it was: another amount, payee or version of the policy is refused', async () => {
    const id = await made();
    for (const change of [
      `UPDATE payout SET amount = '9250.00' WHERE id = $1`,
      `UPDATE payout_requirement SET policy_version = 7 WHERE payout_id = $1`,
      `UPDATE bank_account SET last4 = '0000' WHERE id = (SELECT bank_account_id FROM payout WHERE id = $1)`,
    ]) {
      const response = await treasurer.sign(id);
      await sql(change, [id]);
      expect(await codeOf(approve(treasurer, id, response))).toBe('STEP_UP_REQUIRED');
    }
    expect(await stateOf(id)).toBe('pending_approval');
  });

  it('is compared with what a transaction that commits meanwhile leaves', async () => {
    const id = await made();
    const response = await treasurer.sign(id);
    const ended = await behind(
      world.harness.database.pool,
      (client) => client.query(`UPDATE payout SET amount = '9250.00' WHERE id = $1`, [id]),
      () => codeOf(approve(treasurer, id, response)),
    );
    expect(ended).toBe('STEP_UP_REQUIRED');
  });
});

describe('one signature over several payouts', () => {
  it('names their number, totals and the digest of all, and approves each', async () => {
    const ids = [await made(), await made({ amountMinor: 5 }), await made()];
    await decide(treasurer.call, ids[2] ?? '', 'rejected');
    const begun = await treasurer.begin(...ids);
    expect(begun.leftOut).toEqual([ids[2]]);
    const texts = await sql<{ text: string }>('SELECT text FROM step_up_item');
    expect(JSON.parse(begun.text)).toMatchObject({
      count: 2,
      totals: { USD: '1250.05' },
      items: itemsDigest(texts.map(({ text }) => text)),
      purpose: 'payout.approve_batch',
    });
    await sql(`UPDATE payout SET amount = '0.06' WHERE id = $1`, [ids[1]]);
    const results = await approveInBulkSigned(
      treasurer.call,
      ids.slice(0, 2),
      [],
      treasurer.answer(begun),
    );
    expect(results.map(({ error }) => error?.code ?? 'approved')).toEqual([
      'approved',
      'STEP_UP_REQUIRED',
    ]);
  });

  it('is asked of as many as are decided at once', async () => {
    const few = { ...treasurer, call: withSettings(treasurer.call, { DECISION_BULK_ROWS: 1 }) };
    expect(await codeOf(beginApproval(few.call, [await made(), await made()]))).toBe(
      'validation_failed',
    );
  });
});

describe('a passkey', () => {
  it('is locked by five wrong answers, which its owner is mailed of', async () => {
    const id = await made();
    for (let tries = 0; tries < 5; tries += 1) {
      expect(await locks()).toEqual([]);
      const begun = await treasurer.begin(id);
      const wrong = treasurer.answer(begun, { verified: false });
      expect(await codeOf(approve(treasurer, id, wrong))).toBe('STEP_UP_REQUIRED');
    }
    expect(await locks()).toHaveLength(1);
    const mails = await sql(
      `SELECT FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
       WHERE t.identifier = 'send_access_mail' AND j.payload ->> 'changeId' = (
         SELECT id::text FROM access_change WHERE kind = 'passkey_locked'
       )`,
    );
    expect(mails).toHaveLength(1);
    expect((await refusalOf(treasurer.begin(id))).message).toContain('locked');
    await sql(`UPDATE passkey SET locked_until = now() WHERE user_id = $1`, [treasurer.userId]);
    await approve(treasurer, id, await treasurer.sign(id));
    expect(await stateOf(id)).toBe('approved');
  });

  it('signs nothing on its first day', async () => {
    const id = await made();
    await sql('UPDATE passkey SET created_at = now() WHERE user_id = $1', [treasurer.userId]);
    expect((await refusalOf(treasurer.begin(id))).message).toContain('new');
  });

  it('signs at once where another owner vouches for it, of which all are mailed', async () => {
    const id = await made();
    const { actor } = treasurer.call.scope;
    const mine = actor.type === 'member' ? actor.membership_id : '';
    await sql('UPDATE passkey SET created_at = now()');
    const owner = await signer(world, 'owner');
    const own = owner.call.scope.actor;
    expect(await codeOf(vouchForPasskeys(treasurer.call, mine))).toBe('forbidden');
    expect(
      await codeOf(vouchForPasskeys(owner.call, 'membership_id' in own ? own.membership_id : '')),
    ).toBe('forbidden');
    expect(await codeOf(vouchForPasskeys(owner.call, 'mem_01jz0000000000000000000000'))).toBe(
      'not_found',
    );
    expect(await vouchForPasskeys(owner.call, mine)).toBe(1);
    expect(await vouchForPasskeys(owner.call, mine)).toBe(0);
    await approve(treasurer, id, await treasurer.sign(id));
    expect(await stateOf(id)).toBe('approved');
    const kinds = await sql<{ kind: string }>(
      `SELECT kind FROM access_change WHERE kind LIKE 'passkey_%' ORDER BY id`,
    );
    expect(kinds.map(({ kind }) => kind)).toEqual([
      'passkey_added',
      'passkey_added',
      'passkey_vouched',
    ]);
  });

  it('that was removed leaves its proof', async () => {
    const id = await made();
    await approve(treasurer, id, await treasurer.sign(id));
    await sql('UPDATE passkey SET removed_at = now() WHERE user_id = $1', [treasurer.userId]);
    expect(await sql('SELECT FROM step_up WHERE public_key IS NOT NULL')).toHaveLength(1);
    expect((await refusalOf(treasurer.begin(await made()))).message).toContain('no passkey');
  });
});
