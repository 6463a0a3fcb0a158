import { Prisma, type Beneficiary } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { rows, type Statement } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { mapInTurns } from '../../concurrency/event-loop.ts';
import { openEmail, openIdentity } from '../beneficiary/store.ts';
import { openPersonal } from '../encryption/personal.ts';
import type { BeneficiaryEcho } from './input.ts';

interface EchoComparison {
  readonly echoDiffers: boolean;
  /** Revision of the row that was compared, by which the create statement notices a change; null without an echo. */
  readonly echoRevision: number | null;
}

const noEcho: EchoComparison = { echoDiffers: false, echoRevision: null };

const beneficiariesById: Statement = {
  name: 'beneficiaries_by_id',
  text: `
    SELECT ${columns(Prisma.BeneficiaryScalarFieldEnum, 'b')}
    FROM beneficiary b WHERE b.tenant_id = $1 AND b.id = ANY ($2::text[])`,
};

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
  const found = await rows<Beneficiary>(call.services.pool, beneficiariesById, [
    call.scope.tenantId,
    ids,
  ]);
  const byId = new Map(found.map((beneficiary) => [beneficiary.id, beneficiary]));
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
