import type { Pool } from 'pg';
import { diskFull, ioError } from './errors.ts';
import { inTransaction, platformStatement, rows } from './pool.ts';

/** What is told when there is no room, and when there is again. */
interface RoomLog {
  info(message: string): void;
  error(fields: object, message: string): void;
}

/** Whether the database has room for what is written. */
export interface DiskSpace {
  /** Is told the code of each error of the server. One that says that a disk is full is believed until a trial succeeds. */
  note(code: string | undefined): void;
  /** What is wrong, in words, or null. Asks nobody. */
  problem(): string | null;
  /** Calls `listener` at each change; the function that is returned ends that. */
  onChange(listener: (problem: string | null) => void): () => void;
  stop(): void;
}

const problemText = 'the database has no room to write';

/** Pause between two trials. */
const betweenMs = 1_000;

/** Rows that fill this many pages: a few free ones prove nothing. */
const fillPages = platformStatement({
  name: 'fill_pages',
  text: `INSERT INTO write_probe (filler) SELECT repeat('x', 7000) FROM generate_series(1, 16)`,
});

class TakenBack extends Error {}

/** Writes some pages and takes them back. Rejects where there is no room for them. */
export async function tryRoom(pool: Pool): Promise<void> {
  try {
    await inTransaction(pool, async (client) => {
      await rows(client, fillPages, []);
      throw new TakenBack();
    });
  } catch (error) {
    if (!(error instanceof TakenBack)) throw error;
  }
}

/**
 * @param trial writes something and takes it back; it is made once a second while there is no room, and never before
 */
export function createRoom(trial: () => Promise<void>, log: RoomLog): DiskSpace {
  const listeners = new Set<(problem: string | null) => void>();
  let timer: NodeJS.Timeout | undefined;
  let full = false;
  let stopped = false;

  function become(next: boolean): void {
    full = next;
    if (full) log.error({ reason: problemText }, 'the database cannot write: a disk of it is full');
    else log.info('the database has room again');
    for (const listener of listeners) listener(full ? problemText : null);
  }

  function tryLater(): void {
    timer = setTimeout(() => {
      void trial().then(
        () => {
          if (!stopped) become(false);
        },
        () => {
          if (!stopped) tryLater();
        },
      );
    }, betweenMs).unref();
  }

  return {
    note(code) {
      if (full || stopped || (code !== diskFull && code !== ioError)) return;
      become(true);
      tryLater();
    },
    problem: () => (full ? problemText : null),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
