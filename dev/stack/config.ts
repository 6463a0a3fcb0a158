import { developmentBankFolder } from '../../src/process/development-bank.ts';
import { join } from 'node:path';
import { withPorts } from './ports.ts';
import { loadConfig } from '../../src/process/config.ts';
import { readMailboxConfig } from '../mailbox/config.ts';
import { readSimulatorConfig } from '../../simulator/config.ts';

/** Settings of `npm start`, made from those of the parts that it runs. */
export interface DevConfig {
  readonly dataDir: string;
  /** Null: the embedded PostgreSQL. */
  readonly databaseUrl: string | null;
  /** The same database as the role that owns the tables; null where that is the role of `databaseUrl`. */
  readonly ownerUrl: string | null;
  readonly host: string;
  readonly port: number;
  readonly simulatorPort: number;
  readonly mailboxPort: number;
  readonly smtpPort: number;
  /** Of the API; the worker has the next one. */
  readonly metricsPort: number;
  readonly publicUrl: string;
  readonly colour: boolean;
  /** The environment of every child process; DATABASE_URL is added once it is known. */
  readonly environment: NodeJS.ProcessEnv;
}

/** @throws ConfigError or Error, naming the variable, when a setting is malformed */
export function readDevConfig(given: NodeJS.ProcessEnv = process.env): DevConfig {
  const env = withPorts(given);
  const service = loadConfig(env);
  const mailbox = readMailboxConfig(env);
  const simulator = readSimulatorConfig(env);
  const dataDir = service.DATA_DIR;
  const colour = process.stdout.isTTY && (env['NO_COLOR'] ?? '') === '';
  return {
    dataDir,
    databaseUrl: service.DATABASE_URL,
    ownerUrl: service.MIGRATION_DATABASE_URL ?? service.DIRECT_DATABASE_URL,
    host: service.HOST,
    port: service.PORT,
    simulatorPort: simulator.port,
    mailboxPort: mailbox.httpPort,
    smtpPort: mailbox.smtpPort,
    metricsPort: service.METRICS_PORT ?? 0,
    publicUrl: service.PUBLIC_URL,
    colour,
    environment: {
      // The processes write into a pipe, and this one into a terminal.
      ...(colour ? { FORCE_COLOR: '1' } : {}),
      SIMULATOR_LEDGER_FILE: join(dataDir, 'simulator/ledger.jsonl'),
      SIMULATOR_URL: `http://127.0.0.1:${simulator.port}`,
      SIMULATOR_BANK_FOLDER: join(dataDir, 'simulator/bank'),
      // The days in which a payment may come back are over at once.
      SIMULATOR_BANK_DAYS_BEHIND: '14',
      SANDBOX_BANK_FOLDER: developmentBankFolder(dataDir),
      SIMULATOR_WEBHOOK_URL: `http://127.0.0.1:${service.PORT}/provider-webhooks/simulator`,
      LOG_FORMAT: 'text',
      SMTP_URL: `smtp://127.0.0.1:${mailbox.smtpPort}`,
      // People who try the service out register more often than five times an hour.
      REGISTRATION_RATE_LIMIT: '1000',
      // Webhook receivers on this machine, and the certificate that `npm run demo` makes for its own.
      WEBHOOK_ALLOWED_HOSTS: 'localhost,127.0.0.1',
      WEBHOOK_EXTRA_CA_FILE: join(dataDir, 'demo/ca.pem'),
      ...env,
      // The processes do not need the owner's password.
      MIGRATION_DATABASE_URL: '',
      MIGRATION_DATABASE_URL_FILE: '',
      // It would name another database than the embedded one.
      ...(service.DATABASE_URL === null
        ? { DIRECT_DATABASE_URL: '', DIRECT_DATABASE_URL_FILE: '' }
        : {}),
      PORT: String(service.PORT),
      PUBLIC_URL: service.PUBLIC_URL,
      DATA_DIR: dataDir,
    },
  };
}

/**
 * Calls `end` when the npm that began this process has ended: an npm that is killed tells its scripts nothing. The
 * `exec` of the script in package.json leaves no shell between the two. Does nothing where npm did not begin it, so that
 * it may be left behind.
 */
export function onNpmEnd(end: () => void, env: NodeJS.ProcessEnv = process.env): void {
  if (env['npm_lifecycle_event'] !== 'start') return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, 500).unref();
}
