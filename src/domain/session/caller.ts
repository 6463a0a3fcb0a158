import type { Caller, OperatorScope, Scope, SessionMember } from '../../access/scope.ts';
import { isOperator } from '../../access/scope.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Services } from '../../process/services.ts';

/** What the commands of a person who is signed in are called with. */
export interface SignedInCall {
  readonly services: Services;
  readonly person: SignedIn;
}

/** A person who is signed in, as a member of a business or as an operator. */
export type SignedIn =
  | {
      readonly kind: 'member';
      readonly sessionId: string;
      readonly userId: string;
      readonly scope: Scope;
      readonly actor: SessionMember;
    }
  | {
      readonly kind: 'operator';
      readonly sessionId: string;
      readonly operatorUserId: string;
      readonly scope: OperatorScope;
    };

function needsSession(): DomainError {
  return new DomainError('forbidden', {
    message: 'It concerns a person and their sessions, so it needs a session and no API key.',
  });
}

/** The person behind the caller. Throws forbidden for the holder of a key. */
export function requireSignedIn(caller: Caller): SignedIn {
  if (isOperator(caller)) {
    const { operator, sessionId } = caller;
    if (sessionId === null || !('operator_user_id' in operator)) throw needsSession();
    return {
      kind: 'operator',
      sessionId,
      operatorUserId: operator.operator_user_id,
      scope: caller,
    };
  }
  const { actor } = caller;
  if (actor.type !== 'member' || !('session_id' in actor)) throw needsSession();
  return {
    kind: 'member',
    sessionId: actor.session_id,
    userId: actor.user_id,
    scope: caller,
    actor,
  };
}
