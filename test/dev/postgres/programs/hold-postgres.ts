import { startEmbeddedPostgres } from '../../../../dev/postgres/embedded.ts';

/** Starts PostgreSQL on the folder of argument 1, writes its URL, and stays until it is killed. */
const [, , dataDir = ''] = process.argv;
const server = await startEmbeddedPostgres({
  dataDir,
  settings: { fsync: 'off' },
  log: () => {},
});
process.stdout.write(`${server.url}\n`);
setInterval(() => {}, 60_000);
