import type { PoolClient } from 'pg';
import type { Beneficiary } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { enqueueMany } from '../../queue/queue.ts';
import { jobKeyOf } from '../../queue/tasks.ts';

/** The value of `screening` for a payee who has to be screened: NULL where the tenant is not. `tenant` is its parameter. */
export const toBeScreened = (tenant: string): string =>
  `(SELECT 'pending' FROM screening_policy s WHERE s.tenant_id = ${tenant})`;

/** Gives payees of a tenant that is screened their jobs, in the transaction that asks for them. */
export async function screenSoon(
  client: PoolClient,
  { tenantId }: Scope,
  payees: readonly Pick<Beneficiary, 'id' | 'screening'>[],
): Promise<void> {
  const jobs = payees
    .filter(({ screening }) => screening !== null)
    .map(({ id }) => ({ tenantId, beneficiaryId: id }));
  if (jobs.length === 0) return;
  const options = jobs.map((job) => ({ jobKey: jobKeyOf('screen_beneficiary', job) }));
  await enqueueMany(client, 'screen_beneficiary', jobs, options);
}
