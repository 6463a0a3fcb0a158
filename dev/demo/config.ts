import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { authorityFile } from './certificates.ts';
import { runningUrl } from '../stack/running.ts';

const usualPort = 3_000;

const environment = z.object({
  DEMO_BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  DEMO_TIMEOUT_SECONDS: z.coerce.number().int().min(30).max(3_600).optional(),
  DEMO_RETRY_SECONDS: z.coerce.number().int().min(0).max(600).default(60),
});

/** By which way the demo pays: through the provider, call by call, or through a bank, in files. */
const rails = ['provider', 'bank'] as const;
type Rail = (typeof rails)[number];

/** Files go and come by the clock, a minute each. */
const usualTimeouts: Readonly<Record<Rail, number>> = { provider: 120, bank: 420 };

const optionOf = (arguments_: readonly string[]): Rail => {
  const { values } = parseArgs({
    args: [...arguments_],
    options: { rail: { type: 'string', default: 'provider' } },
  });
  const rail = rails.find((name) => name === values.rail);
  if (rail === undefined) throw new Error(`--rail is one of ${rails.join(', ')}.`);
  return rail;
};

export interface DemoConfig {
  readonly rail: Rail;
  /** Where the service is looked for, without a slash at the end. */
  readonly baseUrl: string;
  readonly dataDir: string;
  /** The longest that the demo may take. */
  readonly timeoutMs: number;
  /** How long one call is retried while the service does not answer. */
  readonly retryMs: number;
  /** The environment of a service that the demo starts itself. */
  readonly serviceEnvironment: NodeJS.ProcessEnv;
}

export const certificateFolder = (dataDir: string): string => join(dataDir, 'demo');

function portOf(url: URL): string {
  if (url.port !== '') return url.port;
  return url.protocol === 'https:' ? '443' : '80';
}

/**
 * Settings of the demo. The service is that of DEMO_BASE_URL, else the one at PORT, else the one that runs in
 * DATA_DIR, else one at port 3000. `--rail bank` pays in files. Throws an Error that names each malformed setting.
 */
export function readDemoConfig(
  env: NodeJS.ProcessEnv = process.env,
  arguments_: readonly string[] = [],
): DemoConfig {
  const rail = optionOf(arguments_);
  const parsed = environment.safeParse(env);
  if (!parsed.success) {
    throw new Error(`The demo's settings are invalid.\n${z.prettifyError(parsed.error)}`);
  }
  const settings = parsed.data;
  const local = settings.PORT === undefined ? runningUrl(settings.DATA_DIR) : null;
  const baseUrl =
    settings.DEMO_BASE_URL ?? local ?? `http://127.0.0.1:${settings.PORT ?? usualPort}`;
  return {
    rail,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    dataDir: settings.DATA_DIR,
    timeoutMs: (settings.DEMO_TIMEOUT_SECONDS ?? usualTimeouts[rail]) * 1_000,
    retryMs: settings.DEMO_RETRY_SECONDS * 1_000,
    serviceEnvironment: {
      // The receiver is local and its certificate is the demo's own; both are set for development
      // alone. Repeated demos are registrations from one address.
      WEBHOOK_ALLOWED_HOSTS: 'localhost',
      WEBHOOK_EXTRA_CA_FILE: authorityFile(certificateFolder(settings.DATA_DIR)),
      REGISTRATION_RATE_LIMIT: '1000',
      ...env,
      PORT: portOf(new URL(baseUrl)),
      DATA_DIR: settings.DATA_DIR,
    },
  };
}
