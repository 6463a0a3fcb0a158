import { FileRefused, checkOf, passed, type Check, type Findings } from '../write-problems.ts';
import { batchControl, fileControl, fillerLine, linesPerBlock, writeRecord } from './records.ts';
import { creditEntry, offsetEntry } from './write-entry.ts';
import { batchHeaderLine, fileHeaderLine, serviceClassOf } from './write-header.ts';
import { addTotals, noTotals, sameTotals, totalsFields, type Totals } from './write-totals.ts';
import type { AchBatch, AchCredit, AchFile } from './write-types.ts';

/*
 * Credits through the Automated Clearing House of the United States, in the format of Nacha.
 * docs/bank-batches.md tells what is written where, and from what.
 */

type CheckOf = (of: string) => Check;

/** The control records have six digits for the lines of a batch and twelve for its money. */
function checkBatchTotals({ count, creditMinor }: Totals, check: Check): void {
  if (count > 999_999) check.refuse('payments', 'total_out_of_range');
  if (creditMinor > 999_999_999_999n) check.refuse('payments', 'total_out_of_range');
}

/** What goes from one batch of a file to the next. */
interface Progress {
  batchNumber: number;
  sequence: number;
  lines: number;
  totals: Totals;
  /** To find a payout that stands twice: some 10 MB for 100,000 payments. */
  readonly payoutIds: Set<string>;
}

async function* batchEntries(
  batch: AchBatch,
  progress: Progress,
  checkOf: CheckOf,
): AsyncGenerator<string, Totals> {
  let totals = noTotals;
  for await (const payment of batch.payments()) {
    const check = checkOf(payment.payoutId);
    if (progress.payoutIds.has(payment.payoutId)) check.refuse('payoutId', 'duplicate');
    progress.payoutIds.add(payment.payoutId);
    const entry = creditEntry(payment, batch, progress.sequence, check);
    progress.sequence = payment.sequence;
    totals = addTotals(totals, entry.totals);
    yield* entry.lines;
  }
  return totals;
}

async function* batchLines(
  batch: AchBatch,
  progress: Progress,
  checkOf: CheckOf,
): AsyncGenerator<string> {
  const { company, originatingBank, number, offset } = batch;
  const check = checkOf(`batch ${number}`);
  yield batchHeaderLine(batch, progress.batchNumber, check);
  let totals = yield* batchEntries(batch, progress, checkOf);
  if (totals.count === 0) check.refuse('payments', 'empty');
  if (offset !== undefined) {
    const over = { amountMinor: totals.creditMinor, after: progress.sequence };
    const entry = offsetEntry(offset, batch, over, check);
    progress.sequence = offset.sequence;
    totals = addTotals(totals, entry.totals);
    yield* entry.lines;
  }
  checkBatchTotals(totals, check);
  progress.batchNumber = number;
  progress.totals = addTotals(progress.totals, totals);
  if (check.isRefused()) return;
  yield writeRecord(batchControl, {
    serviceClass: serviceClassOf(batch),
    ...totalsFields(totals),
    companyId: company.id,
    originatingBank: originatingBank.slice(0, 8),
    batchNumber: number,
  });
}

/** Every line but the last ones. The same walk checks them and writes them; a refused one is empty. */
async function* fileLines(file: AchFile, checkOf: CheckOf): AsyncGenerator<string, Progress> {
  const progress: Progress = {
    batchNumber: 0,
    sequence: 0,
    lines: 1,
    totals: noTotals,
    payoutIds: new Set(),
  };
  yield fileHeaderLine(file, checkOf('file'));
  for (const batch of file.batches) {
    for await (const line of batchLines(batch, progress, checkOf)) {
      progress.lines += 1;
      yield line;
    }
  }
  return progress;
}

/** The file control, and the nines that complete its last block. */
function* closingLines(file: AchFile, { lines, totals }: Progress, check: Check) {
  const { count, creditMinor } = totals;
  if (file.batches.length === 0) check.refuse('batches', 'empty');
  if (count > 99_999_999 || creditMinor > 999_999_999_999n) {
    check.refuse('batches', 'total_out_of_range');
  }
  if (check.isRefused()) return;
  const blockCount = Math.ceil((lines + 1) / linesPerBlock);
  const batchCount = file.batches.length;
  yield writeRecord(fileControl, { batchCount, blockCount, ...totalsFields(totals) });
  for (let line = lines + 1; line < blockCount * linesPerBlock; line += 1) yield fillerLine;
}

/** What a check found, and what the file comes to. */
interface CheckedAchFile extends Findings {
  readonly totals: Totals;
}

/** Reads every payment once and finds all that is wrong. */
export async function checkAchFile(file: AchFile): Promise<CheckedAchFile> {
  const findings: Findings = { problems: [], changes: [] };
  const lines = fileLines(file, (of) => checkOf(of, findings));
  let step = await lines.next();
  while (step.done !== true) step = await lines.next();
  const { value: progress } = step;
  Array.from(closingLines(file, progress, checkOf('file', findings)));
  return { ...findings, totals: progress.totals };
}

/**
 * What is wrong with one payment, before it is in any file. Its trace number is not looked at.
 * @param batch where it would stand
 */
export function checkAchCredit(payment: AchCredit, batch: AchBatch): Findings {
  const findings: Findings = { problems: [], changes: [] };
  creditEntry({ ...payment, sequence: 1 }, batch, 0, checkOf(payment.payoutId, findings));
  return findings;
}

/**
 * Writes a file, line by line: as much of it is in memory as one payment needs. The same input gives
 * the same bytes, in ASCII.
 *
 * The whole file is checked before its first line: FileRefused has every problem of every payment. An
 * error after that means that the payments were others when they were read again; what was written
 * until then is no file and must not leave.
 * @param lineEnd what the bank wants between the lines and after the last one
 */
export async function* writeAchFile(
  file: AchFile,
  lineEnd: '\n' | '\r\n' = '\n',
): AsyncGenerator<string> {
  const { problems, totals } = await checkAchFile(file);
  if (problems.length > 0) throw new FileRefused(problems);
  const lines = fileLines(file, () => passed);
  let step = await lines.next();
  for (; step.done !== true; step = await lines.next()) yield `${step.value}${lineEnd}`;
  if (!sameTotals(step.value.totals, totals)) {
    throw new Error('the payments changed between the check and the writing: other totals');
  }
  for (const line of closingLines(file, step.value, passed)) yield `${line}${lineEnd}`;
}
