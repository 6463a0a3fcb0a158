import { createPool } from './db/pool.ts';
import { explain, remark } from './process/command.ts';
import { parseArguments } from './ops/arguments.ts';
import { bankFileCommand, explainBankFile, printBankFile } from './ops/bank-file.ts';
import { checkConnectionCommand, printConnection } from './ops/check-connection.ts';
import { explainWatchlist, loadWatchlist, loadWatchlistCommand } from './ops/load-watchlist.ts';
import { readOpsDatabaseUrl } from './ops/config.ts';
import { runOps } from './ops/run.ts';
import { UsageError } from './ops/statement.ts';
import { takeBankFile, takeBankFileCommand } from './ops/take-bank-file.ts';

/**
 * `npm run ops -- <view|function> …`: the operators' schema without psql. The exit status is 1 if PostgreSQL
 * refuses, and 2 if the command is wrong or no database answers. `read-bank-file` reads a file and no database;
 * its status is 1 for a file that cannot be read. `take-bank-file` stores one with the settings of the service.
 * `load-watchlist` loads a list of sanctions in the same way, and its status is 1 for one that is refused.
 * `check-connection` proves a bank connection; its status is 1 where something is missing.
 */
const refused = 1;
const notUnderstood = 2;

/** A little more than the database lets a statement of an operator work (src/db/roles.ts), in milliseconds. */
const answerMs = 305_000;

function statusOf(error: unknown): number {
  if (explainBankFile(error) !== null || explainWatchlist(error) !== null) return refused;
  return error instanceof Error && 'severity' in error ? refused : notUnderstood;
}

async function main(): Promise<void> {
  const given = parseArguments(process.argv.slice(2));
  if (given.name === bankFileCommand) {
    await printBankFile(given, process.stdout);
    return;
  }
  if (given.name === takeBankFileCommand) {
    await takeBankFile(given, process.stdout);
    return;
  }
  if (given.name === loadWatchlistCommand) {
    await loadWatchlist(given, process.stdout);
    return;
  }
  if (given.name === checkConnectionCommand) {
    if (!(await printConnection(given, process.stdout))) process.exitCode = refused;
    return;
  }
  const pool = createPool(await readOpsDatabaseUrl(remark), 1, 'payouts-ops', answerMs);
  try {
    const width = process.stdout.isTTY ? process.stdout.columns : null;
    const { text, note } = await runOps(pool, given, width);
    console.log(text);
    if (note !== null) console.error(note);
  } finally {
    await pool.end();
  }
}

try {
  await main();
} catch (error) {
  const text =
    error instanceof UsageError
      ? error.message
      : (explainBankFile(error) ?? explainWatchlist(error) ?? explain(error));
  if (text === null) throw error;
  console.error(`error: ${text}`);
  process.exitCode = statusOf(error);
}
