/**
 * SQL: the transaction under way does not wait until its commit is on disk or at a standby. For what is done again after
 * a crash that undid it, such as the end of a job. A later commit that waits also waits for those before it, so nothing
 * lasts without what it follows from. Nothing may remember what such a transaction made: the number of a row that is
 * undone is given to another. docs/scaling.md lists what commits so.
 */
export const lazily = `set_config('synchronous_commit', 'off', true)`;
