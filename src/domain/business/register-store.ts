import type { PoolClient } from 'pg';
import { Prisma, type Business } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { firstRow, rows, type Queryable, type Statement } from '../../db/pool.ts';
import { recordChange } from '../access/change-store.ts';

const businessColumns = columns(Prisma.BusinessScalarFieldEnum, 'b');
const registered = `
  ${businessColumns}, u.id AS "userId", u.created_at AS "userCreatedAt"`;

/**
 * An address that others have only invited can still be registered by its owner; otherwise anybody could
 * lock it out. Its account then takes the spelling and the names that the registrant gives. Until the
 * business is there, the account names none.
 */
const insertUser = named(
  'insert_registered_user',
  ['userId', 'email', 'emailKey', 'firstName', 'lastName'],
  `
    INSERT INTO app_user AS u (id, email, email_key, first_name, last_name)
    VALUES (@userId, @email, @emailKey, @firstName, @lastName)
    ON CONFLICT (email_key) DO UPDATE SET
      email = excluded.email, first_name = excluded.first_name, last_name = excluded.last_name
      WHERE u.registered_business_id IS NULL
    RETURNING u.id AS "userId", u.created_at AS "userCreatedAt"`,
);

const insertBusiness = named(
  'insert_registered_business',
  ['businessId', 'companyName', 'emailDomain', 'country'],
  `
    INSERT INTO business AS b (id, company_name, email_domain, country)
    VALUES (@businessId, @companyName, @emailDomain, @country)
    RETURNING ${businessColumns}`,
);

/** Everything else that a registration makes: tables that Citus leaves on one node, so one statement writes them. */
const insertRest = named(
  'insert_registration',
  [
    'userId',
    'businessId',
    'sandboxTenantId',
    'productionTenantId',
    'membershipId',
    'keyId',
    'secretHash',
  ],
  `
    WITH claimed AS (
      UPDATE app_user u SET registered_business_id = @businessId::text WHERE u.id = @userId::text
    ),
    new_tenants AS (
      INSERT INTO tenant (id, business_id, environment)
      VALUES (@sandboxTenantId::text, @businessId::text, 'sandbox'), (@productionTenantId::text, @businessId::text, 'production')
    ),
    new_membership AS (
      INSERT INTO membership (id, business_id, user_id, role, accepted_at)
      VALUES (@membershipId::text, @businessId::text, @userId::text, 'owner', now())
      RETURNING id, business_id, user_id, role
    ),
    recorded AS (
      ${recordChange({
        from: 'new_membership m',
        kind: 'business_registered',
        business: 'm.business_id',
        environment: `'sandbox'`,
        actor:
          "jsonb_build_object('type', 'member', 'user_id', m.user_id, 'membership_id', m.id, 'key_id', @keyId::text, 'role', m.role)",
        subject: 'm.business_id',
        after: "jsonb_build_object('membership_id', m.id, 'key_id', @keyId::text)",
      })}
    )
    INSERT INTO api_key (id, tenant_id, business_id, membership_id, role, secret_hash)
    SELECT @keyId::text, @sandboxTenantId::text, m.business_id, m.id, m.role, @secretHash::bytea FROM new_membership m`,
);

const registeredBusiness: Statement = {
  name: 'registered_business',
  text: `
    SELECT ${registered}
    FROM business b JOIN app_user u ON u.registered_business_id = b.id
    WHERE b.id = $1 AND u.email_key = $2`,
};

const registeredAddress: Statement = {
  name: 'registered_address',
  text: 'SELECT 1 FROM app_user u WHERE u.email_key = $1 AND u.registered_business_id IS NOT NULL',
};

/** Whether somebody has registered with this address. */
export async function isRegistered(client: Queryable, emailKey: string): Promise<boolean> {
  return (await firstRow(client, registeredAddress, [emailKey])) !== null;
}

/** What a registration wrote that its caller does not know. */
export interface StoredRegistration {
  readonly business: Business;
  /** The id of the account: an older one where the address had been invited. */
  readonly userId: string;
  readonly userCreatedAt: Date;
}

type StoredRow = Business & Omit<StoredRegistration, 'business'>;

function toStored(row: StoredRow | null): StoredRegistration | null {
  if (row === null) return null;
  const { userId, userCreatedAt, ...business } = row;
  return { business, userId, userCreatedAt };
}

export interface NewRegistration {
  /** The id of an account that is made; one that was invited keeps its own. */
  readonly userId: string;
  readonly email: string;
  /** The address as it is compared: unique over all users. */
  readonly emailKey: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly businessId: string;
  readonly companyName: string;
  /** The corporate domain that is claimed; null for free mail. */
  readonly emailDomain: string | null;
  readonly country: string | null;
  readonly sandboxTenantId: string;
  readonly productionTenantId: string;
  readonly membershipId: string;
  readonly keyId: string;
  readonly secretHash: Buffer;
}

/**
 * Writes everything that a registration makes, in the transaction of `client`; null where the address was
 * registered before. Violates `business_email_domain_key` where the domain is taken.
 *
 * The business is inserted before the user's row. So concurrent registrations take the two unique indexes in one
 * order, which is also the order of an invitation: it locks the business of the inviter and then the invited
 * user. On Citus whoever locks a business keeps all others from being inserted.
 */
export async function insertRegistered(
  client: PoolClient,
  entry: NewRegistration,
): Promise<StoredRegistration | null> {
  const business = await firstRow<Business>(client, insertBusiness, insertBusiness.of(entry));
  if (business === null) throw new Error('an insert returns its row');
  const user = await firstRow<Omit<StoredRegistration, 'business'> & Record<string, unknown>>(
    client,
    insertUser,
    insertUser.of(entry),
  );
  if (user === null) return null;
  await rows(client, insertRest, insertRest.of({ ...entry, userId: user.userId }));
  return { business, ...user };
}

/** What became of a registration whose ids the caller has just made; null where it was not stored. */
export async function findRegistered(
  client: Queryable,
  { businessId, emailKey }: NewRegistration,
): Promise<StoredRegistration | null> {
  const values = [businessId, emailKey];
  return toStored(await firstRow<StoredRow>(client, registeredBusiness, values));
}
