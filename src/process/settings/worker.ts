import { z } from 'zod';
import { days, milliseconds } from './schemas.ts';
import { readValue, setting } from './setting.ts';

/** Production has two operators unless it is said that it has not. */
const readConfirmation = (env: NodeJS.ProcessEnv): string | null =>
  readValue('OPERATOR_CONFIRMATION', env) ??
  (env['NODE_ENV'] === 'production' ? 'second_person' : null);

/** How jobs run and how long what they leave is kept. */
export const workerSettings = {
  WORKER_CONCURRENCY: setting({
    schema: z.coerce.number().int().min(1).max(200),
    fallback: '16',
    description: 'Jobs that one worker runs at a time.',
  }),
  WORKER_HEARTBEAT_MS: setting({
    schema: milliseconds,
    fallback: '5000',
    description:
      'Milliseconds between the heartbeats of a worker. The jobs of a worker that is silent for four times its own number are released to others.',
  }),
  CLOCK_TOLERANCE_SECONDS: setting({
    schema: z.coerce.number().int().min(1).max(60),
    fallback: '5',
    description:
      "Seconds that the clock of a process may differ from the database's. Beyond that a worker runs no schedule, and each process says so.",
  }),
  JOB_HISTORY_DAYS: setting({
    schema: days.min(0),
    fallback: '14',
    description:
      'Days that the history of ended jobs (`job_run`) is kept. 0: no history is written.',
  }),
  OPERATOR_CONFIRMATION: setting({
    schema: z.enum(['none', 'second_person']),
    fallback: 'none',
    read: readConfirmation,
    description:
      'Whether the installation has two operators. With `second_person` whatever an operator changes about where money or secrets go (bank connections, routes, production keys and the links to them), and whatever an operator says by hand of production payments at a bank (a file that is brought, a movement that is matched), waits until another operator confirms it. `second_person` by default where `NODE_ENV` is `production`. The API and the workers need it.',
  }),
  RESOLUTION_CONFIRMATION: setting({
    schema: z.enum(['none', 'second_person']),
    fallback: 'none',
    read: (env) => readValue('RESOLUTION_CONFIRMATION', env) ?? readConfirmation(env),
    description:
      'With `second_person` a resolution that an operator orders (`paid` or `not_paid`) waits until another operator confirms it. As `OPERATOR_CONFIRMATION` by default. The workers need it.',
  }),
  EXPORT_LIVE_LIMIT: setting({
    schema: z.coerce.number().int().min(1).max(1_000),
    fallback: '5',
    description: 'Exports of one tenant that may be pending or running at a time.',
  }),
  EXPORT_LIFETIME_HOURS: setting({
    schema: z.coerce.number().int().min(1).max(8_760),
    fallback: '24',
    description: 'Hours for which the file of a completed export can be downloaded.',
  }),
} as const;
