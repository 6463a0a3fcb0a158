import { Prisma, type BankFile } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';

const statement = named(
  'bank_files_of_connection',
  ['tenant', 'connection', 'before', 'take'],
  `
    SELECT ${columns(Prisma.BankFileScalarFieldEnum, 'f')} FROM bank_file f
    WHERE f.tenant_id = @tenant AND f.connection_id = @connection AND (@before::text IS NULL OR f.id < @before)
    ORDER BY f.id DESC LIMIT @take`,
);

/** The files of a connection's bank, newest first, those too that nobody could read or needed. */
export function readFilesOfConnection(
  { scope, services }: Call,
  connection: string,
  { before, take }: { readonly before: string | null; readonly take: number },
): Promise<BankFile[]> {
  const values = statement.of({ tenant: scope.tenantId, connection, before, take });
  return rows<BankFile>(services.pool, statement, values);
}
