import { createPool } from './db/pool.ts';
import { ConfigError } from './process/settings/setting.ts';
import { parseArguments } from './ops/arguments.ts';
import { readOpsDatabaseUrl } from './ops/config.ts';
import { runOps } from './ops/run.ts';
import { UsageError } from './ops/statement.ts';

/**
 * `npm run ops -- <view|function> …`: the operators' schema without psql. The exit status is 1 if PostgreSQL
 * refuses, and 2 if the command is wrong or no database answers.
 */
const refused = 1;
const notUnderstood = 2;

/** A little more than the database lets a statement of an operator work (src/db/roles.ts), in milliseconds. */
const answerMs = 305_000;

/** The message and hint of PostgreSQL, or Node's message of a network error. */
function explain(error: unknown): { text: string; status: number } {
  if (!(error instanceof Error)) return { text: String(error), status: notUnderstood };
  if (error instanceof UsageError || error instanceof ConfigError) {
    return { text: error.message, status: notUnderstood };
  }
  const { severity, code, hint } = error as Error &
    Record<'severity' | 'code' | 'hint', string | undefined>;
  if (severity === undefined || code === undefined) {
    const words = error.message === '' ? (code ?? error.name) : error.message;
    return { text: `No database answers: ${words}`, status: notUnderstood };
  }
  const text = hint === undefined ? error.message : `${error.message}\nhint: ${hint}`;
  return { text, status: refused };
}

async function main(): Promise<void> {
  const pool = createPool(readOpsDatabaseUrl(), 1, 'payouts-ops', answerMs);
  try {
    const width = process.stdout.isTTY ? process.stdout.columns : null;
    const { text, note } = await runOps(pool, parseArguments(process.argv.slice(2)), width);
    console.log(text);
    if (note !== null) console.error(note);
  } finally {
    await pool.end();
  }
}

try {
  await main();
} catch (error) {
  const { text, status } = explain(error);
  console.error(`error: ${text}`);
  process.exitCode = status;
}
