import { adapterSettings } from '../../src/providers/registry.ts';
import { settings } from '../../src/process/config.ts';

/**
 * Settings that docker-compose.yml does not take from its environment, each with its reason. A setting that is neither
 * here nor in the generated list of that file would be lost without a word.
 */
export const notTaken: Readonly<Record<string, string>> = {
  NODE_ENV: 'it is production',
  HOST: 'the image listens on all addresses of the container',
  PORT: 'API_PORT is the port of this machine; the one in the container is fixed',
  DATA_DIR: 'the image has its place',
  DATABASE_URL: 'it is made of POSTGRES_SERVICE_PASSWORD',
  MIGRATION_DATABASE_URL: 'it is made of POSTGRES_PASSWORD, for the migration alone',
  SANDBOX_BANK_FOLDER: 'it is a place on the volume of the simulator',
  CRASH_POINT: 'production refuses it',
  GRAPHIQL_KEY_PATH: 'production has no GraphiQL',
};

/** Those that have a value of their own in docker-compose.yml, or are asked for where they are missing. */
const written = new Set(['PUBLIC_URL', 'SIMULATOR_URL']);

/** Settings that hold a secret, beside those of the providers' adapters, which say so themselves. */
const ownSecrets = [
  'ENCRYPTION_KEYS_COMMAND',
  'SIMULATOR_API_KEY',
  'SIMULATOR_WEBHOOK_SECRET',
  'SANDBOX_BANK_SFTP_PASSWORD',
  'SMTP_URL',
  'DIRECT_DATABASE_URL',
  'OIDC_CLIENT_SECRET',
];

/** The settings of the files from which secrets come, which are mounted. That of the keyring is a setting itself. */
export const secretFiles: readonly string[] = [
  ...ownSecrets,
  ...Object.entries(adapterSettings)
    .filter(([, entry]) => 'secret' in entry && entry.secret)
    .map(([name]) => name),
].map((name) => `${name}_FILE`);

/** The settings that API, worker and migration take as they are; an empty one counts as not set. */
export function composeSettings(): string {
  const names = Object.keys(settings).filter(
    (name) => !Object.hasOwn(notTaken, name) && !written.has(name),
  );
  return [
    'x-settings: &settings',
    ...[...names, ...secretFiles].map((name) => `  ${name}: \${${name}:-}`),
  ].join('\n');
}
