import { isOfContent } from '../../db/errors.ts';
import { inTransaction } from '../../db/pool.ts';
import { crashPoint } from '../../process/crash-point.ts';
import type { Call } from '../../process/services.ts';
import { otherKindOf } from '../../providers/bank-other-kinds.ts';
import { BankFileProblem, bankFileProblems } from '../../providers/bank/problem.ts';
import { readBankReports } from '../../providers/bank/read-file.ts';
import { enqueue } from '../../queue/queue.ts';
import { jobKeyOf } from '../../queue/tasks.ts';
import { openConnection } from '../bank-connection/open.ts';
import { findConnection } from '../bank-connection/store.ts';
import { openBankFile } from './content.ts';
import { findBankFile, type StoredBankFile } from './file-store.ts';
import { sealCorrection } from './correction.ts';
import { Interpreter } from './interpret.ts';
import { closeReading, dropStaged, openReading, stageReports, takeOver } from './stage-store.ts';
import { keepStrays } from './stray-store.ts';
import type { Meaning, FileReading, Staged } from './staged.ts';

/**
 * Reports that are staged with one statement. More of them would outlive the collections of young objects, which
 * are frequent while XML is read, and stay as garbage until the next collection of everything.
 */
const together = 100;

/** A status report answers one message, and a message of ours has at most 10,000 payments. */
const mostStatuses = 25_000;

/**
 * Reads a stored file, as a job. What it says is staged in bounded pieces that count for nothing; after the last
 * report one transaction makes all of it count and adds the job that applies it. A file that cannot be read is
 * kept with its problem. Safe to repeat: a run begins anew, and an older one then changes nothing.
 */
export async function readStoredFile(call: Call, fileId: string): Promise<void> {
  const { scope, services } = call;
  const { pool, log } = services;
  const file = await findBankFile(pool, scope, fileId);
  const reading = file === null ? null : await openReading(pool, scope, fileId);
  if (file === null || reading === null) return;
  const connection = await findConnection(pool, scope, file.connectionId);
  if (connection === null) throw new Error(`the file ${fileId} belongs to no connection`);
  const interpreter = new Interpreter(openConnection(call, connection), file.receivedAt);
  try {
    await stage(call, file, reading, interpreter);
    crashPoint('bank_file_staged');
    await count(call, file, reading, interpreter);
  } catch (error) {
    const problem = problemOf(error);
    if (problem === null) throw error;
    const { expectedFormats } = connection;
    if (await keepUnreadable(call, { reading, interpreter, problem, expectedFormats })) return;
    const { code, format } = problem;
    const about = { tenant_id: scope.tenantId, connection_id: connection.id, file_id: fileId };
    const cause = error === problem ? {} : { err: error };
    log.error({ ...about, problem: code, format, ...cause }, 'a file of a bank cannot be read');
    return;
  }
  crashPoint('bank_file_read');
}

/**
 * Why a file cannot be read; null for an error that a repetition may not have. What cannot be stored would stop the file in
 * every run, so it is a problem of the file by name.
 */
function problemOf(error: unknown): BankFileProblem | null {
  if (error instanceof BankFileProblem) return error;
  if (!isOfContent(error)) return null;
  const { not_stored: text } = bankFileProblems;
  return new BankFileProblem('not_stored', { line: 1, path: null }, text);
}

/** Makes what a run has staged count, with the job that applies it; nothing where a later run has begun. */
async function count(
  { scope, services }: Call,
  file: StoredBankFile,
  reading: FileReading,
  { file: head, strays }: Interpreter,
): Promise<void> {
  const { id: fileId, connectionId } = file;
  await inTransaction(services.pool, async (client) => {
    if (!(await closeReading(client, scope, reading, { status: 'read', head }))) return;
    await takeOver(client, scope, reading, connectionId);
    await keepStrays(client, scope, file, strays);
    const payload = { tenantId: scope.tenantId, fileId };
    await enqueue(client, 'apply_bank_file', payload, {
      jobKey: jobKeyOf('apply_bank_file', payload),
    });
  });
}

/** As it may be stored: details of a payee's account are encrypted. */
function sealed(call: Call, fileId: string, meaning: Meaning): Staged {
  if (meaning.kind !== 'change') return meaning;
  const { correction, ...rest } = meaning;
  return { ...rest, sealed: sealCorrection(call, fileId, correction).toString('base64') };
}

async function stage(
  call: Call,
  file: StoredBankFile,
  reading: FileReading,
  interpreter: Interpreter,
): Promise<void> {
  const { scope, services } = call;
  let staged: Staged[] = [];
  let position = 0;
  let statuses = 0;
  async function flush(): Promise<void> {
    if (staged.length === 0) return;
    await stageReports(services.pool, scope, reading, position, staged);
    position += staged.length;
    staged = [];
  }
  for await (const report of readBankReports(openBankFile(call, file))) {
    if (report.kind === 'status' && (statuses += 1) > mostStatuses) {
      const text = `the report has more than ${mostStatuses} statuses.`;
      throw new BankFileProblem('too_many_parts', report.place, text);
    }
    staged.push(...interpreter.next(report).map((meaning) => sealed(call, file.id, meaning)));
    if (staged.length >= together) await flush();
  }
  await flush();
}

/**
 * Keeps the name and the place of the problem. Its text may quote the file, which holds names of payees. True for a
 * file of a kind that the bank sends too and nobody needs: it waits for nobody.
 */
async function keepUnreadable(
  { scope, services }: Call,
  given: {
    readonly reading: FileReading;
    readonly interpreter: Interpreter;
    readonly problem: BankFileProblem;
    readonly expectedFormats: readonly string[];
  },
): Promise<boolean> {
  const { reading, interpreter, problem } = given;
  const { code, place, format } = problem;
  const text = place.path === null ? `line ${place.line}` : `line ${place.line}, ${place.path}`;
  const expected = given.expectedFormats.includes(otherKindOf(format) ?? '');
  await inTransaction(services.pool, async (client) => {
    const end = {
      status: expected ? 'dismissed' : 'unreadable',
      head: interpreter.file ?? { format, messageId: null },
      problem: code,
      place: text.slice(0, 500),
    } as const;
    if (await closeReading(client, scope, reading, end))
      await dropStaged(client, scope, reading.file);
  });
  return expected;
}
