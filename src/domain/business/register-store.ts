import type { PoolClient } from 'pg';
import { Prisma, type Business } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { namedOfPlatform } from '../../db/named.ts';
import { firstRow, platformStatement, rows, type Queryable } from '../../db/pool.ts';
import { recordChange } from '../access/change-store.ts';

const businessColumns = columns(Prisma.BusinessScalarFieldEnum, 'b');

/** A user of its own, whoever has the address: until it is proven, a registration acts as nobody else. */
const insertUser = namedOfPlatform(
  'insert_registered_user',
  ['userId', 'email', 'provenKey', 'firstName', 'lastName', 'businessId'],
  `
    INSERT INTO app_user AS u (id, email, email_key, first_name, last_name, registered_business_id)
    VALUES (@userId, @email, @provenKey, @firstName, @lastName, @businessId)
    RETURNING u.id`,
);

const personOfAddress = platformStatement({
  name: 'registering_person_of_address',
  text: `
    UPDATE app_user u SET registered_business_id = $2 WHERE u.email_key = $1
    RETURNING u.id AS "userId"`,
});

/** A process of an earlier version leaves the address with the user alone. */
const isRegisteredSql = (address: string): string => `
  (EXISTS (SELECT 1 FROM business b WHERE b.registrant_email_key = ${address})
    OR EXISTS (
      SELECT 1 FROM app_user u WHERE u.email_key = ${address} AND u.registered_business_id IS NOT NULL
    ))`;

const insertBusiness = namedOfPlatform(
  'insert_registered_business',
  ['businessId', 'companyName', 'emailDomain', 'country', 'emailKey', 'proven'],
  `
    INSERT INTO business AS b (
      id, company_name, email_domain, country, registrant_email_key, registration_proven_at
    )
    SELECT @businessId::text, @companyName::text, @emailDomain::text, @country::text, @emailKey::text,
      CASE WHEN @proven::boolean THEN now() END
    WHERE NOT ${isRegisteredSql('@emailKey::text')}
    RETURNING ${businessColumns}`,
);

/** Everything else that a registration makes: tables that Citus leaves on one node, so one statement writes them. */
const insertRest = namedOfPlatform(
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
    WITH new_tenants AS (
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

const registeredBusiness = platformStatement({
  name: 'registered_business',
  text: `SELECT ${businessColumns} FROM business b WHERE b.id = $1`,
});

const registeredAddress = platformStatement({
  name: 'registered_address',
  text: `SELECT 1 AS found WHERE ${isRegisteredSql('$1::text')}`,
});

/** Whether somebody has registered with this address. */
export async function isRegistered(client: Queryable, emailKey: string): Promise<boolean> {
  return (await firstRow(client, registeredAddress, [emailKey])) !== null;
}

export interface NewRegistration {
  readonly userId: string;
  readonly email: string;
  /** The address as it is compared: one business claims it. */
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
 * registered before. Violates `business_registrant_email_key_key` where it is being registered, and
 * `business_email_domain_key` where the domain is taken.
 */
export async function insertRegistered(
  client: PoolClient,
  entry: NewRegistration,
): Promise<Business | null> {
  const values = insertBusiness.of({ ...entry, proven: false });
  const business = await firstRow<Business>(client, insertBusiness, values);
  if (business === null) return null;
  await rows(client, insertUser, insertUser.of({ ...entry, provenKey: null }));
  await rows(client, insertRest, insertRest.of(entry));
  return business;
}

/**
 * As `insertRegistered`, for the person whose mailbox was proven in this transaction. They keep their account
 * and its names where they have one.
 */
export async function insertProven(
  client: PoolClient,
  entry: NewRegistration,
): Promise<Business | null> {
  const { emailKey, businessId } = entry;
  const values = insertBusiness.of({ ...entry, proven: true });
  const business = await firstRow<Business>(client, insertBusiness, values);
  if (business === null) return null;
  const known = await firstRow<{ userId: string }>(client, personOfAddress, [emailKey, businessId]);
  if (known === null)
    await rows(client, insertUser, insertUser.of({ ...entry, provenKey: emailKey }));
  await rows(client, insertRest, insertRest.of({ ...entry, ...known }));
  return business;
}

/** What became of a registration whose ids the caller has just made; null where it was not stored. */
export function findRegistered(
  client: Queryable,
  { businessId }: NewRegistration,
): Promise<Business | null> {
  return firstRow<Business>(client, registeredBusiness, [businessId]);
}
