import { platformStatement, rows, type Queryable } from '../../db/pool.ts';
import type { Person } from './open.ts';

const lockMember = platformStatement({
  name: 'lock_member_person',
  text: 'SELECT 1 AS found FROM app_user u WHERE u.id = $1 FOR NO KEY UPDATE',
});

const lockOperator = platformStatement({
  name: 'lock_operator_person',
  text: 'SELECT 1 AS found FROM operator_user o WHERE o.id = $1 FOR NO KEY UPDATE',
});

/**
 * Until the transaction ends, nobody else adds a link or a passkey of the person, so each counts what the other
 * added.
 */
export async function lockPerson(client: Queryable, person: Person): Promise<void> {
  if ('userId' in person) await rows(client, lockMember, [person.userId]);
  else await rows(client, lockOperator, [person.operatorUserId]);
}
