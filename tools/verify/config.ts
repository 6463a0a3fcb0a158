import { parseArgs } from 'node:util';
import { loadConfig } from '../../src/process/config.ts';
import { ownerUrlOf } from '../../src/process/settings/storage.ts';
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
 * Reads the settings as `npm start` does, and the arguments `--receiver-log <file>`, `--business <id>` and
 * `--at-rest`. The database is that of MIGRATION_DATABASE_URL, else of DIRECT_DATABASE_URL, else of
 * DATABASE_URL, else the embedded one in DATA_DIR. Throws ConfigError or Error with what is wrong.
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
  // The checks make temporary tables, for which the role of the service has no right.
  const databaseUrl = ownerUrlOf(config) ?? lastEmbeddedUrl(config.DATA_DIR);
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
