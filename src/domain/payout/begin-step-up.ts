import { randomBytes } from 'node:crypto';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { challengeMinutes } from '../../access/passkey/challenge.ts';
import { loadWebAuthn, relyingParty } from '../../access/passkey/relying-party.ts';
import { signingPasskeys, type SigningPasskey } from '../../access/passkey/signing.ts';
import { DomainError, invalid } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { isId, newId } from '../../values/ids.ts';
import { beginStepUp } from '../step-up/commands.gen.ts';
import { requireSigner } from '../step-up/signer.ts';
import { readPayout } from './read.ts';

/** What a person is asked to sign, for five minutes. */
export interface StepUpBegun {
  /** The payouts that it is about, by id. */
  readonly payoutIds: readonly string[];
  /** Those that wait for no approval, or cannot be approved. */
  readonly leftOut: readonly string[];
  /** What is signed, to be shown as it is. */
  readonly text: string;
  readonly expiresAt: Date;
  /** For `navigator.credentials.get`. */
  readonly options: PublicKeyCredentialRequestOptionsJSON;
}

/** Those that sign at this moment. Throws STEP_UP_REQUIRED where the person has none, saying why. */
function requireFit(passkeys: readonly SigningPasskey[]): readonly SigningPasskey[] {
  const fit = passkeys.filter(({ unfit }) => unfit === null);
  if (fit.length > 0) return fit;
  const isNew = passkeys.some(({ unfit }) => unfit === 'new');
  const isLocked = passkeys.some(({ unfit }) => unfit === 'locked');
  const why = isLocked
    ? 'Your passkey is locked for a time after five answers that were wrong.'
    : isNew
      ? 'Your passkey is new: it signs approvals after a day, or once another owner vouches for it.'
      : 'You have no passkey. Add one under Sessions in the console.';
  throw new DomainError('STEP_UP_REQUIRED', {
    message: `The step asks for the signature of a passkey. ${why}`,
  });
}

/** Why none of the payouts can be approved; of one by itself, what is known of it. */
async function nothingWaits(call: Call, payoutIds: readonly string[]): Promise<DomainError> {
  const [id = ''] = payoutIds;
  if (payoutIds.length > 1) {
    return new DomainError('INVALID_STATE_TRANSITION', {
      message: 'None of the payouts waits for an approval that can be given.',
    });
  }
  const { state } = await readPayout(call, id);
  if (state === 'pending_approval') return new DomainError('BANK_ACCOUNT_CHANGED');
  return new DomainError('INVALID_STATE_TRANSITION', {
    message: `A payout that is ${state} cannot be approved.`,
  });
}

/**
 * Asks the caller's passkey for a signature over the approval of payouts: over amount, payee and account of one, over
 * number, totals and the digest of all texts of several. Approving within five minutes, in the same session, takes the
 * answer. Throws validation_failed, forbidden, PAYOUT_NOT_FOUND, INVALID_STATE_TRANSITION, BANK_ACCOUNT_CHANGED, and
 * STEP_UP_REQUIRED for an API key and for a person without a passkey that signs.
 */
export async function beginApproval(
  call: Call,
  payoutIds: readonly string[],
): Promise<StepUpBegun> {
  const { scope, services } = call;
  const member = requireSigner(scope);
  const most = services.config.DECISION_BULK_ROWS;
  if (payoutIds.length < 1 || payoutIds.length > most) {
    const message = `must name 1 to ${most} payouts`;
    throw invalid([{ field: 'payoutIds', code: 'out_of_range', message }]);
  }
  const fit = requireFit(await signingPasskeys(services.pool, member.user_id));
  const [begun] = await beginStepUp(services.pool, scope.tenantId, {
    id: newId('stepUp'),
    payouts: [...new Set(payoutIds.filter((id) => isId('payout', id)))],
    business: scope.businessId,
    user: member.user_id,
    session: member.session_id,
    nonce: randomBytes(32),
    minutes: challengeMinutes,
  });
  if (begun === undefined) throw await nothingWaits(call, payoutIds);
  const { generateAuthenticationOptions } = await loadWebAuthn();
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(services.config).rpID,
    challenge: new Uint8Array(begun.challenge),
    allowCredentials: fit.map(({ credentialId, transports }) => ({
      id: credentialId.toString('base64url'),
      transports,
    })),
    timeout: challengeMinutes * 60_000,
    userVerification: 'required',
  });
  const included = new Set(begun.payouts);
  return {
    payoutIds: begun.payouts,
    leftOut: payoutIds.filter((id) => !included.has(id)),
    text: begun.text,
    expiresAt: begun.expiresAt,
    options,
  };
}
