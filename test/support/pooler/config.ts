/** Where programs are, and the setting that names one elsewhere. */
export const programFolders = (process.env['PATH'] ?? '').split(':');
export const namedPgBouncer = process.env['TEST_PGBOUNCER'];
