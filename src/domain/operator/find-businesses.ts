import { Prisma, type Business } from '../../../generated/prisma/client.ts';
import type { Role } from '../../access/roles.ts';
import { operatorId, type Environment } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { namedOfPlatform } from '../../db/named.ts';
import { firstRow, platformStatement } from '../../db/pool.ts';
import type { OperatorCall } from '../../process/services.ts';
import type { ProfileStatus } from '../business/profile.ts';
import { readList } from './list.ts';

/** A member as operators see one: without a name or an address. */
export interface ListedMember {
  readonly id: string;
  readonly role: Role;
  /** Null until the person has accepted. */
  readonly acceptedAt: Date | null;
}

/** A business with what an operator's commands about it have to name. */
export interface ListedBusiness {
  readonly business: Business;
  readonly tenants: readonly { readonly id: string; readonly environment: Environment }[];
  readonly members: readonly ListedMember[];
}

/** Members that are listed of a business. */
const mostMembers = 100;

/** Of which businesses, and from which on. */
export interface FindBusinesses {
  readonly profileStatus: ProfileStatus | null;
  /** A part of the name, ignoring case, or the whole id of the business or of one of its tenants. */
  readonly find: string | null;
  /** The id of the business before the first. */
  readonly after: string | null;
  readonly take: number;
}

const findStatement = namedOfPlatform(
  'operator_find_businesses',
  ['status', 'find', 'before', 'take'],
  `
    SELECT ${columns(Prisma.BusinessScalarFieldEnum, 'b')},
      (SELECT json_agg(json_build_object('id', t.id, 'environment', t.environment) ORDER BY t.environment DESC)
       FROM tenant t WHERE t.business_id = b.id) AS tenants,
      (SELECT coalesce(json_agg(l ORDER BY l.id), '[]') FROM (
         SELECT m.id, m.role, m.accepted_at AS "acceptedAt" FROM membership m
         WHERE m.business_id = b.id AND m.removed_at IS NULL ORDER BY m.id LIMIT ${mostMembers}
       ) l) AS members
    FROM business b
    WHERE (@status::text IS NULL OR b.profile_status = @status)
      AND (@find::text IS NULL OR b.id = @find
        OR strpos(lower(b.company_name), lower(@find)) > 0 OR strpos(lower(b.legal_name), lower(@find)) > 0
        OR EXISTS (SELECT 1 FROM tenant t WHERE t.business_id = b.id AND t.id = @find))
      AND (@before::text IS NULL OR b.id < @before)
    ORDER BY b.id DESC LIMIT @take`,
);

type BusinessRow = Business & {
  readonly tenants: ListedBusiness['tenants'];
  readonly members: readonly (Omit<ListedMember, 'acceptedAt'> & {
    readonly acceptedAt: string | null;
  })[];
};

/** The businesses that fit, those registered last first, each with up to 100 members. */
export async function findBusinesses(
  call: OperatorCall,
  { profileStatus: status, find, after: before, take }: FindBusinesses,
): Promise<ListedBusiness[]> {
  const values = { status, find, before, take };
  const found = await readList<BusinessRow, keyof typeof values>(call, findStatement, values);
  return found.map(({ tenants, members, ...business }) => ({
    business,
    tenants,
    members: members.map(({ acceptedAt, ...member }) => ({
      ...member,
      acceptedAt: acceptedAt === null ? null : new Date(acceptedAt),
    })),
  }));
}

const operatorName = platformStatement({
  name: 'operator_name',
  text: `
    SELECT name FROM operator_key WHERE id = $1
    UNION ALL SELECT name FROM operator_user WHERE id = $1`,
});

/** The name of the operator who calls. */
export async function nameOfOperator({ services, operator }: OperatorCall): Promise<string> {
  const row = await firstRow<{ name: string }>(services.pool, operatorName, [
    operatorId(operator.operator),
  ]);
  if (row === null) throw new Error('the operator who was authenticated does not exist');
  return row.name;
}
