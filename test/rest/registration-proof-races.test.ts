import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { inTransaction } from '../../src/db/pool.ts';
import { acceptedKey } from '../support/member-link.ts';
import {
  codeOf,
  company,
  keyWorks,
  pressProof,
  register,
  tokenOf,
} from '../support/registration-proof.ts';
import { sessionsWait } from '../support/sessions-wait.ts';
import { holderOf, sessionOf } from '../support/sessions.ts';
import { useHarness } from '../support/use-harness.ts';

/* What acts while a mailbox is proven, and was let in before that. */

const harness = useHarness({ worker: false, env: { REGISTRATION_RATE_LIMIT: '1000' } });

const confirmKey = 'mutation ($id: ID!) { apiKeyConfirm(id: $id) { id } }';
const revokeKey = 'mutation ($id: ID!) { apiKeyRevoke(id: $id) { id } }';
const makeKey = 'mutation { apiKeyCreate(input: { role: owner }) { key apiKey { id } } }';
const invite = 'mutation ($email: String!) { memberInvite(email: $email, role: owner) { id } }';

/** Presses the button, and has `act` act behind the proof, once it is through the check of its credential. */
async function actBehindProof<Result>(
  { businessId, token, named = {} }: { businessId: string; token: string; named?: object },
  act: () => Promise<Result>,
): Promise<Result> {
  const { press, acted } = await inTransaction(harness.database.pool, async (holder) => {
    await holder.query('SELECT 1 FROM business WHERE id = $1 FOR UPDATE', [businessId]);
    const pressed = pressProof(harness, token, { choice: 'keep', ...named });
    await sessionsWait(harness.database.pool, 1);
    const acting = act();
    await sessionsWait(harness.database.pool, 2);
    return { press: pressed, acted: acting };
  });
  expect((await press).status).toBe(200);
  return acted;
}

it.each([
  ['frees itself', confirmKey],
  ['revokes another one', revokeKey],
])('a key that waits for a proof under way never %s', async (_name, document) => {
  const email = `ada@${company()}`;
  const { businessId, key, keyId } = await register(harness, email);
  const made = await harness.graphql(key, makeKey);
  const kept = made.body.data.apiKeyCreate;
  const token = await tokenOf(harness, email);
  const id = document === confirmKey ? keyId : kept.apiKey.id;
  const named = { [`key.${kept.apiKey.id}`]: 'yes' };
  const answer = await actBehindProof({ businessId, token, named }, () =>
    harness.graphql(key, document, { id }),
  );
  expect(codeOf(answer)).toBe('unauthorized');
  expect(await keyWorks(harness, key)).toBe(false);
  expect(await keyWorks(harness, kept.key)).toBe(true);
});

it('a key that waits frees itself neither in the second for which a process still takes it', async () => {
  const email = `ada@${company()}`;
  const { key, keyId } = await register(harness, email);
  const token = await tokenOf(harness, email);
  expect((await harness.rest('GET', '/v1/business/profile', { key })).status).toBe(200);
  await pressProof(harness, token, { choice: 'keep' });
  expect(codeOf(await harness.graphql(key, confirmKey, { id: keyId }))).toBe('unauthorized');
  expect(await keyWorks(harness, key)).toBe(false);
});

it('a session of a member who was not named brings nobody in', async () => {
  const email = `ada@${company()}`;
  const { businessId, key } = await register(harness, email);
  const invited = await harness.graphql(key, invite, { email: `b-${randomUUID()}@example.com` });
  const accomplice = await acceptedKey(harness, invited.body.data.memberInvite.id);
  const { userId } = await holderOf(harness, accomplice);
  const session = await sessionOf(harness, { userId });
  const token = await tokenOf(harness, email);
  const third = `c-${randomUUID()}@example.com`;
  const answer = await actBehindProof({ businessId, token }, () =>
    harness.graphql(session.key, invite, { email: third }),
  );
  expect(codeOf(answer)).toBe('unauthorized');
  const { rows } = await harness.database.pool.query(
    'SELECT 1 FROM app_user WHERE email_key = $1',
    [third],
  );
  expect(rows).toEqual([]);
});

it('a session that was revoked meanwhile brings nobody in', async () => {
  const email = `ada@${company()}`;
  const { businessId, userId } = await register(harness, email);
  const session = await sessionOf(harness, { userId });
  const { acted } = await inTransaction(harness.database.pool, async (holder) => {
    await holder.query('SELECT 1 FROM business WHERE id = $1 FOR UPDATE', [businessId]);
    const acting = harness.graphql(session.key, invite, { email: `c-${randomUUID()}@example.com` });
    await sessionsWait(harness.database.pool, 1);
    await holder.query('UPDATE user_session SET revoked_at = now() WHERE id = $1', [session.id]);
    return { acted: acting };
  });
  expect(codeOf(await acted)).toBe('unauthorized');
});
