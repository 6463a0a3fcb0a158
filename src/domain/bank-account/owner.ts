import { firstRow, type Statement } from '../../db/pool.ts';
import { DomainError, notFound } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { isId } from '../../values/ids.ts';

/** What a bank account asks of the beneficiary that it belongs to. */
export interface Owner {
  readonly id: string;
  readonly complianceStatus: string;
}

interface OwnerRow extends Owner, Record<string, unknown> {
  readonly archived: boolean;
}

const ownerById: Statement = {
  name: 'bank_account_owner',
  text: `
    SELECT b.id, b.compliance_status AS "complianceStatus", b.archived_at IS NOT NULL AS archived
    FROM beneficiary b WHERE b.tenant_id = $1 AND b.id = $2`,
};

/**
 * The active beneficiary of the scope's tenant that accounts belong to. Commands read it when a write
 * changed nothing, to say why. Throws not_found, BENEFICIARY_ARCHIVED.
 */
export async function readActiveOwner({ services, scope }: Call, id: string): Promise<Owner> {
  const owner = isId('beneficiary', id)
    ? await firstRow<OwnerRow>(services.pool, ownerById, [scope.tenantId, id])
    : null;
  if (owner === null) throw notFound('beneficiary');
  if (owner.archived) throw new DomainError('BENEFICIARY_ARCHIVED');
  return owner;
}
