import type { Beneficiary } from '../../generated/prisma/client.ts';
import { openEmail } from '../../src/domain/beneficiary/store.ts';
import { systemCall } from './fake-provider.ts';
import type { Harness } from './harness.ts';

type Row = Pick<Beneficiary, 'id' | 'email' | 'emailCiphertext'>;

/** The addresses of a tenant's payees by the id of the payee, opened as the service opens them. */
export async function storedEmails(
  { services, database }: Pick<Harness, 'services' | 'database'>,
  tenantId: string,
): Promise<ReadonlyMap<string, string>> {
  const call = await systemCall(services, tenantId);
  const { rows } = await database.pool.query<Row>(
    `SELECT id, email, email_ciphertext AS "emailCiphertext" FROM beneficiary
     WHERE tenant_id = $1 ORDER BY id DESC`,
    [tenantId],
  );
  return new Map(rows.map((row) => [row.id, openEmail(call, row)]));
}
