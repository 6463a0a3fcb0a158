import { firstRow, platformStatement, type Queryable } from '../db/pool.ts';
import { operatorNamed } from './scope.ts';

const workingKey = platformStatement({
  name: 'working_operator_key',
  text: 'SELECT k.revoked_at IS NULL AS works FROM operator_key k WHERE k.id = $1 FOR SHARE',
});

const workingUser = platformStatement({
  name: 'working_operator_user',
  text: 'SELECT u.revoked_at IS NULL AS works FROM operator_user u WHERE u.id = $1 FOR SHARE',
});

/**
 * Whether the key or person that a record names is still an operator. A key that was revoked serves for up to a second,
 * in which it must decide nothing. A revocation waits for the transaction to end, so the answer holds at its commit.
 */
export async function operatorWorks(client: Queryable, id: string): Promise<boolean> {
  const named = operatorNamed(id);
  if (named === null) return false;
  const statement = 'key_id' in named ? workingKey : workingUser;
  return (await firstRow<{ works: boolean }>(client, statement, [id]))?.works === true;
}
