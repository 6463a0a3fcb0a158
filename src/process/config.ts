import { z } from 'zod';
import { admissionSettings } from './settings/admission.ts';
import { parseCrashPlan } from './crash-point.ts';
import { limitSettings } from './settings/limits.ts';
import { productionProblems } from './settings/production.ts';
import { ConfigError, readValue, setting } from './settings/setting.ts';

/**
 * Every setting of the API and the worker, read once from the environment (decisions 12). The table
 * in the README is made from this object, so each setting says what it does. A secret may also come
 * from a file named by `<NAME>_FILE`.
 */

const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

/** Origins as browsers send them: scheme, host and port, nothing else (RFC 6454). */
const origins = list.pipe(
  z.array(
    z.string().refine((text) => URL.canParse(text) && new URL(text).origin === text, {
      message: 'each must be an origin such as https://app.example.com',
    }),
  ),
);

const crashPlan = z.string().transform((text, context) => {
  const plan = parseCrashPlan(text);
  if (plan === null) context.addIssue('no such point; see src/process/crash-point.ts');
  return plan;
});

const seconds = list.pipe(z.array(z.coerce.number<string>().positive()).min(1));

const quiet = z.coerce.number().positive().max(31_536_000);

const limit = z.coerce.number().int().min(1).max(1_000_000_000);

const port = z.coerce.number().int().min(0).max(65535);
const milliseconds = z.coerce.number().int().min(1);
const days = z.coerce.number().int().max(36_500);

/** The adapters that may pay in production (src/providers/registry.ts). */
const productionProviders = ['gateway'] as const;

export const settings = {
  NODE_ENV: setting({
    schema: z.enum(['development', 'test', 'production']),
    fallback: 'development',
    description:
      'In `production` keys and secrets that are public or could be guessed are refused and GraphiQL is off.',
  }),
  HOST: setting({
    schema: z.string().min(1),
    fallback: '127.0.0.1',
    description: 'Address that the API listens on.',
  }),
  PORT: setting({ schema: port, fallback: '3000', description: 'Port of the API.' }),
  METRICS_PORT: setting({
    schema: port,
    fallback: null,
    description:
      'Port on which a process serves `/metrics` for Prometheus, on `HOST`; the API and the worker of one machine need one each, and `npm start` gives the worker the next. Absent: nothing is counted.',
  }),
  PUBLIC_URL: setting({
    schema: z.url(),
    fallback: null,
    description:
      'Base URL under which callers reach the API; links in answers and mails begin with it. In production `https`, unless it is this machine. Default: `http://localhost:<PORT>`.',
  }),
  DATABASE_URL: setting({
    schema: z.string().min(1),
    fallback: null,
    description:
      'PostgreSQL 18 or newer, as the API and the worker connect. Absent: `npm start` runs an embedded one in `DATA_DIR`.',
  }),
  MIGRATION_DATABASE_URL: setting({
    schema: z.string().min(1),
    fallback: null,
    description:
      'The same database with the role that owns its tables, for the migration alone, which makes the login of `DATABASE_URL` where there is none and gives it the rights of the service. Absent: `DATABASE_URL`, whose role then owns everything.',
  }),
  DATABASE_POOL_SIZE: setting({
    schema: z.coerce.number().int().min(2).max(500),
    fallback: '20',
    description: 'Connections each process may hold.',
  }),
  DATA_DIR: setting({
    schema: z.string().min(1),
    fallback: '.data',
    description: 'Folder of the embedded database, the local mailbox and the simulator.',
  }),
  ENCRYPTION_KEYS: setting({
    schema: z.string().min(1),
    fallback: 'dev:ZGV2ZWxvcG1lbnQta2V5LW5vdC1mb3ItcHJvZHVjdGk=',
    developmentOnly: true,
    description:
      'Keyring for data at rest: `<id>:<base64 of 32 random bytes>`, separated by commas. The first encrypts, all decrypt.',
  }),
  SIMULATOR_URL: setting({
    schema: z.url(),
    fallback: 'http://127.0.0.1:3001',
    description:
      'The sandbox provider (the simulator). In production `https`, unless it is this machine or a name without a dot.',
  }),
  SIMULATOR_API_KEY: setting({
    schema: z.string().min(16),
    fallback: 'simulator-development-key',
    developmentOnly: true,
    description: 'Credential that the service shows to the simulator.',
  }),
  SIMULATOR_WEBHOOK_SECRET: setting({
    schema: z.string().min(16),
    fallback: 'simulator-development-webhook-secret',
    developmentOnly: true,
    description: "Secret that signs the simulator's events.",
  }),
  PROVIDER: setting({
    schema: z.enum(productionProviders),
    fallback: null,
    description:
      "The adapter that pays in production. `gateway`: a service of yours that speaks the simulator's protocol (simulator/README.md). Absent: production payouts wait.",
  }),
  PROVIDER_URL: setting({
    schema: z.url({ protocol: /^https?$/ }),
    fallback: null,
    description:
      'Where the production provider is. Required with `PROVIDER`. In production `https`, unless it is this machine.',
  }),
  PROVIDER_API_KEY: setting({
    schema: z.string().min(16),
    fallback: null,
    description: 'Credential that the service shows to it. Required with `PROVIDER`.',
  }),
  PROVIDER_WEBHOOK_SECRET: setting({
    schema: z.string().min(16),
    fallback: null,
    description:
      'Secret that signs its events, which it posts to `/provider-webhooks/<PROVIDER>`. Required with `PROVIDER`.',
  }),
  PROVIDER_TIMEOUT_MS: setting({
    schema: milliseconds,
    fallback: '10000',
    description: 'How long one call to a provider may take.',
  }),
  PROVIDER_RETRY_DELAYS: setting({
    schema: seconds,
    fallback: '2,5,15,60,300',
    description:
      'Seconds between the look-ups of an outcome that is not known, of a disbursement or an enrollment, by the age of the matter: as if each were waited once and the last one over and over. None is longer than 300.',
  }),
  RECONCILE_STALLED_AFTER: setting({
    schema: quiet,
    fallback: '120',
    description:
      'Seconds that an approved payout, an unclear call or a stored provider event may stand still before its job is added again.',
  }),
  RECONCILE_SUBMITTED_AFTER: setting({
    schema: quiet,
    fallback: '900',
    description:
      'Seconds of silence after which the provider is asked about a payout that it took and has not disbursed.',
  }),
  RECONCILE_DISBURSED_AFTER: setting({
    schema: quiet,
    fallback: '86400',
    description:
      'Seconds of silence after which the provider is asked about a payout that is disbursed and not settled.',
  }),
  ENROLL_WAIT_MS: setting({
    schema: milliseconds,
    fallback: '10000',
    description: 'How long an enroll request waits for the provider before it answers 202.',
  }),
  RATE_LIMIT_THIN: setting({
    schema: limit,
    fallback: '120',
    description:
      'Requests a minute of a sandbox tenant whose business profile is incomplete, over all API processes. Bulk calls and costly GraphQL operations count as more than one.',
  }),
  RATE_LIMIT_GENEROUS: setting({
    schema: limit,
    fallback: '6000',
    description:
      'Requests a minute of every other tenant: profile submitted, or production. Over all API processes.',
  }),
  ...admissionSettings,
  REGISTRATION_RATE_LIMIT: setting({
    schema: limit,
    fallback: '5',
    description: 'Registrations an hour from one client address (IPv6: from one /64).',
  }),
  COLLECTION_LINK_RATE_LIMIT: setting({
    schema: limit,
    fallback: '60',
    description:
      'Times a minute that one collection link may be opened, saved to or submitted, over all API processes.',
  }),
  COLLECTION_ADDRESS_RATE_LIMIT: setting({
    schema: limit,
    fallback: '300',
    description:
      'The same of all collection links together from one client address (IPv6: from one /64).',
  }),
  COLLECTION_MAILS_PER_DAY_THIN: setting({
    schema: limit,
    fallback: '200',
    description:
      'Links a day, of collections and to members, that a sandbox tenant whose business profile is incomplete may have mailed.',
  }),
  COLLECTION_MAILS_PER_DAY: setting({
    schema: limit,
    fallback: '20000',
    description: 'The same of every other tenant.',
  }),
  MEMBER_INVITATION_DAYS: setting({
    schema: z.coerce.number().int().min(1).max(30),
    fallback: '7',
    description: 'Days that the link by which a member gets a key of their own can be used.',
  }),
  FAILED_AUTHENTICATION_LIMIT: setting({
    schema: limit,
    fallback: '60',
    description:
      'Invalid API keys a minute from one client address and API process; beyond it, only keys that worked there lately are let in.',
  }),
  KEYLESS_RATE_LIMIT: setting({
    schema: limit,
    fallback: '60',
    description:
      'GraphQL operations a minute without a valid API key from one client address (IPv6: from one /64) and API process.',
  }),
  GRAPHQL_INTROSPECTION: setting({
    schema: z.enum(['on', 'off']),
    fallback: null,
    description:
      'Whether GraphQL answers questions about its schema (`__schema` and `__type`). Absent: `on`, in production `off`.',
  }),
  TRUSTED_PROXIES: setting({
    schema: z.coerce.number().int().min(0).max(10),
    fallback: '0',
    description:
      'Reverse proxies in front of the API that append to `X-Forwarded-For`. 0: the header is ignored.',
  }),
  CORS_ORIGINS: setting({
    schema: origins,
    fallback: '',
    description:
      'Origins whose pages may call the API from a browser, separated by commas. Empty: none.',
  }),
  WEBHOOK_ALLOWED_HOSTS: setting({
    schema: list,
    fallback: '',
    description:
      'Hosts that webhooks may reach although they are not public, for local development. Refused in production.',
  }),
  WEBHOOK_EXTRA_CA_FILE: setting({
    schema: z.string().min(1),
    fallback: null,
    description:
      'PEM file of a further certificate authority that webhook endpoints may use; read again when it changes.',
  }),
  WEBHOOK_RETRY_DELAYS: setting({
    schema: seconds,
    fallback: '30,120,600,1800,3600,7200,14400',
    description:
      'Seconds to wait after each failed delivery; one attempt more than there are delays.',
  }),
  SMTP_URL: setting({
    schema: z.string().min(1),
    fallback: null,
    description:
      'Where e-mail is handed over: `smtp://` (STARTTLS where the server offers it; with `?requireTLS=true` nowhere else) or `smtps://`. Absent: no e-mail is sent.',
  }),
  MAIL_FROM: setting({
    schema: z.string().min(3),
    fallback: 'Payouts <payouts@localhost>',
    description: 'Sender of e-mail.',
  }),
  WORKER_CONCURRENCY: setting({
    schema: z.coerce.number().int().min(1).max(200),
    fallback: '16',
    description: 'Jobs that one worker runs at a time.',
  }),
  WORKER_HEARTBEAT_MS: setting({
    schema: milliseconds,
    fallback: '5000',
    description:
      'How often a worker says that it lives. After four times that without a word its jobs are given to others.',
  }),
  JOB_HISTORY_DAYS: setting({
    schema: days.min(0),
    fallback: '14',
    description:
      'Days that the history of the jobs that ended (`job_run`) is kept. 0: none is written.',
  }),
  PROVIDER_EVENT_DAYS: setting({
    schema: days.min(1),
    fallback: '90',
    description:
      'Days that a provider event is kept as it came, after it was applied, ignored or given up.',
  }),
  ...limitSettings,
  EXPORT_LIVE_LIMIT: setting({
    schema: z.coerce.number().int().min(1).max(1_000),
    fallback: '5',
    description: 'Exports of one tenant that may wait or be written at a time.',
  }),
  EXPORT_LIFETIME_HOURS: setting({
    schema: z.coerce.number().int().min(1).max(8_760),
    fallback: '24',
    description: 'Hours that the file of a finished export can be downloaded.',
  }),
  LOG_LEVEL: setting({
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    fallback: 'info',
    description: 'Least severe level that is logged.',
  }),
  CRASH_POINT: setting({
    schema: crashPlan,
    fallback: null,
    description:
      'For tests: `<point>` or `<point>:<passage>` of `src/process/crash-point.ts`, where the process kills itself. Refused in production.',
  }),
} as const;

type Settings = typeof settings;
type ValueOf<K extends keyof Settings> =
  | z.output<Settings[K]['schema']>
  | (Settings[K]['fallback'] extends null ? null : never);

type Values = { readonly [K in keyof Settings]: ValueOf<K> };

/** The settings, with PUBLIC_URL resolved. */
export type Config = Omit<Values, 'PUBLIC_URL'> & { readonly PUBLIC_URL: string };

/**
 * Reads and checks all settings. Throws ConfigError with one line for each that is wrong.
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  const production = env['NODE_ENV'] === 'production';
  for (const [key, entry] of Object.entries(settings)) {
    const name = key as keyof Settings;
    const given = readValue(name, env);
    if (production && given === null && 'developmentOnly' in entry) {
      problems.push(`${name}: required in production`);
      continue;
    }
    const text = given ?? entry.fallback;
    if (text === null) {
      values[name] = null;
      continue;
    }
    const parsed = entry.schema.safeParse(text);
    if (parsed.success) values[name] = parsed.data;
    else problems.push(`${name}: ${parsed.error.issues.map((issue) => issue.message).join('; ')}`);
  }
  problems.push(...providerProblems(values));
  if (production) problems.push(...productionProblems(values, publicValues));
  if (problems.length > 0) throw new ConfigError(`Settings:\n  ${problems.join('\n  ')}`);
  values['PUBLIC_URL'] ??= `http://localhost:${String(values['PORT'])}`;
  return values as unknown as Config; // each key was parsed by its own schema above
}

/** The development defaults of the secrets: whoever has this file has them. */
const publicValues = Object.values(settings).flatMap(({ fallback, ...entry }) =>
  'developmentOnly' in entry && fallback !== null ? [fallback] : [],
);

/** A provider without its credentials would leave every production payout waiting, without a word. */
function providerProblems(values: Record<string, unknown>): string[] {
  const companions = ['PROVIDER_URL', 'PROVIDER_API_KEY', 'PROVIDER_WEBHOOK_SECRET'] as const;
  if (values['PROVIDER'] === null) return [];
  return companions
    .filter((name) => values[name] === null)
    .map((name) => `${name}: required with PROVIDER`);
}
