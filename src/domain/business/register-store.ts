import { Prisma, type Business } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { firstRow, type Queryable, type Statement } from '../../db/pool.ts';
import { recordChange } from '../access/change-store.ts';

const registered = `
  ${columns(Prisma.BusinessScalarFieldEnum, 'b')}, u.id AS "userId", u.created_at AS "userCreatedAt"`;

/**
 * Writes everything that a registration makes in one statement. The business is inserted after the
 * user's row. So of two registrants with one address and one domain the second gets the error about
 * the address, and concurrent registrations take the two unique indexes in one order and cannot
 * deadlock. An address that others have only invited can still be registered by its owner; otherwise
 * anybody could lock it out. Its account then takes the spelling and the names that the registrant
 * gives.
 */
const insertRegistration = named(
  'insert_registration',
  [
    'userId',
    'email',
    'emailKey',
    'firstName',
    'lastName',
    'businessId',
    'companyName',
    'emailDomain',
    'country',
    'sandboxTenantId',
    'productionTenantId',
    'membershipId',
    'keyId',
    'secretHash',
  ],
  `
    WITH new_user AS (
      INSERT INTO app_user AS u (id, email, email_key, first_name, last_name, registered_business_id)
      VALUES (@userId, @email, @emailKey, @firstName, @lastName, @businessId)
      ON CONFLICT (email_key) DO UPDATE SET
        email = excluded.email, first_name = excluded.first_name, last_name = excluded.last_name,
        registered_business_id = excluded.registered_business_id
        WHERE u.registered_business_id IS NULL
      RETURNING *
    ),
    new_business AS (
      INSERT INTO business (id, company_name, email_domain, country)
      SELECT @businessId::text, @companyName::text, @emailDomain::text, @country::text FROM new_user
      RETURNING *
    ),
    new_tenants AS (
      INSERT INTO tenant (id, business_id, environment)
      SELECT t.id, b.id, t.environment
      FROM new_business b, (VALUES (@sandboxTenantId::text, 'sandbox'), (@productionTenantId::text, 'production')) AS t (id, environment)
    ),
    new_membership AS (
      INSERT INTO membership (id, business_id, user_id, role, accepted_at)
      SELECT @membershipId::text, b.id, u.id, 'owner', now() FROM new_business b, new_user u
      RETURNING id, user_id, role
    ),
    recorded AS (
      ${recordChange({
        from: 'new_business b, new_membership m',
        kind: 'business_registered',
        business: 'b.id',
        environment: `'sandbox'`,
        actor:
          "jsonb_build_object('type', 'member', 'user_id', m.user_id, 'membership_id', m.id, 'key_id', @keyId::text, 'role', m.role)",
        subject: 'b.id',
        after: "jsonb_build_object('membership_id', m.id, 'key_id', @keyId::text)",
      })}
    ),
    new_key AS (
      INSERT INTO api_key (id, tenant_id, business_id, membership_id, role, secret_hash)
      SELECT @keyId::text, @sandboxTenantId::text, b.id, m.id, m.role, @secretHash::bytea FROM new_business b, new_membership m
    )
    SELECT ${registered} FROM new_business b, new_user u`,
);

const registeredBusiness: Statement = {
  name: 'registered_business',
  text: `
    SELECT ${registered}
    FROM business b JOIN app_user u ON u.registered_business_id = b.id
    WHERE b.id = $1 AND u.email_key = $2`,
};

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
 * Runs the statement; null where the address was registered before. Violates
 * `business_email_domain_key` where the domain is taken.
 */
export async function insertRegistered(
  client: Queryable,
  entry: NewRegistration,
): Promise<StoredRegistration | null> {
  const row = await firstRow<StoredRow>(client, insertRegistration, insertRegistration.of(entry));
  return toStored(row);
}

/** What became of a registration whose ids the caller has just made; null where it was not stored. */
export async function findRegistered(
  client: Queryable,
  { businessId, emailKey }: NewRegistration,
): Promise<StoredRegistration | null> {
  const values = [businessId, emailKey];
  return toStored(await firstRow<StoredRow>(client, registeredBusiness, values));
}
