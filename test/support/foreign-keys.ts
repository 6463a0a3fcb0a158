/**
 * SQL: for the rest of the transaction rows need no relatives. Citus hands the setting on to the nodes where it is told
 * to; without Citus that means nothing.
 */
export const foreignKeysOff = `SET LOCAL citus.propagate_set_commands = 'local'; SET LOCAL session_replication_role = replica`;
