import type { Pool, PoolClient } from 'pg';
import { afterCommit, type Queryable } from '../db/pool.ts';
import { declarationOf, type TaskName } from './tasks.ts';
import { wakeRelay } from '../db/wake.ts';

/** A job that a command in the database adds; every text but the task is SQL of its body. */
interface CommandJob<T extends TaskName> {
  readonly task: T;
  readonly tenant: string;
  /** The ids of the payload beside `tenantId`. */
  readonly payload: Readonly<Record<string, string>>;
  /** JSON of the trace that causes the job, or null; it travels in the payload (src/process/tracing.ts). */
  readonly trace: string;
  /** What the payload has besides its ids, where it is not null. */
  readonly more?: Readonly<Record<string, string>>;
  /** The key, where it is not the one that the task declares. */
  readonly key?: string;
  /** The rows for each of which there is a job; absent for one job. */
  readonly from?: string;
}

/**
 * The statement by which a command in the database adds a job to its tenant's outbox under the task's own key,
 * as `enqueue` does from outside. Whoever calls the command wakes the relay (`wakeAfter`).
 */
export function jobInsert<T extends TaskName>(job: CommandJob<T>): string {
  const { task, tenant, payload, trace, from } = job;
  const { priority } = declarationOf(task);
  const ids = object({ tenantId: tenant, ...payload });
  const built = `${ids} || jsonb_strip_nulls(${object({ _trace: trace, ...job.more })})`;
  const key = job.key ?? keyOf(task, { ...payload, tenantId: tenant });
  const values = [tenant, `'${task}'`, built, key, String(priority ?? 'NULL')];
  const source =
    from === undefined ? `VALUES (${values.join(', ')})` : `SELECT ${values.join(', ')} ${from}`;
  return `INSERT INTO public.job_outbox (tenant_id, task, payload, job_key, priority) ${source};`;
}

function object(fields: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(fields).map(([name, value]) => `'${name}', ${value}`);
  return `jsonb_build_object(${pairs.join(', ')})`;
}

/** The key that a task declares, of the SQL of its payload's ids. */
function keyOf(task: TaskName, ids: Readonly<Record<string, string>>): string {
  const { key } = declarationOf(task);
  if (key === undefined) return 'NULL';
  const keyed = key.fields.map((field) => `(${ids[field] ?? ''})`);
  return `'${key.prefix}' || ${keyed.join(` || ' ' || `)}`;
}

/** Wakes the relay for a job that a command added over `client`: once it is committed. */
export function wakeAfter(client: Queryable): void {
  if (isOfTransaction(client)) afterCommit(client, wakeRelay);
  else wakeRelay(client);
}

/** A connection is lent for a transaction; a pool commits each statement by itself. */
const isOfTransaction = (client: Pool | PoolClient): client is PoolClient => 'release' in client;
