import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** The least speed at which a caller must take a download. */
export interface DownloadPace {
  /** Milliseconds in which a reader must have taken `leastBytes`. */
  readonly everyMs: number;
  readonly leastBytes: number;
  /** Milliseconds after which the answer is cut however fast its reader is. */
  readonly totalMs: number;
}

/**
 * For a file that is made while it is sent: it holds a database connection and a snapshot. A caller
 * that is slower can have a job write the file.
 */
export const streamedPace: DownloadPace = { everyMs: 30_000, leastBytes: 65_536, totalMs: 600_000 };

/** Thrown when a download is cut: its reader was too slow, or the total time was over. */
export class TooSlow extends Error {
  constructor() {
    super('the caller read the file too slowly');
  }
}

/** Bytes that the connection has taken so far, of this answer and those before it. */
function bytesTaken({ socket }: ServerResponse): number {
  return socket === null ? 0 : socket.bytesWritten - socket.writableLength;
}

/**
 * Sends a file, and cuts it when its reader is slower than the pace. A reader is too slow only while
 * bytes are ready for it: a file that is made slowly is not its fault.
 * @throws TooSlow, and what the file or the connection fails with
 */
export async function sendAtPace(
  response: ServerResponse,
  file: Readable,
  { everyMs, leastBytes, totalMs }: DownloadPace,
): Promise<void> {
  const slow = new AbortController();
  const cut = () => slow.abort();
  let before = bytesTaken(response);
  const beat = setInterval(() => {
    const now = bytesTaken(response);
    // A file that was read to its end holds only memory, so that its reader may be slow.
    if (now - before < leastBytes && response.writableNeedDrain && !file.readableEnded) cut();
    before = now;
  }, everyMs);
  const end = setTimeout(cut, totalMs);
  try {
    await pipeline(file, response, { signal: slow.signal });
  } catch (error) {
    throw slow.signal.aborted ? new TooSlow() : error;
  } finally {
    // A pipeline to an answer that has ended already leaves the file, and what it holds, as it is.
    file.destroy();
    clearInterval(beat);
    clearTimeout(end);
  }
}
