import { hostname, userInfo } from 'node:os';
import type { PoolClient } from 'pg';
import { platformStatement, rows } from '../db/pool.ts';

/*
 * What is done about operators from the command line. The login of the database is the owner of the tables, whoever
 * uses it, so that the line also says which user of which machine it was.
 */

export type OperatorsCommand =
  | 'add_operator'
  | 'revoke_operator'
  | 'make_operator_key'
  | 'revoke_operator_key';

/** `who` is the login, by the column's default. */
const insertLine = platformStatement({
  name: 'insert_operators_command',
  text: `
    INSERT INTO ops.action_log (action, subject_id, reason, detail, affected)
    VALUES ($1, $2, '', $3::jsonb, 1)`,
});

/** A container may run as a user without a name. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? '');
  }
}

/**
 * Adds a line to ops.action_log, in the transaction of the change.
 * @param subject id of the operator or the key
 * @param name what the person or the key is called then; null where that did not change
 */
export async function logCommand(
  client: PoolClient,
  action: OperatorsCommand,
  subject: string,
  name: string | null,
): Promise<void> {
  const detail = {
    ...(name === null ? {} : { name }),
    system_user: systemUser(),
    host: hostname(),
  };
  await rows(client, insertLine, [action, subject, JSON.stringify(detail)]);
}
