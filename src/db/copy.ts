import type { PoolClient } from 'pg';
import { to, type CopyToStreamQuery } from 'pg-copy-streams';
import { noAnswerLimitMs } from './pool.ts';

/**
 * Runs a COPY … TO STDOUT and returns its bytes. By itself pg ends it after the pool's limit for an answer,
 * even while bytes arrive, and keeps its timer after the COPY has ended.
 */
export function copyOut(client: PoolClient, statement: string): CopyToStreamQuery {
  // pg sets `callback` on the object that it is given, and stops its timer when that is called.
  const limits: { query_timeout: number; callback?: () => void } = {
    query_timeout: noAnswerLimitMs,
  };
  const copy = Object.assign(to(statement), limits);
  client.query(copy);
  copy.once('close', () => copy.callback?.());
  return copy;
}
