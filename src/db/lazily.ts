/**
 * SQL: the transaction under way does not wait until its commit is on disk or at a standby. For what a crash may undo
 * and what is then done again, such as the lock of a job. A later commit that waits also waits for those before it,
 * so nothing lasts without what it follows from. docs/scaling.md lists what commits so.
 */
export const lazily = `set_config('synchronous_commit', 'off', true)`;
