import { Transform, type TransformCallback } from 'node:stream';

const quote = 0x22;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/** Counted so that the output buffer has its final size: the largest that may be needed is twice that. */
function countLineFeeds(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, at + 1))
    count += 1;
  return count;
}

/**
 * Turns the line ends of a CSV from PostgreSQL's LF into the CRLF of RFC 4180, section 2.1. A line
 * feed inside quotes is the cell's own and stays. A doubled quote toggles twice, so counting quotes
 * is enough, and UTF-8 uses none of the three bytes for anything else. Whole stretches are searched
 * and copied at once: byte by byte, a million rows take a second of this process.
 */
export class WindowsLineEnds extends Transform {
  /** Records written so far, the header row included. */
  records = 0;
  #quoted = false;

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const out = Buffer.allocUnsafe(chunk.length + countLineFeeds(chunk));
    let length = 0;
    let at = 0;
    let nextQuote = chunk.indexOf(quote);
    let nextEnd = chunk.indexOf(lineFeed);
    while (at < chunk.length) {
      if (nextQuote !== -1 && nextQuote < at) nextQuote = chunk.indexOf(quote, at);
      if (nextEnd !== -1 && nextEnd < at) nextEnd = chunk.indexOf(lineFeed, at);
      const ends = !this.#quoted && nextEnd !== -1 && (nextQuote === -1 || nextEnd < nextQuote);
      const stop = ends ? nextEnd : nextQuote;
      const until = stop === -1 ? chunk.length : stop;
      length += chunk.copy(out, length, at, until);
      at = until;
      if (stop === -1) break;
      if (ends) {
        out[length] = carriageReturn;
        length += 1;
        this.records += 1;
      } else this.#quoted = !this.#quoted;
      out[length] = ends ? lineFeed : quote;
      length += 1;
      at += 1;
    }
    done(null, out.subarray(0, length));
  }
}
