import { Readable } from 'node:stream';
import type { ClientBase, Connection } from 'pg';
import { noAnswerLimitMs } from './pool.ts';

/** Rows are gathered in blocks of this size, which a longer row exceeds. */
const blockBytes = 65_536;

const carriageReturn = 0x0d;
const lineFeed = 0x0a;

/**
 * The bytes of a `COPY … TO STDOUT WITH (FORMAT csv)` in UTF-8, whose records end in CRLF (RFC 4180, section 2.1) where
 * PostgreSQL writes LF. It sends one message for each row ("COPY Operations" in its documentation of the protocol), so
 * the end of a message is the end of a record, and a line feed within a cell stays what it is. Rows are copied once, and
 * little is allocated for them: V8 lets 32 MB of buffers gather before it collects for their sake.
 */
export class CsvCopy extends Readable {
  /** Records that have arrived so far, with the header. */
  records = 0;
  /** By itself pg ends a COPY after the pool's limit for an answer, even while bytes arrive. */
  readonly query_timeout = noAnswerLimitMs;
  /** pg puts the end of its timer here. */
  declare callback?: () => void;

  readonly #statement: string;
  #connection: Connection | undefined;
  #block = Buffer.allocUnsafeSlow(blockBytes);
  /** What stands in the block from `#from` on, up to `#length`, is not yet handed on. */
  #from = 0;
  #length = 0;

  constructor(statement: string) {
    super({ highWaterMark: blockBytes });
    this.#statement = statement;
  }

  /** Called by pg when the connection is free for the statement. */
  submit(connection: Connection): void {
    this.#connection = connection;
    connection.query(this.#statement);
  }

  /** Called by pg for each row. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    if (this.destroyed) return;
    if (chunk.at(-1) !== lineFeed) {
      this.destroy(new Error('a message of the COPY is not one record'));
      return;
    }
    if (this.#from === this.#length) queueMicrotask(() => this.#handOn());
    const most = chunk.length + 1;
    if (this.#length + most > this.#block.length) {
      this.#handOn();
      this.#block = Buffer.allocUnsafeSlow(Math.max(blockBytes, most));
      this.#from = this.#length = 0;
    }
    this.#length += chunk.copy(this.#block, this.#length, 0, chunk.length - 1);
    this.#block[this.#length++] = carriageReturn;
    this.#block[this.#length++] = lineFeed;
    this.records += 1;
  }

  handleCommandComplete(): void {
    // The answer has ended when the connection is ready for the next statement.
  }

  handleReadyForQuery(): void {
    this.#handOn();
    this.push(null);
    this.#leaveConnection();
  }

  handleError(error: Error): void {
    this.destroy(error);
  }

  #handOn(): void {
    if (this.destroyed || this.#from === this.#length) return;
    const bytes = this.#block.subarray(this.#from, this.#length);
    this.#from = this.#length;
    if (!this.push(bytes)) this.#connection?.stream.pause();
  }

  override _read(): void {
    this.#connection?.stream.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.callback?.();
    this.#leaveConnection();
    done(error);
  }

  /** Whoever has the connection next waits for an answer behind what is left of this one, and paces it alone. */
  #leaveConnection(): void {
    this.#connection?.stream.resume();
    this.#connection = undefined;
  }
}

/** Begins a COPY on `client`, which is busy until the bytes have ended. */
export function copyCsv(client: ClientBase, statement: string): CsvCopy {
  return client.query(new CsvCopy(statement));
}
