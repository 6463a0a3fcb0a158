import type { PoolClient } from 'pg';
import { to, type CopyToStreamQuery } from 'pg-copy-streams';
import { noAnswerLimitMs } from './pool.ts';

/**
 * Runs a COPY … TO STDOUT and returns its bytes. pg would cut it off after the pool's limit for an
 * answer, however well the bytes flow, and would keep its timer when the COPY has ended.
 */
export function copyOut(client: PoolClient, statement: string): CopyToStreamQuery {
  // pg sets the callback of what it is given, and stops its timer when that is called.
  const limits: { query_timeout: number; callback?: () => void } = {
    query_timeout: noAnswerLimitMs,
  };
  const copy = Object.assign(to(statement), limits);
  client.query(copy);
  copy.once('close', () => copy.callback?.());
  return copy;
}
