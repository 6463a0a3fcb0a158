/**
 * The PostgreSQL to test on, as the administrator of a database of it; the tests make databases of their own
 * there. Where that database is the coordinator of a Citus cluster, theirs are distributed over its nodes.
 * Null: the run starts the PostgreSQL that npm installed.
 */
export const givenServer: string | null = process.env['TEST_DATABASE_URL'] ?? null;
