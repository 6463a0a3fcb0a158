import { z } from 'zod';
import { parseCrashPlan } from '../crash-point.ts';
import { port } from './schemas.ts';
import { setting } from './setting.ts';

const crashPlan = z.string().transform((text, context) => {
  const plan = parseCrashPlan(text);
  if (plan === null) context.addIssue('no such point; see src/process/crash-point.ts');
  return plan;
});

/** What every process has, whatever it does. */
export const processSettings = {
  NODE_ENV: setting({
    schema: z.enum(['development', 'test', 'production']),
    fallback: 'development',
    description:
      'Kind of environment. In `production` the process refuses to start with keys and secrets that are public or easy to guess, and GraphiQL is off.',
  }),
  HOST: setting({
    schema: z.string().min(1),
    fallback: '127.0.0.1',
    description: 'Address that the API and the metrics listen on.',
  }),
  METRICS_PORT: setting({
    schema: port,
    fallback: null,
    description:
      'Port on which a process serves `/metrics` for Prometheus, on `HOST`. The API and the worker of one machine need one each; `npm start` sets it and gives the worker the next one. Absent elsewhere: no metrics are collected.',
  }),
  LOG_LEVEL: setting({
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    fallback: 'info',
    description: 'Least severe level that is logged.',
  }),
  LOG_FORMAT: setting({
    schema: z.enum(['json', 'text']),
    fallback: 'json',
    description:
      'How a line of the log is written: `json` for machines, `text` for people. `npm start` uses `text` unless it is set.',
  }),
  CRASH_POINT: setting({
    schema: crashPlan,
    fallback: null,
    description:
      'For tests: `<point>` or `<point>:<passage>` of `src/process/crash-point.ts`, where the process kills itself. Refused in production.',
  }),
} as const;
