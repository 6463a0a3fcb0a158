import { namedOfPlatform } from '../../db/named.ts';
import { firstRow, platformStatement, rows, type Queryable } from '../../db/pool.ts';
import { proveBySigningIn } from '../registration/prove.ts';
import { personOf, type SignInAs } from '../session/link.ts';
import type { Person } from '../session/open.ts';

/** Under which a company knows somebody, and the address for which it speaks. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly address: string;
}

const personOfIdentity = platformStatement({
  name: 'person_of_oidc_identity',
  text: `
    SELECT
      (SELECT i.user_id FROM oidc_identity i
        WHERE i.issuer = $1 AND i.subject = $2 AND i.user_id IS NOT NULL) AS "userId",
      (SELECT i.operator_user_id FROM oidc_identity i
        WHERE i.issuer = $1 AND i.subject = $2 AND i.operator_user_id IS NOT NULL) AS "operatorUserId"`,
});

const isOfPerson = '(i.user_id = @user OR i.operator_user_id = @operator)';

const bind = namedOfPlatform(
  'bind_oidc_identity',
  ['issuer', 'subject', 'user', 'operator'],
  `
    INSERT INTO oidc_identity (issuer, subject, user_id, operator_user_id)
    VALUES (@issuer, @subject, @user, @operator)
    ON CONFLICT DO NOTHING`,
);

const isBound = namedOfPlatform(
  'oidc_identity_is_bound',
  ['issuer', 'subject', 'user', 'operator'],
  `
    SELECT 1 AS found FROM oidc_identity i
    WHERE i.issuer = @issuer AND i.subject = @subject AND ${isOfPerson}`,
);

interface LinkedIdentity extends Record<string, unknown> {
  readonly userId: string | null;
  readonly operatorUserId: string | null;
}

/**
 * The person of an identity: whoever is bound to its issuer and subject, else the member or operator with the
 * address, who is bound to it from then on. `no_member` where there is none. `other_identity` where the one with the
 * address is bound to another subject: the company gave the address to somebody else.
 * @param as null: the member where there is one, else the operator
 */
export async function personOfCompany(
  client: Queryable,
  { issuer, subject, address }: Identity,
  as: SignInAs | null,
): Promise<Person | 'no_member' | 'other_identity'> {
  const bound = await firstRow<LinkedIdentity>(client, personOfIdentity, [issuer, subject]);
  if (as !== 'operator') {
    const userId = bound?.userId ?? null;
    if (userId !== null) return { userId };
    const member = await personOf(client, address, as);
    if (member !== null && 'userId' in member) {
      // The binding is for good, so it is of the person who has the address after the proof.
      const proven = { userId: await proveBySigningIn(client, member.userId) };
      return bindTo(client, { issuer, subject }, proven);
    }
  }
  if (as === 'member') return 'no_member';
  const operatorUserId = bound?.operatorUserId ?? null;
  if (operatorUserId !== null) return { operatorUserId };
  const operator = await personOf(client, address, 'operator');
  return operator === null ? 'no_member' : bindTo(client, { issuer, subject }, operator);
}

/** Of two first sign-ins at once one binds; the other waits for it and reads what it bound. */
async function bindTo(
  client: Queryable,
  identity: Omit<Identity, 'address'>,
  person: Person,
): Promise<Person | 'other_identity'> {
  const values = {
    ...identity,
    user: 'userId' in person ? person.userId : null,
    operator: 'operatorUserId' in person ? person.operatorUserId : null,
  };
  await rows(client, bind, bind.of(values));
  const ours = await firstRow(client, isBound, isBound.of(values));
  return ours === null ? 'other_identity' : person;
}
