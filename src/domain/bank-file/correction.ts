import type { Call } from '../../process/services.ts';
import type { Correction } from '../../providers/bank/report.ts';

const placeOf = ({ scope }: Call, proposal: string) => ({
  tenantId: scope.tenantId,
  row: proposal,
  field: 'correction',
});

/** Encrypts corrected details for their proposal. */
export function sealCorrection(call: Call, proposal: string, correction: Correction): Buffer {
  return call.services.keyring.encrypt(JSON.stringify(correction), placeOf(call, proposal));
}

/** The corrected details of a proposal. Throws when the ciphertext is not its own. */
export function openCorrection(call: Call, proposal: string, sealed: Uint8Array): Correction {
  // Written by sealCorrection, and authenticated.
  return JSON.parse(call.services.keyring.decrypt(sealed, placeOf(call, proposal))) as Correction;
}
