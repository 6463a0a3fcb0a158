import { Prisma, type NameCheck } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { firstRow, rows, type Queryable } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { isId } from '../../values/ids.ts';

const checkColumns = columns(Prisma.NameCheckScalarFieldEnum, 'n');

const byId = named(
  'name_check_by_id',
  ['tenant', 'check'],
  `SELECT ${checkColumns} FROM name_check n WHERE n.tenant_id = @tenant AND n.id = @check`,
);

/** One answer of a bank of the scope's tenant; null when unknown or malformed. */
export const findNameCheck = async (
  client: Queryable,
  { tenantId }: Scope,
  check: string,
): Promise<NameCheck | null> =>
  isId('nameCheck', check)
    ? firstRow<NameCheck>(client, byId, byId.of({ tenant: tenantId, check }))
    : null;

/** A version of an account. */
export interface CheckedVersion {
  readonly bankAccountId: string;
  readonly version: number;
}

const latest = named(
  'latest_name_checks',
  ['tenant', 'accounts', 'versions'],
  `
    SELECT ${checkColumns} FROM unnest(@accounts::text[], @versions::integer[]) AS g (account, version)
    CROSS JOIN LATERAL (
      SELECT x.* FROM name_check x
      WHERE x.tenant_id = @tenant AND x.bank_account_id = g.account AND x.version = g.version
      ORDER BY x.id DESC LIMIT 1
    ) n`,
);

/** The latest answer about each version, in the order asked; null where there is none. */
export async function readLatestNameChecks(
  { scope, services }: Call,
  asked: readonly CheckedVersion[],
): Promise<(NameCheck | null)[]> {
  const values = latest.of({
    tenant: scope.tenantId,
    accounts: asked.map(({ bankAccountId }) => bankAccountId),
    versions: asked.map(({ version }) => version),
  });
  const found = await rows<NameCheck>(services.pool, latest, values);
  const keyOf = ({ bankAccountId, version }: CheckedVersion): string =>
    `${bankAccountId} ${version}`;
  const byVersion = new Map(found.map((check) => [keyOf(check), check]));
  return asked.map((version) => byVersion.get(keyOf(version)) ?? null);
}

/** The name that a bank has, as it was told with a close match; null where it was not told, or the payee is erased. */
export function openNameOnFile(
  { scope, services }: Call,
  { id, nameOnFileCiphertext: sealed }: Pick<NameCheck, 'id' | 'nameOnFileCiphertext'>,
): string | null {
  if (sealed === null) return null;
  const place = { tenantId: scope.tenantId, row: id, field: 'name_on_file' };
  return services.keyring.decrypt(sealed, place);
}

/** The same encrypted for its row. */
export const sealNameOnFile = (
  { scope, services }: Call,
  id: string,
  name: string | null,
): Buffer | null =>
  name === null
    ? null
    : services.keyring.encrypt(name, { tenantId: scope.tenantId, row: id, field: 'name_on_file' });
