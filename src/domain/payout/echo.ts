import type { Beneficiary } from '../../../generated/prisma/client.ts';
import type { Call } from '../../process/services.ts';
import { mapInTurns } from '../../concurrency/event-loop.ts';
import { findBeneficiaries, openEmail, openIdentity } from '../beneficiary/store.ts';
import { openPersonal } from '../encryption/personal.ts';
import type { BeneficiaryEcho } from './input.ts';

interface EchoComparison {
  readonly echoDiffers: boolean;
  /** Revision of the row that was compared, by which the create statement notices a change; null without an echo. */
  readonly echoRevision: number | null;
}

const noEcho: EchoComparison = { echoDiffers: false, echoRevision: null };

/**
 * Compares the identity fields that creators repeat with the stored ones, in the order given. Birth
 * date and tax id are encrypted, so the create statement cannot compare them. Reads nothing when no
 * payout has an echo.
 */
export async function compareEchoes(
  call: Call,
  payouts: readonly { readonly beneficiaryId: string; readonly echo: BeneficiaryEcho | null }[],
): Promise<EchoComparison[]> {
  const ids = payouts.flatMap(({ echo, beneficiaryId }) => (echo === null ? [] : [beneficiaryId]));
  if (ids.length === 0) return payouts.map(() => noEcho);
  const byId = await findBeneficiaries(call.services.pool, call.scope, ids);
  return mapInTurns(payouts, ({ echo, beneficiaryId }) => {
    const beneficiary = byId.get(beneficiaryId);
    return echo === null || beneficiary === undefined ? noEcho : compare(call, beneficiary, echo);
  });
}

function compare(call: Call, beneficiary: Beneficiary, echo: BeneficiaryEcho): EchoComparison {
  const stored: Record<string, unknown> = {
    ...beneficiary,
    ...openIdentity(call, beneficiary),
    email: openEmail(call, beneficiary),
    registrationNumber: openPersonal(call, 'beneficiary', beneficiary, 'registrationNumber'),
  };
  const echoDiffers = Object.entries(echo).some(
    ([field, value]) => value !== undefined && value !== null && stored[field] !== value,
  );
  return { echoDiffers, echoRevision: beneficiary.revision };
}
