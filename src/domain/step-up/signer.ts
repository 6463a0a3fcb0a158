import { requirePermission, type Scope, type SessionMember } from '../../access/scope.ts';
import { DomainError } from '../../errors/domain-error.ts';

/**
 * The member who is to sign an approval. Throws forbidden for whoever does not decide on payouts, and STEP_UP_REQUIRED for
 * an API key, which nobody unlocks.
 */
export function requireSigner(scope: Scope): SessionMember {
  requirePermission(scope, 'payouts:decide');
  const { actor } = scope;
  if (actor.type === 'member' && 'session_id' in actor) return actor;
  throw new DomainError('STEP_UP_REQUIRED', {
    message:
      'An API key cannot give the signature of a passkey. A person approves it in the console.',
  });
}
