import { readMessage } from './iso20022/read-message.ts';
import { readNacha } from './nacha/read-file.ts';
import { BankFileProblem } from './problem.ts';
import type { BankReport } from './report.ts';

/** What follows the chunks that were taken off to look at the beginning. */
async function* again(
  taken: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* taken;
    for (;;) {
      const next = await rest.next();
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await rest.return?.();
  }
}

/** Kinds of files that banks send and nobody reads here, by how they begin. */
const beginnings: readonly (readonly [RegExp, string])[] = [
  [/^%PDF-/, 'pdf'],
  [/^PK(?=\p{Cc}{2})/u, 'zip'],
  [/^(?:\{1:[^}]{0,60}\}\{2:[IO]|:20:.{0,200}:25:.{0,400}:60[FM]:)/s, 'mt940'],
  [/^01,[^,\n]{1,35},/, 'bai2'],
];

/** What the beginning of a file says that it is, or null. */
function kindOf(taken: readonly Uint8Array[]): string | null {
  const start = Buffer.concat(taken).subarray(0, 1_024).toString('latin1').trimStart();
  return beginnings.find(([form]) => form.test(start))?.[1] ?? null;
}

const xml = 0x3c;
const nacha = 0x31;

/** The first character that is not white space; the bytes of a mark before it are none of ASCII. */
function firstOf(chunk: Uint8Array): number | undefined {
  return chunk.find((byte) => byte > 0x20 && byte < 0x7f);
}

/**
 * Throws the problem of a statement's balance or a movement whose amount cannot be exact: a statement that counts cannot
 * be read then.
 */
export function refuseUncountable(report: BankReport): void {
  const uncountable =
    report.kind === 'statement' || (report.kind === 'entry' && report.status === 'uncountable');
  if (uncountable && report.problem !== null) throw report.problem;
}

/**
 * Reads a file of a bank of which every statement counts.
 *
 * @param chunks the bytes of the file, such as a stream of it
 * @throws BankFileProblem, with the place in the file, for one that cannot be read
 */
export async function* readBankFile(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<BankReport> {
  for await (const report of readBankReports(chunks)) {
    refuseUncountable(report);
    yield report;
  }
}

/**
 * Reads a file of a bank, whichever of the formats it has, as a stream. The first report names the format. What
 * was yielded before a problem counts for nothing: whoever stores reports commits them when the generator ends. Amounts
 * that cannot be exact are in the reports (`refuseUncountable`): the file may have statements of other accounts.
 *
 * @param chunks the bytes of the file, such as a stream of it
 * @throws BankFileProblem, with the place in the file, for one that cannot be read
 */
export async function* readBankReports(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<BankReport> {
  const source = chunks[Symbol.asyncIterator]();
  const taken: Uint8Array[] = [];
  let first: number | undefined;
  let length = 0;
  while (first === undefined && length < 1_024) {
    const next = await source.next();
    if (next.done === true) break;
    taken.push(next.value);
    length += next.value.length;
    first = firstOf(next.value);
  }
  const place = { line: 1, path: null };
  if (length === 0) throw new BankFileProblem('empty_file', place, 'the file is empty.');
  if (first === xml) yield* readMessage(again(taken, source));
  else if (first === nacha) yield* readNacha(again(taken, source));
  else {
    const text = 'this is neither XML nor a NACHA file.';
    while (length < 1_024) {
      const next = await source.next();
      if (next.done === true) break;
      taken.push(next.value);
      length += next.value.length;
    }
    await source.return?.();
    throw new BankFileProblem('unknown_format', place, text, kindOf(taken));
  }
}
