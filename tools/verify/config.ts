import { parseArgs } from 'node:util';
import { loadConfig } from '../../src/config.ts';

export interface VerifyConfig {
  readonly databaseUrl: string;
  readonly simulatorUrl: string;
  readonly simulatorApiKey: string;
  readonly receiverLog: string | null;
  readonly atRest: boolean;
}

/**
 * Reads DATABASE_URL, SIMULATOR_URL and SIMULATOR_API_KEY as the service does, and the arguments
 * `--receiver-log <file>` and `--at-rest`. Throws ConfigError or Error with what is wrong.
 */
export function readVerifyConfig(arguments_: string[], env = process.env): VerifyConfig {
  const { values } = parseArgs({
    args: arguments_,
    options: {
      'receiver-log': { type: 'string' },
      'at-rest': { type: 'boolean', default: false },
    },
  });
  const config = loadConfig(env);
  if (config.DATABASE_URL === null) throw new Error('DATABASE_URL is not set');
  return {
    databaseUrl: config.DATABASE_URL,
    simulatorUrl: config.SIMULATOR_URL,
    simulatorApiKey: config.SIMULATOR_API_KEY,
    receiverLog: values['receiver-log'] ?? null,
    atRest: values['at-rest'],
  };
}
