import type { Pool } from 'pg';
import { raisedCode } from '../db/errors.ts';
import { findDevelopmentDatabase, noDatabase } from '../db/development.ts';
import { SharedRolesError } from '../db/own-roles.ts';
import { SharedSessionError } from '../db/own-session.ts';
import { MigrationError } from '../db/pending.ts';
import { createPool } from '../db/pool.ts';
import { unavailable } from '../db/unavailable.ts';
import { loadConfig, type Config } from './config.ts';
import { developmentBankFolder } from './development-bank.ts';
import { ConfigError } from './settings/setting.ts';
import { ownerUrlOf } from './settings/storage.ts';

/** Standard output is for what a command prints; remarks stay out of what is piped on. */
export const remark = (line: string): void => void process.stderr.write(`${line}\n`);

/**
 * Settings of a command with a database: without DATABASE_URL the one that `npm start` runs in DATA_DIR, with
 * its owner as MIGRATION_DATABASE_URL and its sandbox bank. In production the setting is required.
 *
 * @throws ConfigError when there is no database
 */
export async function withDatabase(config: Config): Promise<Config & { DATABASE_URL: string }> {
  const { DATABASE_URL, DATA_DIR, NODE_ENV } = config;
  if (DATABASE_URL !== null) return { ...config, DATABASE_URL };
  const found = await findDevelopmentDatabase(DATA_DIR, NODE_ENV === 'production', remark);
  if (found === null) throw new ConfigError(noDatabase(DATA_DIR));
  const { SANDBOX_BANK_FOLDER, SANDBOX_BANK_SFTP_URL } = config;
  const bank = SANDBOX_BANK_SFTP_URL === null ? developmentBankFolder(DATA_DIR) : null;
  return {
    ...config,
    DATABASE_URL: found.service,
    MIGRATION_DATABASE_URL: found.owner,
    SANDBOX_BANK_FOLDER: SANDBOX_BANK_FOLDER ?? bank,
  };
}

/**
 * The error for a login without a right, saying that the work needs the owner's; any other error as it is.
 * @param why why the work needs it, as the rest of a sentence
 */
export function explainedRight(error: unknown, why: string): unknown {
  const raised = raisedCode(error);
  if (raised?.sqlState !== '42501') return error;
  return new ConfigError(
    `${raised.message}: ${why}. Set MIGRATION_DATABASE_URL, as for the migration.`,
  );
}

/**
 * Runs work of a command as the role that owns the tables (MIGRATION_DATABASE_URL). Throws ConfigError where the login
 * may not do it.
 * @param name how PostgreSQL shows the connection
 */
export async function withOwner(
  name: string,
  work: (pool: Pool, config: Config) => Promise<void>,
): Promise<void> {
  const config = await withDatabase(loadConfig());
  const pool = createPool(String(ownerUrlOf(config)), 1, name);
  try {
    await work(pool, config);
  } catch (error) {
    throw explainedRight(error, 'only the role that owns the tables makes and revokes operators');
  } finally {
    await pool.end();
  }
}

/** Errors whose message says what a person has to decide. */
const told = [ConfigError, MigrationError, SharedRolesError, SharedSessionError];

/**
 * What a person is told of an error: which setting is wrong, or PostgreSQL's message and hint, or why no database
 * answers; null for a fault of the program.
 */
export function explain(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (told.some((kind) => error instanceof kind)) return error.message;
  const { code, severity, hint, syscall } = error as Error & Record<string, unknown>;
  if (typeof severity === 'string') {
    return typeof hint === 'string' ? `${error.message}\nhint: ${hint}` : error.message;
  }
  if (!unavailable(error) && syscall === undefined) return null;
  return `No database answers: ${error.message === '' ? String(code) : error.message}`;
}

/** Runs a command. A fault that `explain` knows is told in its words, with the exit status 1. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const words = explain(error);
    if (words === null) throw error;
    remark(words);
    process.exitCode = 1;
  }
}
