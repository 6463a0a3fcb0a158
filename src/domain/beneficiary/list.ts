import { Prisma, type Beneficiary } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { firstRow, rows } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import type { PageRange } from '../page-range.ts';

/** What a list of beneficiaries is chosen by; null for any. */
export interface BeneficiaryChoice {
  readonly complianceStatus: string | null;
  readonly beneficiaryType: string | null;
  readonly enrollmentStatus: string | null;
}

const parameters = [
  'tenant',
  'complianceStatus',
  'beneficiaryType',
  'enrollmentStatus',
  'above',
  'below',
  'take',
] as const;

/**
 * The newest beneficiaries, or the oldest, of each group that was chosen; archived ones are in no list. A group is found
 * by one look into the index that begins with it, and a tenant has few of them, so a list costs the
 * same however few beneficiaries match.
 */
const chosen = (direction: 'ASC' | 'DESC') => `
    WITH RECURSIVE found AS (
      SELECT (
        SELECT b.list_group FROM beneficiary b
        WHERE b.tenant_id = @tenant AND b.archived_at IS NULL ORDER BY b.list_group LIMIT 1
      ) AS name
      UNION ALL
      SELECT (
        SELECT b.list_group FROM beneficiary b
        WHERE b.tenant_id = @tenant AND b.archived_at IS NULL AND b.list_group > f.name ORDER BY b.list_group LIMIT 1
      )
      FROM found f WHERE f.name IS NOT NULL
    ), newest AS (
      SELECT l.id FROM found f CROSS JOIN LATERAL (
        SELECT b.id FROM beneficiary b
        WHERE b.tenant_id = @tenant AND b.archived_at IS NULL AND b.list_group = f.name
          AND b.id > @above AND b.id < @below
        ORDER BY b.id ${direction} LIMIT @take
      ) l
      WHERE f.name IS NOT NULL
        AND (@complianceStatus::text IS NULL OR split_part(f.name, ' ', 1) = @complianceStatus)
        AND (@beneficiaryType::text IS NULL OR split_part(f.name, ' ', 2) = @beneficiaryType)
        AND (@enrollmentStatus::text IS NULL OR split_part(f.name, ' ', 3) = @enrollmentStatus)`;

const page = (name: string, direction: 'ASC' | 'DESC') =>
  named(
    name,
    parameters,
    `${chosen(direction)}
      ORDER BY l.id ${direction} LIMIT @take
    )
    SELECT ${columns(Prisma.BeneficiaryScalarFieldEnum, 'b')}
    FROM newest n JOIN beneficiary b ON b.tenant_id = @tenant AND b.id = n.id
    ORDER BY b.id ${direction}`,
  );

const newest = page('list_beneficiaries', 'DESC');
const oldest = page('list_beneficiaries_backwards', 'ASC');

const counting = named(
  'count_beneficiaries',
  parameters,
  `${chosen('DESC')} LIMIT @take
    )
    SELECT count(*)::integer AS count FROM newest`,
);

/** A range of the beneficiaries that are not archived, which run newest first. */
export function listBeneficiaries(
  { scope, services }: Call,
  choice: BeneficiaryChoice,
  { after, before, take, backwards }: PageRange,
): Promise<Beneficiary[]> {
  const statement = backwards ? oldest : newest;
  const bounds = { above: before ?? '', below: after ?? '~' };
  const values = statement.of({ tenant: scope.tenantId, ...choice, ...bounds, take });
  return rows<Beneficiary>(services.pool, statement, values);
}

/** How many beneficiaries are in a list, counted up to `most`. */
export async function countBeneficiaries(
  { scope, services }: Call,
  choice: BeneficiaryChoice,
  most: number,
): Promise<number> {
  const given = { tenant: scope.tenantId, ...choice, above: '', below: '~', take: most };
  const found = await firstRow<{ count: number }>(services.pool, counting, counting.of(given));
  return found?.count ?? 0;
}
