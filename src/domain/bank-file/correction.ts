import type { Call } from '../../process/services.ts';
import type { Correction } from '../../providers/bank/report.ts';

const placeOf = ({ scope }: Call, owner: string) => ({
  tenantId: scope.tenantId,
  row: owner,
  field: 'correction',
});

/** Encrypts corrected details for their proposal, or for the file that is being read. */
export function sealCorrection(call: Call, owner: string, correction: Correction): Buffer {
  return call.services.keyring.encrypt(JSON.stringify(correction), placeOf(call, owner));
}

/** The corrected details of a proposal. Throws when the ciphertext is not its own. */
export function openCorrection(call: Call, owner: string, sealed: Uint8Array): Correction {
  // Written by sealCorrection, and authenticated.
  return JSON.parse(call.services.keyring.decrypt(sealed, placeOf(call, owner))) as Correction;
}
