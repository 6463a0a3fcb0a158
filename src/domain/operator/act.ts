import type { PoolClient } from 'pg';
import { raisedCode } from '../../db/errors.ts';
import { operatorId, type Environment } from '../../access/scope.ts';
import type { NamedPlatformStatement } from '../../db/named.ts';
import { firstRow } from '../../db/pool.ts';
import type { ErrorCode } from '../../errors/catalogue.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { OperatorCall } from '../../process/services.ts';
import { recordAction, type OperatorCommand } from './action.ts';

/*
 * What operators do about tasks, jobs, mails and deliveries, over GraphQL. The functions of the schema ops do it
 * (prisma/repeatable/71-act-jobs.sql and those after it), as they do for psql, and add the line of ops.action_log
 * with the operator as `who`.
 */

/** What a function of ops tells of what it did. */
export interface Done {
  /** The line of ops.action_log; null where nothing was done. */
  readonly actionId: string | null;
  /** Null for what belongs to no tenant. */
  readonly businessId: string | null;
  readonly environment: Environment | null;
}

/** Which tenant a row of a function belongs to. */
export const ofTenant = `t.business_id AS "businessId", t.environment, r.action_id AS "actionId"`;

/** What the functions refuse with, by SQLSTATE. Their messages name ids and what to do. */
const refusals: Readonly<Record<string, ErrorCode>> = {
  P0002: 'not_found',
  '22023': 'validation_failed',
  '55000': 'conflict',
  '55006': 'conflict',
};

async function ask<Row extends Done>(
  client: PoolClient,
  statement: NamedPlatformStatement<string>,
  values: Readonly<Record<string, unknown>>,
): Promise<Row> {
  try {
    const row = await firstRow<Row & Record<string, unknown>>(
      client,
      statement,
      statement.of(values),
    );
    if (row === null) throw new Error(`${statement.name} answers with a row or refuses`);
    return row;
  } catch (error) {
    const raised = raisedCode(error);
    const code = raised === null ? undefined : refusals[raised.sqlState];
    if (raised === null || code === undefined) throw error;
    throw new DomainError(code, { message: raised.message, cause: error });
  }
}

export interface Act {
  readonly command: OperatorCommand;
  readonly statement: NamedPlatformStatement<string>;
  readonly values: Readonly<Record<string, unknown>>;
  readonly reason: string | null;
  /** What the record names. */
  readonly subjectId: string;
}

/** Runs the function and records the operator's action, in the client's transaction. Throws what the function refuses with. */
export async function act<Row extends Done>(
  { operator }: OperatorCall,
  client: PoolClient,
  { command, statement, values, reason, subjectId }: Act,
): Promise<Row> {
  const who = operatorId(operator.operator);
  const done = await ask<Row>(client, statement, { ...values, who, reason });
  const { actionId, businessId, environment } = done;
  if (actionId === null) return done;
  await recordAction(client, operator, {
    action: command,
    businessId,
    environment,
    subjectId,
    reason,
    detail: { action_id: actionId },
    actionId,
  });
  return done;
}
