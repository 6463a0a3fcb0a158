import { Prisma, type Beneficiary } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { firstRow, rows } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { betweenChanges, changeParameters } from '../changes-range.ts';
import type { PageRange } from '../page-range.ts';
import type { BeneficiaryChoice } from './list.ts';

/** Which changes of payees are read. */
export interface BeneficiaryChanges extends BeneficiaryChoice {
  /** ISO 8601: those of this time and later. */
  readonly since: string;
  /** Archived payees as well, which are in no other list. */
  readonly archived: boolean;
}

const parameters = [
  'tenant',
  'complianceStatus',
  'beneficiaryType',
  'enrollmentStatus',
  'archived',
  ...changeParameters,
] as const;

type Direction = 'ASC' | 'DESC';

/** Each group is found by one look into the index that begins with it, and read in the order of its changes. */
const chosen = (direction: Direction): string => `
    WITH RECURSIVE found AS (
      SELECT (
        SELECT b.list_group FROM beneficiary b WHERE b.tenant_id = @tenant ORDER BY b.list_group LIMIT 1
      ) AS name
      UNION ALL
      SELECT (
        SELECT b.list_group FROM beneficiary b
        WHERE b.tenant_id = @tenant AND b.list_group > f.name ORDER BY b.list_group LIMIT 1
      )
      FROM found f WHERE f.name IS NOT NULL
    ), changed AS (
      SELECT l.updated_at, l.id FROM found f CROSS JOIN LATERAL (
        SELECT b.updated_at, b.id FROM beneficiary b
        WHERE b.tenant_id = @tenant AND b.list_group = f.name AND (@archived::boolean OR b.archived_at IS NULL)
          AND (b.updated_at, b.id) > (@lowAt::text::timestamptz, @lowId::text)
          AND (b.updated_at, b.id) < (@highAt::text::timestamptz, @highId::text)
        ORDER BY b.updated_at ${direction}, b.id ${direction} LIMIT @take
      ) l
      WHERE f.name IS NOT NULL
        AND (@complianceStatus::text IS NULL OR split_part(f.name, ' ', 1) = @complianceStatus)
        AND (@beneficiaryType::text IS NULL OR split_part(f.name, ' ', 2) = @beneficiaryType)
        AND (@enrollmentStatus::text IS NULL OR split_part(f.name, ' ', 3) = @enrollmentStatus)
      ORDER BY l.updated_at ${direction}, l.id ${direction} LIMIT @take
    )`;

const page = (direction: Direction) =>
  named(
    `changed_beneficiaries_${direction}`,
    parameters,
    `${chosen(direction)}
    SELECT ${columns(Prisma.BeneficiaryScalarFieldEnum, 'b')}
    FROM changed c JOIN beneficiary b ON b.tenant_id = @tenant AND b.id = c.id
    ORDER BY c.updated_at ${direction}, c.id ${direction}`,
  );

const pages = { ASC: page('ASC'), DESC: page('DESC') };

const counting = named(
  'count_changed_beneficiaries',
  parameters,
  `${chosen('ASC')}
    SELECT count(*)::integer AS count FROM changed`,
);

/** A range of the payees that changed, oldest change first, up to the horizon. */
export async function readChangedBeneficiaries(
  call: Call,
  { since, ...choice }: BeneficiaryChanges,
  range: PageRange,
): Promise<Beneficiary[]> {
  const bounds = await betweenChanges(call, since, range);
  const statement = pages[range.backwards ? 'DESC' : 'ASC'];
  const values = statement.of({ tenant: call.scope.tenantId, ...choice, ...bounds });
  return rows<Beneficiary>(call.services.pool, statement, values);
}

/** How many payees changed, counted up to `most`. */
export async function countChangedBeneficiaries(
  call: Call,
  { since, ...choice }: BeneficiaryChanges,
  most: number,
): Promise<number> {
  const whole = { after: null, before: null, take: most, backwards: false };
  const bounds = await betweenChanges(call, since, whole);
  const values = counting.of({ tenant: call.scope.tenantId, ...choice, ...bounds });
  const found = await firstRow<{ count: number }>(call.services.pool, counting, values);
  return found?.count ?? 0;
}
