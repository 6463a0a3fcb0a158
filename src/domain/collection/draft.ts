import type { z } from 'zod';
import { firstRow, type Statement } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import type { bankAccountDetails } from '../bank-account/input.ts';
import { missingIdentityFields, type BeneficiaryType } from '../beneficiary/identity.ts';
import type { identityInput } from './input.ts';

/** What a payee has given so far, as validated input; fields that are not given are absent. */
export interface Draft {
  readonly identity?: Partial<z.output<typeof identityInput>>;
  readonly bankAccount?: z.output<typeof bankAccountDetails> | undefined;
}

/** The parts of a form that a draft can hold, by the names that its steps have. */
export const draftParts = ['identity', 'address', 'bank_account'] as const;
export type DraftPart = (typeof draftParts)[number];

/** The parts that are whole: nothing that they need is missing. */
export function partsGiven(draft: Draft, beneficiaryType: BeneficiaryType): DraftPart[] {
  const identity = draft.identity ?? {};
  const given: Record<DraftPart, boolean> = {
    identity: missingIdentityFields({ ...identity, beneficiaryType }).length === 0,
    address: (identity.postalAddress ?? null) !== null,
    bank_account: draft.bankAccount !== undefined,
  };
  return draftParts.filter((part) => given[part]);
}

function placeOf(call: Call, requestId: string) {
  return { tenantId: call.scope.tenantId, row: requestId, field: 'draft' };
}

/** Decrypts the draft of a request. Throws when the ciphertext is not its own. */
export function openDraft(call: Call, requestId: string, sealed: Uint8Array | null): Draft {
  if (sealed === null) return {};
  const text = call.services.keyring.decrypt(sealed, placeOf(call, requestId));
  // Written by storeDraft, and authenticated.
  return JSON.parse(text) as Draft;
}

const replaceDraft: Statement = {
  name: 'replace_collection_draft',
  text: `
    UPDATE collection_request r SET draft_ciphertext = $3
    WHERE r.tenant_id = $1 AND r.id = $2 AND r.status = 'live' AND r.expires_at > now()
      AND r.draft_ciphertext IS NOT DISTINCT FROM $4::bytea
    RETURNING true AS stored`,
};

/**
 * Replaces the draft that was read. False when the request has ended, or when something else was
 * written in the meantime: another save, or a rotation of keys.
 */
export async function storeDraft(
  call: Call,
  requestId: string,
  draft: Draft,
  was: Uint8Array | null,
): Promise<boolean> {
  const { services, scope } = call;
  const sealed = services.keyring.encrypt(JSON.stringify(draft), placeOf(call, requestId));
  const values = [scope.tenantId, requestId, sealed, was] as const;
  return (await firstRow(services.pool, replaceDraft, values)) !== null;
}
