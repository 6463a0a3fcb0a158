import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { acceptedKey, acceptToken, ageInvitations, memberToken } from '../support/member-link.ts';
import { company, keyWorks, pressProof, register, tokenOf } from '../support/registration-proof.ts';
import { holderOf, sessionOf } from '../support/sessions.ts';
import { useHarness } from '../support/use-harness.ts';

/* Other members of a business whose address is proven, of whom the holder of the mailbox knows nothing. */

const harness = useHarness({ worker: false, env: { REGISTRATION_RATE_LIMIT: '1000' } });

/** A business that is not proven, with a colleague who accepted. */
async function withColleague() {
  const email = `ada@${company()}`;
  const owner = await register(harness, email);
  const invite = await harness.graphql(
    owner.key,
    'mutation ($email: String!) { memberInvite(email: $email, role: admin) { id } }',
    { email: `bob-${randomUUID()}@example.com` },
  );
  const membershipId: string = invite.body.data.memberInvite.id;
  const key = await acceptedKey(harness, membershipId);
  const prove = async (named: Record<string, string> = {}) =>
    pressProof(harness, await tokenOf(harness, email), { choice: 'keep', ...named });
  return { owner, membershipId, key, person: await holderOf(harness, key), prove };
}

const viewer = async (key: string) => (await harness.graphql(key, '{ viewer { id } }')).body;

it('whose key alone is named has to accept again before it works', async () => {
  const { membershipId, key, prove } = await withColleague();
  const { rows } = await harness.database.pool.query<{ id: string }>(
    'SELECT id FROM api_key WHERE membership_id = $1',
    [membershipId],
  );
  await prove({ [`key.${rows[0]?.id ?? ''}`]: 'yes' });
  expect(await keyWorks(harness, key)).toBe(false);
});

it('who accepts again is in no browser of before', async () => {
  const { owner, membershipId, person, prove } = await withColleague();
  const before = await sessionOf(harness, person, membershipId);
  expect((await viewer(before.key)).data.viewer.id).toBe(person.userId);
  await prove();
  expect((await viewer(before.key)).errors[0].extensions.code).toBe('unauthorized');
  const session = await sessionOf(harness, { userId: owner.userId });
  await ageInvitations(harness, membershipId);
  const sent = await harness.graphql(
    session.key,
    'mutation ($id: ID!) { memberInvitationSend(id: $id) { id } }',
    { id: membershipId },
  );
  expect(sent.body.errors).toBeUndefined();
  await acceptedKey(harness, membershipId);
  expect((await viewer(before.key)).errors[0].extensions.code).toBe('unauthorized');
  const again = await sessionOf(harness, person, membershipId);
  expect((await viewer(again.key)).data.viewer.id).toBe(person.userId);
});

it('who was invited before comes in by no link of before', async () => {
  const { owner, membershipId, prove } = await withColleague();
  const invite = 'mutation ($id: ID!) { memberInvitationSend(id: $id) { id } }';
  expect(
    (await harness.graphql(owner.key, invite, { id: membershipId })).body.errors,
  ).toBeUndefined();
  const token = (await memberToken(harness, membershipId)) ?? '';
  await prove({ [`member.${membershipId}`]: 'yes' });
  expect((await acceptToken(harness, token)).body.errors[0].extensions.code).toBe('conflict');
});
