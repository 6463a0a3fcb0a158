import { readFileSync } from 'node:fs';
import { z } from 'zod';

export interface SimulatorConfig {
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
  readonly ledgerFile: string;
  readonly apiKey: string;
  readonly webhookUrl: string;
  readonly webhookSecret: string;
  /** Pause between the events of a payout's life. */
  readonly stepDelayMs: number;
  /** How long a payout's idempotency key is remembered. */
  readonly keyWindowMs: number;
  /** The sandbox bank; null: there is none. */
  readonly bank: {
    /** Holds its book, its host key and the customers' folders. */
    readonly folder: string;
    /** How many days the bank's day is behind the clock's. */
    readonly daysBehind: number;
    /** Null: files come and go by the folders alone. */
    readonly sftp: { readonly port: number; readonly password: string } | null;
  } | null;
}

/** For development only. A production start refuses them. */
const developmentApiKey = 'simulator-development-key';
const developmentWebhookSecret = 'simulator-development-webhook-secret';
const developmentBankPassword = 'simulator-development-bank-password';

const environmentSchema = z.object({
  NODE_ENV: z.string().default('development'),
  SIMULATOR_HOST: z.string().min(1).default('127.0.0.1'),
  SIMULATOR_PORT: z.coerce.number().int().min(0).max(65_535).default(3001),
  SIMULATOR_LEDGER_FILE: z.string().min(1).default('.data/simulator/ledger.jsonl'),
  SIMULATOR_API_KEY: z.string().min(16).optional(),
  SIMULATOR_API_KEY_FILE: z.string().optional(),
  SIMULATOR_WEBHOOK_URL: z
    .url({ protocol: /^https?$/ })
    .default('http://127.0.0.1:3000/provider-webhooks/simulator'),
  SIMULATOR_WEBHOOK_SECRET: z.string().min(16).optional(),
  SIMULATOR_WEBHOOK_SECRET_FILE: z.string().optional(),
  SIMULATOR_STEP_DELAY_MS: z.coerce.number().int().min(0).max(86_400_000).default(300),
  SIMULATOR_KEY_WINDOW_MS: z.coerce.number().int().min(0).default(86_400_000),
  SIMULATOR_BANK_FOLDER: z.string().min(1).optional(),
  SIMULATOR_BANK_DAYS_BEHIND: z.coerce.number().int().min(0).max(400).default(0),
  SIMULATOR_BANK_SFTP_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  SIMULATOR_BANK_SFTP_PASSWORD: z.string().min(16).optional(),
  SIMULATOR_BANK_SFTP_PASSWORD_FILE: z.string().optional(),
});

function secret(
  name: string,
  value: string | undefined,
  file: string | undefined,
  development: string,
  production: boolean,
): string {
  const given = value ?? (file === undefined ? undefined : readFileSync(file, 'utf8').trim());
  // The defaults are public, for each of the settings and as a part of a longer text.
  const known = [developmentApiKey, developmentWebhookSecret, developmentBankPassword];
  if (production && (given === undefined || known.some((text) => given.includes(text)))) {
    throw new Error(`${name} must be set to a secret of its own when NODE_ENV is production.`);
  }
  const chosen = given ?? development;
  if (chosen.length < 16) throw new Error(`${name} must have at least 16 characters.`);
  return chosen;
}

function bankOf(
  env: z.infer<typeof environmentSchema>,
  production: boolean,
): SimulatorConfig['bank'] {
  const { SIMULATOR_BANK_FOLDER: folder, SIMULATOR_BANK_SFTP_PORT: port } = env;
  if (folder === undefined) return null;
  const daysBehind = env.SIMULATOR_BANK_DAYS_BEHIND;
  if (port === undefined) return { folder, daysBehind, sftp: null };
  const password = secret(
    'SIMULATOR_BANK_SFTP_PASSWORD',
    env.SIMULATOR_BANK_SFTP_PASSWORD,
    env.SIMULATOR_BANK_SFTP_PASSWORD_FILE,
    developmentBankPassword,
    production,
  );
  return { folder, daysBehind, sftp: { port, password } };
}

/**
 * Reads the simulator's settings from the environment. Throws when one is malformed, or when a
 * production start has no secrets of its own.
 */
export function readSimulatorConfig(
  environment: Record<string, string | undefined> = process.env,
): SimulatorConfig {
  const set = Object.entries(environment).filter(
    ([, value]) => value !== undefined && value !== '',
  );
  const parsed = environmentSchema.safeParse(Object.fromEntries(set));
  if (!parsed.success) {
    throw new Error(`The simulator's settings are invalid.\n${z.prettifyError(parsed.error)}`);
  }
  const env = parsed.data;
  const production = env.NODE_ENV === 'production';
  return {
    host: env.SIMULATOR_HOST,
    port: env.SIMULATOR_PORT,
    ledgerFile: env.SIMULATOR_LEDGER_FILE,
    apiKey: secret(
      'SIMULATOR_API_KEY',
      env.SIMULATOR_API_KEY,
      env.SIMULATOR_API_KEY_FILE,
      developmentApiKey,
      production,
    ),
    webhookUrl: env.SIMULATOR_WEBHOOK_URL,
    webhookSecret: secret(
      'SIMULATOR_WEBHOOK_SECRET',
      env.SIMULATOR_WEBHOOK_SECRET,
      env.SIMULATOR_WEBHOOK_SECRET_FILE,
      developmentWebhookSecret,
      production,
    ),
    stepDelayMs: env.SIMULATOR_STEP_DELAY_MS,
    keyWindowMs: env.SIMULATOR_KEY_WINDOW_MS,
    bank: bankOf(env, production),
  };
}
