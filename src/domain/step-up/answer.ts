import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import { relyingParty } from '../../access/passkey/relying-party.ts';
import {
  noteFailed,
  noteSigned,
  signingPasskeys,
  type SigningPasskey,
} from '../../access/passkey/signing.ts';
import { verifyPasskey, type PasskeyUse } from '../../access/passkey/verify.ts';
import type { SessionMember } from '../../access/scope.ts';
import { named } from '../../db/named.ts';
import { firstRow, inTransaction } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { tellMember } from '../access/tell.ts';
import { challengeOf } from './challenge.ts';
import { stepUpRefused } from './refused.ts';
import { requireSigner } from './signer.ts';

/** What the browser got, as far as it is read here; the library checks the rest. */
const answered = z.looseObject({
  id: z.string().max(1_400),
  response: z.looseObject({
    clientDataJSON: z.string().max(4_000),
    authenticatorData: z.string().max(4_000),
    signature: z.string().max(4_000),
  }),
});
type Answered = z.output<typeof answered>;

const bytes = (encoded: string): Buffer => Buffer.from(encoded, 'base64url');

/** The challenge in what the browser signed; null where there is none. */
function challengeIn({ response }: Answered): Buffer | null {
  try {
    const { challenge } = JSON.parse(bytes(response.clientDataJSON).toString('utf8')) as {
      challenge?: unknown;
    };
    return typeof challenge === 'string' ? bytes(challenge) : null;
  } catch {
    return null;
  }
}

const open = named(
  'open_step_up',
  ['tenant', 'challenge', 'user', 'session'],
  `
    SELECT s.id, s.text, s.nonce FROM step_up s
    WHERE s.tenant_id = @tenant AND s.challenge = @challenge AND s.user_id = @user AND s.session_id = @session
      AND s.answered_at IS NULL AND s.expires_at > now()`,
);

interface OpenStepUp extends Record<string, unknown> {
  readonly id: string;
  readonly text: string;
  readonly nonce: Buffer;
}

const evidence = [
  'passkey',
  'credential',
  'key',
  'authenticator_data',
  'client_data',
  'signature',
  'rp_id',
  'origin',
] as const;

/** One of two who show the same answer finds it open. */
const close = named(
  'answer_step_up',
  ['tenant', 'id', ...evidence],
  `
    UPDATE step_up s SET answered_at = n.at, passkey_id = @passkey, credential_id = @credential, public_key = @key,
      authenticator_data = @authenticator_data, client_data = @client_data, signature = @signature, rp_id = @rp_id,
      origin = @origin
    FROM (SELECT now() AS at) n
    WHERE s.tenant_id = @tenant AND s.id = @id AND s.answered_at IS NULL AND s.expires_at > n.at
    RETURNING s.id`,
);

/** Counts a wrong answer; the one that locks the passkey is recorded, and its owner is mailed. */
async function failed(
  { scope, services }: Call,
  { membership_id: membership }: SessionMember,
  passkey: SigningPasskey,
  cause?: unknown,
): Promise<never> {
  await inTransaction(services.pool, async (client) => {
    const until = await noteFailed(client, passkey.id);
    if (until === null) return;
    const after = { until: until.toISOString() };
    const change = { kind: 'passkey_locked', subjectId: passkey.id, before: null, after } as const;
    await tellMember(client, scope, change, membership);
  });
  throw stepUpRefused(cause);
}

const unfitFor: Readonly<Record<NonNullable<SigningPasskey['unfit']>, string>> = {
  new: 'This passkey is too new to sign approvals: it may after a day, or once another owner vouches for it.',
  locked:
    'This passkey is locked for a time after five answers that were wrong. Its owner was mailed.',
};

async function signed(
  call: Call,
  member: SessionMember,
  passkey: SigningPasskey,
  given: Answered,
  asked: OpenStepUp | null,
): Promise<PasskeyUse> {
  if (asked === null) return failed(call, member, passkey);
  const challenge = challengeOf(asked.nonce, asked.text).toString('base64url');
  const used = await verifyPasskey(
    call.services.config,
    passkey,
    given as unknown as AuthenticationResponseJSON, // the library checks it
    challenge,
  ).catch((error: unknown) => failed(call, member, passkey, error));
  return used ?? failed(call, member, passkey);
}

/**
 * Takes the answer of the caller's passkey to what `payoutStepUpBegin` asked of this session, once and within its time,
 * and keeps what proves it. Gives the id under which the approval refers to it. Throws forbidden, and STEP_UP_REQUIRED for
 * an API key, for a passkey that may not sign at this moment, and for whatever else is wrong, without saying what.
 * @param response what the browser got from `navigator.credentials.get`
 */
export async function answerStepUp(call: Call, response: unknown): Promise<string> {
  const { scope, services } = call;
  const member = requireSigner(scope);
  const parsed = answered.safeParse(response);
  if (!parsed.success) throw stepUpRefused(parsed.error);
  const { id, response: parts } = parsed.data;
  const own = await signingPasskeys(services.pool, member.user_id);
  const passkey = own.find(({ credentialId }) => credentialId.equals(bytes(id)));
  if (passkey === undefined) throw stepUpRefused();
  if (passkey.unfit !== null) {
    throw new DomainError('STEP_UP_REQUIRED', { message: unfitFor[passkey.unfit] });
  }
  const challenge = challengeIn(parsed.data);
  const { tenantId: tenant } = scope;
  const { user_id: user, session_id: session } = member;
  const asked = await firstRow<OpenStepUp>(
    services.pool,
    open,
    open.of({ tenant, challenge, user, session }),
  );
  const used = await signed(call, member, passkey, parsed.data, asked);
  if (!(await noteSigned(services.pool, passkey.id, used))) throw stepUpRefused();
  const { rpID, origin } = relyingParty(services.config);
  const closed = await firstRow<{ id: string }>(
    services.pool,
    close,
    close.of({
      tenant,
      id: asked?.id,
      passkey: passkey.id,
      credential: passkey.credentialId,
      key: passkey.publicKey,
      authenticator_data: bytes(parts.authenticatorData),
      client_data: bytes(parts.clientDataJSON),
      signature: bytes(parts.signature),
      rp_id: rpID,
      origin,
    }),
  );
  if (closed === null) throw stepUpRefused();
  return closed.id;
}
