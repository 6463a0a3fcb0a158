import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { BankFileProblem } from '../providers/bank/problem.ts';
import { readBankFile } from '../providers/bank/read-file.ts';
import type { BankReport } from '../providers/bank/report.ts';
import { reportLines } from './bank-report-text.ts';
import type { Arguments } from './arguments.ts';
import { UsageError } from './statement.ts';

/** The one command that reads a file and asks no database. */
export const bankFileCommand = 'read-bank-file';

const bankFileUsage = `Usage: npm run ops -- ${bankFileCommand} <file> [--json]
  What a bank's file says: pain.002, camt.053, camt.054, or returns and notifications of change in NACHA.
  It is read from the beginning to the end and stored nowhere; no database is asked. With --json each
  report is a line of JSON, amounts in minor units as text. The exit status is 1 for a file that
  cannot be read: what was printed before then counts for nothing.`;

/** Amounts are exact integers, which JSON numbers may not be. */
function toJson(report: BankReport): string {
  return JSON.stringify(report, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
}

async function* toText(reports: AsyncIterable<BankReport>, json: boolean): AsyncGenerator<string> {
  for await (const report of reports) {
    const lines = json ? [toJson(report)] : reportLines(report);
    yield `${lines.join('\n')}\n`;
  }
}

/** What a person is told of an error of this command; null for a fault of the program. */
export function explainBankFile(error: unknown): string | null {
  if (error instanceof BankFileProblem) return `${error.code}: ${error.message}`;
  const { code, message } = error as NodeJS.ErrnoException;
  return ['ENOENT', 'EACCES', 'EISDIR'].includes(code ?? '') ? message : null;
}

/**
 * Writes to `out` what the file says, as it is read.
 *
 * @throws UsageError without exactly one file, BankFileProblem for one that cannot be read, and the errors of
 *   the file system
 */
export async function printBankFile(given: Arguments, out: NodeJS.WritableStream): Promise<void> {
  const [path, ...others] = given.positional;
  if (given.help) {
    out.write(`${bankFileUsage}\n`);
    return;
  }
  if (path === undefined || others.length > 0 || given.named.size > 0) {
    throw new UsageError(`${bankFileCommand} takes one file\n${bankFileUsage}`);
  }
  const reports = readBankFile(createReadStream(path));
  const text = Readable.from(toText(reports, given.format === 'json'));
  await pipeline(text, out, { end: false });
}
