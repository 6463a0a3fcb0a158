import { findDevelopmentDatabase } from '../db/development.ts';
import { ConfigError, readValue } from '../process/settings/setting.ts';

/**
 * The URL of the database for `npm run ops`: OPS_DATABASE_URL, which names the operator's own login role,
 * else DATABASE_URL of the service, else the development database that `npm start` runs, which `say` is told. Each of the two settings may
 * come from a file named by `<NAME>_FILE`. The command needs no other setting, so an operator's machine holds
 * no secrets of the service.
 *
 * @throws ConfigError when there is none, or a file cannot be read
 */
export async function readOpsDatabaseUrl(
  say: (line: string) => void,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  const given = readValue('OPS_DATABASE_URL', env) ?? readValue('DATABASE_URL', env);
  if (given !== null) return given;
  const dataDir = readValue('DATA_DIR', env) ?? '.data';
  const found = await findDevelopmentDatabase(dataDir, env['NODE_ENV'] === 'production', say);
  if (found !== null) return found.owner;
  throw new ConfigError(
    'Set OPS_DATABASE_URL to the database, with your own login role (prisma/operator/README.md).',
  );
}
