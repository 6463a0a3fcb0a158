import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { makeTenant } from '../../support/factory.ts';
import { memberToken } from '../../support/member-link.ts';
import { cookieOf, signInRequest } from '../../support/sessions.ts';
import { useHarness } from '../../support/use-harness.ts';

/* Several things keep an invitation from being used. Each is tried with all others in order. */
const harness = useHarness();

const sql = (text: string, ...values: unknown[]) => harness.database.pool.query(text, values);

async function invited() {
  const { key } = await makeTenant(harness);
  const email = `guest-${randomUUID()}@example.com`;
  const invite = `mutation { memberInvite(email: "${email}", role: viewer) { id } }`;
  const { body } = await harness.graphql(key, invite);
  const membershipId: string = body.data.memberInvite.id;
  return { membershipId, token: (await memberToken(harness, membershipId)) ?? '' };
}

const consume = (token: string) => signInRequest(harness, '/auth/link/consume', { token });

it.each([
  ['its time is over', 'UPDATE member_invitation SET expires_at = now() WHERE membership_id = $1'],
  [
    'a newer one was sent',
    `UPDATE member_invitation SET status = 'superseded', closed_at = now() WHERE membership_id = $1`,
  ],
  [
    'it was canceled',
    `UPDATE member_invitation SET status = 'canceled', closed_at = now() WHERE membership_id = $1`,
  ],
  [
    'it was accepted',
    `UPDATE member_invitation SET status = 'accepted', closed_at = now() WHERE membership_id = $1`,
  ],
  ['its member was removed', 'UPDATE membership SET removed_at = now() WHERE id = $1'],
])('an invitation lets nobody in when %s', async (_why, change) => {
  const { membershipId, token } = await invited();
  await sql(change, membershipId);
  const answer = await consume(token);
  expect([400, 403, 404, 409]).toContain(answer.status);
  expect(cookieOf(answer)).toBeNull();
  const { rows } = await sql(
    `SELECT m.accepted_at, (SELECT count(*)::int FROM user_session s WHERE s.membership_id = m.id) AS sessions
     FROM membership m WHERE m.id = $1`,
    membershipId,
  );
  expect(rows).toEqual([{ accepted_at: null, sessions: 0 }]);
});

it('an invitation with nothing in its way lets its person in', async () => {
  const { membershipId, token } = await invited();
  const answer = await consume(token);
  expect(answer.status).toBe(200);
  expect(cookieOf(answer)).not.toBeNull();
  const { rows } = await sql('SELECT accepted_at FROM membership WHERE id = $1', membershipId);
  expect(rows[0].accepted_at).toBeInstanceOf(Date);
});
