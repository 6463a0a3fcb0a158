import { Prisma, type Business } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { columnName, columns } from '../../db/columns.ts';
import { firstRow, platformStatement, type Queryable } from '../../db/pool.ts';
import { lockActing, mayGovern } from '../access/governance.ts';
import type { ParsedProfile } from './input.ts';

/** All of these make a profile complete. */
const textFields = [
  'legalName',
  'registrationNumber',
  'country',
  'website',
  'industry',
  'contactPhone',
] as const satisfies readonly (keyof ParsedProfile)[];

/**
 * The value that a column gets: the given one if `$2` has the field, even if it is null, otherwise
 * the stored one.
 */
const nextValues: readonly { readonly column: string; readonly value: string }[] = [
  ...textFields.map((field) => ({
    column: columnName(field),
    value: `CASE WHEN $2::jsonb ? '${field}' THEN $2::jsonb ->> '${field}' ELSE b.${columnName(field)} END`,
  })),
  {
    column: 'address',
    value: `CASE WHEN $2::jsonb ? 'address' THEN nullif($2::jsonb -> 'address', 'null') ELSE b.address END`,
  },
];

/** The legal identity of the business, which an operator accepts and in whose name production pays. */
const legalIdentity: readonly string[] = [
  'legal_name',
  'registration_number',
  'country',
  'address',
];

/** Absent and null parts of an address are the same. */
const comparable = (column: string, value: string): string =>
  column === 'address' ? `jsonb_strip_nulls(${value})` : value;

const identityChanges = `(${nextValues
  .filter(({ column }) => legalIdentity.includes(column))
  .map(({ column, value }) => {
    const current = comparable(column, `b.${column}`);
    return `${current} IS DISTINCT FROM ${comparable(column, value)}`;
  })
  .join(' OR ')})`;

const missing = `num_nulls(${nextValues.map(({ value }) => value).join(', ')})`;

/**
 * Changes the profile and computes its status in one statement, on the locked row, so that two
 * writers of different fields lose nothing. A complete profile is submitted; one that loses a field
 * is incomplete again. An accepted profile must stay complete. With another legal identity it is
 * submitted again, also where it waits, so that no production key is issued in a name that no operator
 * saw; existing keys keep working. What an operator said against an earlier one ends with the next that is complete. Once there is a production key, a sandbox key may not change the legal identity.
 */
const updateProfile = platformStatement({
  name: 'update_business_profile',
  text: `
    UPDATE business b
    SET ${nextValues.map(({ column, value }) => `${column} = ${value}`).join(',\n      ')},
      profile_status = CASE
        WHEN b.profile_status = 'accepted' AND NOT ${identityChanges} THEN 'accepted'
        WHEN ${missing} = 0 THEN 'submitted'
        ELSE 'incomplete'
      END,
      profile_submitted_at = CASE
        WHEN ${missing} = 0 AND ${identityChanges} THEN clock.now
        WHEN b.profile_status = 'accepted' THEN b.profile_submitted_at
        WHEN ${missing} = 0 THEN coalesce(b.profile_submitted_at, clock.now)
      END,
      profile_declined_at = CASE WHEN ${missing} > 0 THEN b.profile_declined_at END,
      profile_decline_reason = CASE WHEN ${missing} > 0 THEN b.profile_decline_reason END,
      updated_at = clock.now
    FROM (SELECT now()) AS clock
    WHERE b.id = $1 AND (b.profile_status <> 'accepted' OR ${missing} = 0)
      AND ($3::boolean OR NOT ${identityChanges})
    RETURNING ${columns(Prisma.BusinessScalarFieldEnum, 'new')}`,
});

const refusal = platformStatement({
  name: 'business_profile_refusal',
  text: `
    SELECT NOT $3::boolean AND ${identityChanges} AS ungoverned
    FROM business b WHERE b.id = $1`,
});

const governance = platformStatement({
  name: 'business_profile_governance',
  text: `
    SELECT t.id AS "sandboxTenantId", ${mayGovern('$1', '$2')} AS governs
    FROM tenant t WHERE t.business_id = $1 AND t.environment = 'sandbox'`,
});

export interface ProfileOutcome {
  readonly business: Business;
  readonly sandboxTenantId: string;
}

/** `incomplete`: an accepted profile would lose a field. `ungoverned`: it takes a production key. */
export type ProfileRefusal = 'incomplete' | 'ungoverned';

/** Changes the profile of the scope's business, in a transaction of the caller, or says why not. Throws unauthorized as `lockActing`. */
export async function storeProfile(
  client: Queryable,
  scope: Scope,
  changes: ParsedProfile,
): Promise<ProfileOutcome | ProfileRefusal> {
  await lockActing(client, scope);
  const found = await firstRow<{ sandboxTenantId: string; governs: boolean }>(client, governance, [
    scope.businessId,
    scope.environment,
  ]);
  if (found === null) throw new Error('a business has a sandbox');
  const values = [scope.businessId, JSON.stringify(changes), found.governs];
  const business = await firstRow<Business>(client, updateProfile, values);
  if (business === null) {
    const refused = await firstRow<{ ungoverned: boolean }>(client, refusal, values);
    return refused?.ungoverned === true ? 'ungoverned' : 'incomplete';
  }
  return { business, sandboxTenantId: found.sandboxTenantId };
}
