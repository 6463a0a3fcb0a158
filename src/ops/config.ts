import { lastEmbeddedUrl } from '../db/embedded-url.ts';
import { ConfigError, readValue } from '../process/settings/setting.ts';

/**
 * The URL of the database for `npm run ops`: OPS_DATABASE_URL, which names the operator's own login role,
 * else DATABASE_URL of the service, else the embedded database of `npm start`. Each of the two settings may
 * come from a file named by `<NAME>_FILE`. The command needs no other setting, so an operator's machine holds
 * no secrets of the service.
 *
 * @throws ConfigError when there is none, or a file cannot be read
 */
export function readOpsDatabaseUrl(env: NodeJS.ProcessEnv = process.env): string {
  const url =
    readValue('OPS_DATABASE_URL', env) ??
    readValue('DATABASE_URL', env) ??
    lastEmbeddedUrl(env['DATA_DIR'] ?? '.data');
  if (url !== null) return url;
  throw new ConfigError(
    'Set OPS_DATABASE_URL to the database, with your own login role (prisma/operator/README.md).',
  );
}
