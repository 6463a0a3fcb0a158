import type { Role } from '../../src/access/roles.ts';
import { isOperator } from '../../src/access/scope.ts';
import { createAuthenticateSession } from '../../src/access/session/authenticate.ts';
import { beginApproval, type StepUpBegun } from '../../src/domain/payout/begin-step-up.ts';
import type { Call } from '../../src/process/services.ts';
import { softwarePasskey, type Given, type SoftwarePasskey } from '../rest/auth/authenticator.ts';
import { holderOf, sessionOf } from './sessions.ts';
import type { usePayoutWorld } from './payout-world.ts';

type World = ReturnType<typeof usePayoutWorld>;

/** A member who is signed in, and their passkey. */
export interface Signer {
  readonly call: Call;
  /** The session as a credential. */
  readonly key: string;
  readonly userId: string;
  readonly passkey: SoftwarePasskey;
  /** Asks for what is to be signed for payouts. */
  begin(...payoutIds: string[]): Promise<StepUpBegun>;
  /** What the passkey answers to it, with what a test changes. */
  answer(begun: StepUpBegun, given?: Partial<Given>): object;
  /** Asks and answers at once. */
  sign(...payoutIds: string[]): Promise<object>;
}

/** The call of a session of somebody, in the tenant's sandbox. */
async function sessionCall(world: World, userId: string, membershipId: string) {
  const { harness, call } = world;
  const { key, token } = await sessionOf(harness, { userId }, membershipId);
  const { pool, config } = harness.services;
  const known = await createAuthenticateSession(pool, config).attempt(token, true);
  if (!('caller' in known) || isOperator(known.caller)) {
    throw new Error('the session is a member’s');
  }
  return { key, call: { services: call.services, scope: known.caller } };
}

/** A new member of the tenant's business who is signed in and has had a passkey for two days. */
export async function signer(world: World, role: Role): Promise<Signer> {
  const { harness, tenant } = world;
  const { userId, membershipId } = await holderOf(harness, await tenant.keyWithRole(role));
  return withPasskey(world, await sessionCall(world, userId, membershipId), userId);
}

/** Another session of the same person with the same passkey. */
export async function otherSession(world: World, one: Signer): Promise<Signer> {
  const { actor } = one.call.scope;
  if (actor.type !== 'member') throw new Error('a signer is a member');
  const session = await sessionCall(world, one.userId, actor.membership_id);
  return signs(one.userId, one.passkey, session);
}

async function withPasskey(
  world: World,
  session: { readonly key: string; readonly call: Call },
  userId: string,
): Promise<Signer> {
  const { harness } = world;
  const passkey = softwarePasskey(harness.services.config.PUBLIC_URL);
  const { body } = await harness.graphql(
    session.key,
    'mutation { passkeyRegistrationOptions }',
    {},
  );
  const { challenge } = body.data.passkeyRegistrationOptions as { challenge: string };
  const made = await harness.graphql(
    session.key,
    'mutation ($response: JSON!) { passkeyRegister(name: "Phone", response: $response) { id } }',
    { response: passkey.create({ challenge }) },
  );
  if (made.body.errors !== undefined) throw new Error(JSON.stringify(made.body.errors));
  await world.sql(
    `UPDATE passkey SET created_at = created_at - interval '2 days' WHERE user_id = $1`,
    [userId],
  );
  return signs(userId, passkey, session);
}

function signs(
  userId: string,
  passkey: SoftwarePasskey,
  { key, call }: { readonly key: string; readonly call: Call },
): Signer {
  const begin = (...payoutIds: string[]) => beginApproval(call, payoutIds);
  const answer = ({ options: { challenge } }: StepUpBegun, given: Partial<Given> = {}) =>
    passkey.get({ challenge, ...given });
  return {
    call,
    key,
    userId,
    passkey,
    begin,
    answer,
    sign: async (...payoutIds) => answer(await begin(...payoutIds)),
  };
}
