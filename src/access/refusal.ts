import { DomainError } from '../errors/domain-error.ts';

/** Why a request has no caller. `ended` is of a page without a session that works, the others are of a program and its key. */
export type Refusal = 'missing' | 'malformed' | 'unknown' | 'revoked' | 'held' | 'ended';

/**
 * What each is told. Form and checksum are public, so everybody can tell a mistyped key from another.
 * `revoked` and `held` are said only to who shows the whole secret; for everybody else the key is as unknown as one that
 * never was.
 */
const messages: Readonly<Record<Refusal, string>> = {
  missing: 'There is no API key. Send one in the header Authorization: Bearer <API_KEY>.',
  malformed:
    'This is no API key of this service: it is incomplete or mistyped. A key is pos_<environment>_<id>_<secret>; copy the whole of it.',
  unknown:
    'This server knows no such API key. Check that the key was issued by this server and not by another one.',
  revoked:
    'This API key was revoked and does not work again. Ask an owner or admin of the business for another one.',
  held: 'This API key was made before the address of the business was proven, and waits. An owner or admin confirms it in the console, or with apiKeyConfirm.',
  ended: 'You are not signed in, or your session has ended. Sign in again.',
};

/** The answer to a request without a caller. */
export function unauthorized(refusal: Refusal): DomainError {
  return new DomainError('unauthorized', { message: messages[refusal] });
}
