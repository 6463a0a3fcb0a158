import { parseArgs } from 'node:util';
import { loadConfig } from '../../src/process/config.ts';
import { ownerUrlOf } from '../../src/process/settings/storage.ts';
import { withDatabase } from '../../src/process/command.ts';
import { readSimulatorConfig } from '../../simulator/config.ts';
import { withPorts } from '../../dev/stack/ports.ts';
import { withRunningPort } from '../../dev/stack/running.ts';

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
 * DATABASE_URL, else the development database that runs in DATA_DIR. Throws ConfigError or Error with what is
 * wrong.
 */
export async function readVerifyConfig(
  arguments_: string[],
  env = process.env,
): Promise<VerifyConfig> {
  const { values } = parseArgs({
    args: arguments_,
    options: {
      'receiver-log': { type: 'string' },
      business: { type: 'string' },
      'at-rest': { type: 'boolean', default: false },
    },
  });
  const given = loadConfig(env);
  const config = ownerUrlOf(given) === null ? await withDatabase(given) : given;
  const { port } = readSimulatorConfig(withPorts(withRunningPort(env, config.DATA_DIR)));
  return {
    // The checks make temporary tables, for which the role of the service has no right.
    databaseUrl: String(ownerUrlOf(config)),
    simulatorUrl: env['SIMULATOR_URL'] ?? `http://127.0.0.1:${port}`,
    simulatorApiKey: config.SIMULATOR_API_KEY,
    receiverLog: values['receiver-log'] ?? null,
    atRest: values['at-rest'],
    businessId: values.business ?? null,
  };
}
