import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** How slowly a file may be taken. */
export interface Pace {
  /** Milliseconds in which a reader must have taken `leastBytes`. */
  readonly everyMs: number;
  readonly leastBytes: number;
  /** Milliseconds after which the answer is cut however fast its reader is. */
  readonly totalMs: number;
}

/**
 * Of a file that is made while it is sent: it holds one of few database connections and a snapshot,
 * and a job can write the file for a caller that cannot take it so fast.
 */
export const streamedPace: Pace = { everyMs: 30_000, leastBytes: 65_536, totalMs: 600_000 };

/** Why a file was cut: its reader was below the pace, or the total time was over. */
export class TooSlow extends Error {
  constructor() {
    super('the file was taken too slowly');
  }
}

/** Bytes that the connection has taken so far, of this answer and those before it. */
function bytesTaken({ socket }: ServerResponse): number {
  return socket === null ? 0 : socket.bytesWritten - socket.writableLength;
}

/**
 * Sends a file as fast as it is taken, and cuts it where that is below the pace. A file that is made
 * slowly is not its reader's fault: only a reader for whom bytes lie ready can be too slow.
 * @throws TooSlow, and what the file or the connection fails with
 */
export async function sendAtPace(
  response: ServerResponse,
  file: Readable,
  { everyMs, leastBytes, totalMs }: Pace,
): Promise<void> {
  const slow = new AbortController();
  const cut = () => slow.abort();
  let before = bytesTaken(response);
  const beat = setInterval(() => {
    const now = bytesTaken(response);
    // A file that was read to its end holds nothing but memory any more.
    if (now - before < leastBytes && response.writableNeedDrain && !file.readableEnded) cut();
    before = now;
  }, everyMs);
  const end = setTimeout(cut, totalMs);
  try {
    await pipeline(file, response, { signal: slow.signal });
  } catch (error) {
    throw slow.signal.aborted ? new TooSlow() : error;
  } finally {
    clearInterval(beat);
    clearTimeout(end);
  }
}
