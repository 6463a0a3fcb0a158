import { hash, randomBytes } from 'node:crypto';
import type { ProposedChange } from '../../../generated/prisma/client.ts';
import { contentHash } from '../../crypto/canonical.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import type { ChangeKind } from './names.ts';

/** What was proposed, by whom, and what the second person was shown. */
export interface Proposal {
  readonly kind: ChangeKind;
  /** What is carried out, secrets included, as JSON can hold it. */
  readonly given: unknown;
  readonly shown: object;
  readonly proposedBy: string;
}

interface Payload extends Proposal {
  /** Keeps the digest from telling whether a secret was guessed. */
  readonly salt: string;
}

/** JSON has no integers beyond 2^53: amounts become texts, which every command takes too. */
export const plainJson = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? String(item) : item));

const placeOf = ({ scope }: Call, id: string) => ({
  tenantId: scope.tenantId,
  row: id,
  field: 'payload',
});

/** Encrypts a proposal for its row, and the digest by which it is known. */
export function sealProposal(
  call: Call,
  id: string,
  proposal: Proposal,
): { readonly payload: Buffer; readonly digest: Buffer } {
  const text = plainJson({ ...proposal, salt: randomBytes(16).toString('base64') });
  const payload = call.services.keyring.encrypt(text, placeOf(call, id));
  return { payload, digest: hash('sha256', text, 'buffer') };
}

/**
 * What a waiting row asks for, exactly as it was proposed. Throws `conflict` where the row is not what was
 * proposed: another kind, proposer or digest, or something else was shown to whoever confirms it.
 */
export function openProposal(call: Call, row: ProposedChange): unknown {
  const { id, kind, proposedBy, shown, digest, payloadCiphertext: sealed } = row;
  if (sealed === null) throw new Error(`the proposed change ${id} has no payload`);
  const text = call.services.keyring.decrypt(sealed, placeOf(call, id));
  const payload = JSON.parse(text) as Payload; // sealProposal wrote it
  const same =
    hash('sha256', text, 'buffer').equals(digest) &&
    payload.kind === kind &&
    payload.proposedBy === proposedBy &&
    contentHash(payload.shown).equals(contentHash(shown));
  if (same) return payload.given;
  call.services.log.error({ change: id }, 'a proposed change was altered, and is not applied');
  throw new DomainError('conflict', {
    message: 'The change is not what was proposed, so it is not applied. Have it proposed again.',
  });
}
