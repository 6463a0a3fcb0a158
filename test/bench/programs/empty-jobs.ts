import pg from 'pg';
import { EventEmitter } from 'node:events';
import { Logger, run, type WorkerEvents } from 'graphile-worker';
import { runOf, startHistory } from '../../../jobs/history.ts';
import { loadConfig } from '../../../src/process/config.ts';
import { createServices } from '../../../src/process/services.ts';
import { env } from '../config.ts';

/** Runs jobs that do nothing, with or without their history; prints the rate and the CPU of one. */
const count = Number(env('JOBS'));
const services = createServices(
  loadConfig({ DATABASE_URL: env('DATABASE_URL'), LOG_LEVEL: 'silent' }),
  'worker',
);
const pool = new pg.Pool({ connectionString: env('DATABASE_URL'), max: 2 });
await pool.query(
  `SELECT count(*) FROM generate_series(1, $1::integer) AS n, LATERAL graphile_worker.add_job(
     'empty', json_build_object('tenantId', 'ten_' || n, 'deliveryId', 'wdl_' || n)) AS job`,
  [count],
);

const events: WorkerEvents = new EventEmitter();
const history = env('HISTORY') === 'on' ? startHistory(services) : null;
const done = Promise.withResolvers<undefined>();
let ended = 0;
events.on('job:complete', ({ job, error }) => {
  history?.record(
    runOf('wrk_bench', job, new Date(), error instanceof Error ? error.message : null),
  );
  ended += 1;
  if (ended === count) done.resolve(undefined);
});
const started = performance.now();
const cpu = process.cpuUsage();
const runner = await run({
  pgPool: services.pool,
  taskList: { empty: () => undefined },
  concurrency: Number(env('CONCURRENCY') || 10),
  noHandleSignals: true,
  parsedCronItems: [],
  logger: new Logger(() => () => undefined), // what it prints would be read as the result
  events,
});
await done.promise;
await history?.stop();
const seconds = (performance.now() - started) / 1_000;
const { user, system } = process.cpuUsage(cpu);
await runner.stop();
await pool.end();
await services.pool.end();
process.stdout.write(JSON.stringify({ rate: count / seconds, micros: (user + system) / count }));
process.exit(0);
