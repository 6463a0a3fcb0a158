import { createReadStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import path from 'node:path';

/** An append-only file with a record in each line. The memory of a program is these lines, applied in order. */
export interface Journal<Record> {
  /** Resolves once the record is on disk (fdatasync); rejects for ever after a failed write. */
  append(record: Record): Promise<void>;
  /** Resolves once everything appended so far is on disk. */
  durable(): Promise<void>;
  /**
   * Resolves with the error of the first write that fails. The memory then knows more than the file, so the program
   * has to end: the next start reads what the file has.
   */
  readonly broken: Promise<Error>;
  close(): Promise<void>;
}

const newline = 0x0a;

/** Calls `onLine` for each whole line; returns the length in bytes of the part made of whole lines. */
async function readWholeLines(file: string, onLine: (line: string) => void): Promise<number> {
  let rest = Buffer.alloc(0);
  let wholeBytes = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) {
    const bytes = Buffer.concat([rest, chunk]);
    let start = 0;
    let end = bytes.indexOf(newline);
    while (end !== -1) {
      onLine(bytes.toString('utf8', start, end));
      start = end + 1;
      end = bytes.indexOf(newline, start);
    }
    wholeBytes += start;
    rest = bytes.subarray(start);
  }
  return wholeBytes;
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Writes in batches: what is appended while one fdatasync runs goes to disk with the next. After a failed
 * write every later one fails too, since memory would know more than the file.
 */
function createWriter<Record>(handle: FileHandle): Journal<Record> {
  let waiting: string[] = [];
  let tail: Promise<void> = Promise.resolve();
  let scheduled: Promise<void> | null = null;
  const broken = Promise.withResolvers<Error>();

  async function flush(): Promise<void> {
    const batch = waiting.join('');
    waiting = [];
    scheduled = null;
    await handle.appendFile(batch);
    await handle.datasync();
  }

  function append(record: Record): Promise<void> {
    waiting.push(`${JSON.stringify(record)}\n`);
    if (scheduled === null) {
      scheduled = tail.then(flush);
      tail = scheduled;
      // Those that wait see the failure too. Without this, a promise that nobody waits for would be unhandled.
      tail.catch((error: unknown) => {
        broken.resolve(error instanceof Error ? error : new Error(String(error)));
      });
    }
    return scheduled;
  }

  return {
    append,
    broken: broken.promise,
    durable: () => tail,
    async close() {
      await tail.catch(() => undefined);
      await handle.close();
    },
  };
}

/**
 * Opens a journal, hands every record to `apply`, and returns it ready for appending. A last line without
 * its newline was never confirmed to a caller, so it is cut off. Any other unreadable line is damage, and throws.
 * @param what names the journal in the error
 */
export async function openJournal<Record>(
  what: string,
  file: string,
  apply: (line: unknown) => void,
): Promise<Journal<Record>> {
  const folder = path.dirname(file);
  await mkdir(folder, { recursive: true });
  const handle = await open(file, 'a', 0o600);
  try {
    await syncFolder(folder);
    let lineNumber = 0;
    const wholeBytes = await readWholeLines(file, (line) => {
      lineNumber += 1;
      try {
        apply(JSON.parse(line));
      } catch (error) {
        throw new Error(`The ${what} ${file} is damaged at line ${lineNumber}.`, { cause: error });
      }
    });
    await handle.truncate(wholeBytes);
    return createWriter(handle);
  } catch (error) {
    await handle.close();
    throw error;
  }
}
