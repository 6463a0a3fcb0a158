import type { Pool } from 'pg';

const distributed = new WeakMap<Pool, Promise<boolean>>();

/** On Citus a statement waits on the node of its rows, where the session that sent it has another number. */
function isDistributed(pool: Pool): Promise<boolean> {
  const known =
    distributed.get(pool) ??
    pool
      .query<{ is: boolean }>("SELECT to_regclass('pg_catalog.citus_lock_waits') IS NOT NULL AS is")
      .then(({ rows }) => rows[0]?.is === true);
  distributed.set(pool, known);
  return known;
}

/** Whether a session waits for a lock that the session with this number holds. */
export async function isWaitedFor(pool: Pool, pid: number): Promise<boolean> {
  const { rowCount } = await pool.query(
    (await isDistributed(pool))
      ? `SELECT 1 FROM citus_lock_waits w
         WHERE w.blocking_gpid = citus_calculate_gpid(citus_nodeid_for_gpid(citus_backend_gpid()), $1)`
      : 'SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))',
    [pid],
  );
  return rowCount !== 0;
}

/** How many sessions of the database wait for a lock. */
export async function sessionsWaiting(pool: Pool): Promise<number> {
  const view = (await isDistributed(pool)) ? 'citus_stat_activity' : 'pg_stat_activity';
  const { rows } = await pool.query(
    `SELECT 1 FROM ${view} WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows.length;
}
