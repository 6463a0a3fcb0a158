import type { Pool, QueryResult } from 'pg';
import { createGather } from '../src/db/gather.ts';
import { lazily } from '../src/db/lazily.ts';
import { namedOfPlatform } from '../src/db/named.ts';
import type { Statement } from '../src/db/pool.ts';

/*
 * graphile-worker takes and ends each job by a statement of its own. What the slots of one run ask at the same
 * time is one statement here. A slot still holds one job at a time and asks only when it is free, so nothing
 * waits in this process, and a lost connection is told to each slot as if it had asked alone.
 */

/** A prepared statement with its values. */
export interface QueueStatement extends Statement {
  readonly values: readonly unknown[];
}

type QueueStatementResult = Pick<QueryResult<Record<string, unknown>>, 'rows'>;

/** Of slots that ask together. */
const limits = { most: 64 };

/** As graphile-worker takes one job, for a number of jobs. */
const takeJobs = namedOfPlatform(
  'take_jobs',
  ['run', 'tasks', 'most'],
  `
    UPDATE graphile_worker._private_jobs j
    SET attempts = j.attempts + 1, locked_by = @run, locked_at = now()
    WHERE j.id = ANY (ARRAY(SELECT ops.due_jobs(@tasks::integer[], @most::integer)))
    RETURNING j.*`,
);

/** A slot that asks alone and finds nothing asks as graphile-worker does, which also takes jobs of a named queue. */
const taking = createGather<QueueStatement, QueueStatementResult>(async (_group, asked, pool) => {
  const [run, tasks] = asked[0].values;
  const text = { name: takeJobs.name, text: takeJobs.text };
  const values = takeJobs.of({ run, tasks, most: asked.length });
  const { rows } = await send(pool, { ...text, values });
  if (asked.length === 1 && rows.length === 0) return [await send(pool, asked[0])];
  return asked.map((_ask, index) => ({ rows: rows.slice(index, index + 1) }));
}, limits);

const endJobs = namedOfPlatform(
  'end_jobs',
  ['jobs'],
  `DELETE FROM graphile_worker._private_jobs j USING ${lazily} WHERE j.id = ANY (@jobs::bigint[])`,
);

const ending = createGather<QueueStatement, QueueStatementResult>(async (_group, asked, pool) => {
  const jobs = asked.map(({ values }) => values[0]);
  await send(pool, { name: endJobs.name, text: endJobs.text, values: endJobs.of({ jobs }) });
  return asked.map(() => ({ rows: [] }));
}, limits);

/** The statements that are sent together, by the names that graphile-worker gives them. */
const gathers = new Map([
  ['get_job/graphile_worker', taking],
  ['complete_job/graphile_worker', ending],
]);

const send = (pool: Pool, { name, text, values }: QueueStatement): Promise<QueueStatementResult> =>
  pool.query<Record<string, unknown>>({ name, text, values: [...values] });

/**
 * The answer to a statement of graphile-worker that is sent with others of its kind; null for one that is to be
 * sent by itself, as all are should graphile-worker rename them.
 */
export function sendTogether(
  pool: Pool,
  statement: QueueStatement,
): Promise<QueueStatementResult> | null {
  const gather = gathers.get(statement.name);
  if (gather === undefined) return null;
  // Jobs are taken together for one run and the same tasks, of which some may be paused meanwhile.
  const group = gather === taking ? JSON.stringify(statement.values) : '';
  return gather.do(pool, group, statement);
}
