import { parseArgs } from 'node:util';
import { loadConfig } from '../../src/process/config.ts';
import { lastEmbeddedUrl } from '../../src/db/embedded-url.ts';
import { readSimulatorConfig } from '../../simulator/config.ts';

export interface VerifyConfig {
  readonly databaseUrl: string;
  readonly simulatorUrl: string;
  readonly simulatorApiKey: string;
  readonly receiverLog: string | null;
  readonly atRest: boolean;
  /** Null: all businesses. */
  readonly businessId: string | null;
}

/**
 * Reads MIGRATION_DATABASE_URL, else DATABASE_URL, SIMULATOR_URL and SIMULATOR_API_KEY as `npm start`
 * does, without either URL the embedded database in DATA_DIR, and the arguments `--receiver-log <file>`, `--business <id>` and
 * `--at-rest`. Throws ConfigError or Error with what is wrong.
 */
export function readVerifyConfig(arguments_: string[], env = process.env): VerifyConfig {
  const { values } = parseArgs({
    args: arguments_,
    options: {
      'receiver-log': { type: 'string' },
      business: { type: 'string' },
      'at-rest': { type: 'boolean', default: false },
    },
  });
  const config = loadConfig(env);
  // It makes temporary tables, which the role of the service may not.
  const databaseUrl =
    config.MIGRATION_DATABASE_URL ?? config.DATABASE_URL ?? lastEmbeddedUrl(config.DATA_DIR);
  if (databaseUrl === null) throw new Error('DATABASE_URL is not set');
  const { port } = readSimulatorConfig(env);
  return {
    databaseUrl,
    simulatorUrl: env['SIMULATOR_URL'] ?? `http://127.0.0.1:${port}`,
    simulatorApiKey: config.SIMULATOR_API_KEY,
    receiverLog: values['receiver-log'] ?? null,
    atRest: values['at-rest'],
    businessId: values.business ?? null,
  };
}
