import { BankFileProblem, largestBankFile } from '../problem.ts';

/** Characters of every record. */
const recordLength = 94;

/** A record of the file, with its number among the lines. */
export interface NachaLine {
  readonly text: string;
  readonly line: number;
}

export interface NachaLimits {
  readonly bytes: number;
}

export const usualNachaLimits: NachaLimits = { bytes: largestBankFile };

function problem(
  code: 'bad_record' | 'file_too_large',
  line: number,
  message: string,
): BankFileProblem {
  return new BankFileProblem(code, { line, path: null }, message);
}

/** A line without its end: CRLF, LF, or none where the next record follows at once. */
class Lines {
  #rest = '';
  #line = 0;

  add(bytes: Uint8Array): void {
    this.#rest += Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  }

  /** @param last whether nothing follows what was added */
  *take(last: boolean): Generator<NachaLine> {
    let start = 0;
    for (;;) {
      // A record's end is known once it and the end of its line could be there.
      if (!last && this.#rest.length - start < recordLength + 2) break;
      if (start >= this.#rest.length) break;
      const window = this.#rest.slice(start, start + recordLength + 2);
      const end = window.search(/\r?\n/);
      const length = end === -1 ? Math.min(recordLength, window.length) : end;
      const after = window.startsWith('\r\n', length) ? 2 : window.startsWith('\n', length) ? 1 : 0;
      start += length + after;
      this.#line += 1;
      yield this.#checked(window.slice(0, length));
    }
    this.#rest = this.#rest.slice(start);
  }

  #checked(text: string): NachaLine {
    if (text.length > recordLength) {
      throw problem('bad_record', this.#line, `a record has more than ${recordLength} characters.`);
    }
    if (/[^\x20-\x7e]/.test(text)) {
      throw problem('bad_record', this.#line, 'a record has characters other than those of ASCII.');
    }
    // Programs on the way cut off the spaces at the end of lines.
    return { text: text.padEnd(recordLength), line: this.#line };
  }
}

/**
 * The records of a NACHA file, read as a stream.
 *
 * @throws BankFileProblem `file_too_large`, and `bad_record` for a line that is too long or no printable ASCII
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  limits: NachaLimits,
): AsyncGenerator<NachaLine> {
  const lines = new Lines();
  let bytes = 0;
  let line = 1;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > limits.bytes) {
      throw problem('file_too_large', line, `the file has more than ${limits.bytes} bytes.`);
    }
    lines.add(chunk);
    for (const record of lines.take(false)) {
      line = record.line;
      yield record;
    }
  }
  yield* lines.take(true);
}
