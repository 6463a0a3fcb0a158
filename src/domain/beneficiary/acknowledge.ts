import type { Beneficiary } from '../../../generated/prisma/client.ts';
import { requirePermission } from '../../access/scope.ts';
import { inTransaction } from '../../db/pool.ts';
import { retryOnConflict } from '../../db/retry.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { verifyPendingAccounts } from '../bank-account/verify-store.ts';
import { recordAcknowledgment } from './compliance-store.ts';
import { identityOf, requireCompleteIdentity } from './content.ts';
import { readActiveBeneficiary } from './store.ts';

/**
 * The business attests that it verified the beneficiary. The beneficiary becomes `compliant`, and its
 * pending bank accounts become `verified`. For one that is compliant and needs no new acknowledgment
 * nothing changes. Throws not_found, BENEFICIARY_ARCHIVED, BENEFICIARY_IDENTITY_INCOMPLETE, conflict
 * when it is suspended, forbidden.
 */
export async function acknowledgeBeneficiary(call: Call, id: string): Promise<Beneficiary> {
  requirePermission(call.scope, 'payees:write');
  const { services, scope } = call;
  const acknowledged = await retryOnConflict(async () => {
    const current = await readActiveBeneficiary(call, id);
    if (current.complianceStatus === 'suspended') {
      throw new DomainError('conflict', {
        message:
          'A suspended beneficiary cannot be acknowledged. Only the platform lifts a suspension: ask its support.',
      });
    }
    if (current.complianceStatus === 'compliant' && !current.reacknowledgmentRequired) {
      return current;
    }
    requireCompleteIdentity(identityOf(current));
    return inTransaction(services.pool, async (client) => {
      const row = await recordAcknowledgment(client, scope, id, current.revision);
      if (row !== null) await verifyPendingAccounts(client, scope, id);
      return row;
    });
  });
  if (acknowledged !== null) return acknowledged;
  throw new DomainError('conflict', {
    message: 'Another request changed the beneficiary at the same time; send the request again.',
  });
}
