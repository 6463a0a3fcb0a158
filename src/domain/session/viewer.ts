import { beganSince, opensTenant } from '../../access/session/place.ts';
import type { Role } from '../../access/roles.ts';
import type { Environment } from '../../access/scope.ts';
import { firstRow, platformStatement, rows } from '../../db/pool.ts';
import type { LanguageCode } from '../../reference/languages.ts';
import type { SignedInCall } from './caller.ts';

/** A person, as they see themselves. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  /** Of an operator. */
  readonly operatorName: string | null;
  /** In which they read the console; null until they chose. */
  readonly language: LanguageCode | null;
}

const memberById = platformStatement({
  name: 'signed_in_user',
  text: `
    SELECT u.id, u.email, u.first_name AS "firstName", u.last_name AS "lastName",
      NULL AS "operatorName", u.language
    FROM app_user u WHERE u.id = $1`,
});

const operatorById = platformStatement({
  name: 'signed_in_operator',
  text: `
    SELECT o.id, o.email, NULL AS "firstName", NULL AS "lastName", o.name AS "operatorName",
      o.language
    FROM operator_user o WHERE o.id = $1`,
});

/** The person who is signed in. */
export async function findPerson({ services, person }: SignedInCall): Promise<Person> {
  const [statement, id] =
    person.kind === 'member' ? [memberById, person.userId] : [operatorById, person.operatorUserId];
  const found = await firstRow<Person & Record<string, unknown>>(services.pool, statement, [id]);
  if (found === null) throw new Error('a person with a session exists');
  return found;
}

/** A business of which a person is a member. */
export interface PlaceOfPerson {
  readonly membershipId: string;
  readonly businessId: string;
  readonly businessName: string;
  readonly role: Role;
  /** The environments in which their session may work. */
  readonly environments: readonly Environment[];
}

const places = platformStatement({
  name: 'places_of_user',
  text: `
    SELECT m.id AS "membershipId", b.id AS "businessId", m.role,
      coalesce(b.legal_name, b.company_name) AS "businessName",
      array_agg(t.environment ORDER BY t.environment DESC) AS environments
    FROM membership m
    JOIN user_session s ON s.id = $2 AND s.user_id = m.user_id
    JOIN app_user u ON u.id = m.user_id
    JOIN business b ON b.id = m.business_id
    JOIN tenant t ON t.business_id = b.id
    WHERE m.user_id = $1 AND ${beganSince('s', 'm')} AND m.accepted_at IS NOT NULL AND m.removed_at IS NULL
      AND ${opensTenant({ tenant: 't', business: 'b', membership: 'm', user: 'u' })}
    GROUP BY m.id, b.id, m.role
    ORDER BY m.id
    LIMIT 100`,
});

/**
 * The first hundred businesses in which the person's session may work, in the order in which they became a member. A
 * business that ended their sessions after this one began is open to a new one only. None of an operator.
 */
export function listPlaces({ services, person }: SignedInCall): Promise<PlaceOfPerson[]> {
  if (person.kind === 'operator') return Promise.resolve([]);
  return rows<PlaceOfPerson & Record<string, unknown>>(services.pool, places, [
    person.userId,
    person.sessionId,
  ]);
}
