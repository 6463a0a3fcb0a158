/**
 * The horizon, as an item of FROM with one column `at`: the time before which every change of a payout and
 * every event is visible to a poller (prisma/repeatable/14-horizon.sql). It is read before the rows, in a statement of its own. With one
 * snapshot for both, a transaction that commits in between would be in neither.
 */
export const horizonSql = 'ops.changes_horizon()';
