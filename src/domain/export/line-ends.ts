import { Transform } from 'node:stream';

const quote = 0x22;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Turns the line ends of a CSV from PostgreSQL's LF into the CRLF of RFC 4180, section 2.1. A line
 * feed inside quotes is the cell's own and stays. A doubled quote toggles twice, so counting quotes
 * is enough, and UTF-8 uses none of the three bytes for anything else.
 */
export function windowsLineEnds(): Transform {
  let quoted = false;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const out = Buffer.allocUnsafe(chunk.length * 2); // no chunk has more than its bytes as line feeds
      let length = 0;
      for (const byte of chunk) {
        if (byte === quote) quoted = !quoted;
        else if (byte === lineFeed && !quoted) {
          out[length] = carriageReturn;
          length += 1;
        }
        out[length] = byte;
        length += 1;
      }
      done(null, out.subarray(0, length));
    },
  });
}
