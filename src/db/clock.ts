import { firstRow, platformStatement, type Queryable } from './pool.ts';

/** What is told when the clock of the process goes wrong, and when it is right again. */
interface ClockLog {
  info(message: string): void;
  error(fields: object, message: string): void;
}

/**
 * The clock of this process, compared with the database's. What is stored is dated by the database; a process whose
 * own clock is wrong must not decide by it what is due.
 */
export interface ProcessClock {
  /**
   * Takes a reading of the database's clock that was asked for and answered at these times of the process's own. All
   * three are milliseconds since 1970. A slow answer is an uncertain reading.
   */
  note(sentAt: number, answeredAt: number, databaseAt: number): void;
  /** Reads the database's clock. */
  ask(client: Queryable): Promise<void>;
  /** How many seconds the process is ahead of the database at least; negative where it is behind, null before a reading. */
  aheadSeconds(): number | null;
  /** What is wrong, in words, or null. */
  problem(): string | null;
  /** The time of the database as far as it is known, else the process's own. */
  now(): Date;
  /** Calls `listener` each time the clock goes wrong or is right again; the function that is returned ends that. */
  onChange(listener: () => void): () => void;
}

/** The database's clock in milliseconds since 1970, as an expression. */
export const databaseClockSql = '(extract(epoch FROM clock_timestamp()) * 1000)::float8';

const readClock = platformStatement({
  name: 'database_clock',
  text: `SELECT ${databaseClockSql} AS at`,
});

/** @param toleranceMs milliseconds that the two clocks may differ */
export function createProcessClock(
  toleranceMs: number,
  log: ClockLog,
  processName: 'api' | 'worker',
): ProcessClock {
  const wrongClock =
    processName === 'worker'
      ? 'The clock is wrong. This worker starts no scheduled task.'
      : 'The clock is wrong.';
  const listeners = new Set<() => void>();
  /** Milliseconds that the process is ahead, and how far that may be from the truth. */
  let reading: { readonly aheadMs: number; readonly uncertainMs: number } | null = null;
  let wrong = false;

  /** The difference that is certain, in milliseconds. */
  function certainMs(): number {
    if (reading === null) return 0;
    const { aheadMs, uncertainMs } = reading;
    return Math.sign(aheadMs) * Math.max(0, Math.abs(aheadMs) - uncertainMs);
  }

  function describe(): string {
    const seconds = Math.round(Math.abs(certainMs()) / 1_000);
    return `the clock of this process is ${seconds} seconds ${certainMs() > 0 ? 'ahead of' : 'behind'} the database's`;
  }

  function judge(): void {
    const found = Math.abs(certainMs()) > toleranceMs;
    if (found === wrong) return;
    wrong = found;
    if (wrong) log.error({ problem: describe() }, wrongClock);
    else log.info('the clock is right again');
    for (const listener of listeners) listener();
  }

  const clock: ProcessClock = {
    note(sentAt, answeredAt, databaseAt) {
      reading = {
        aheadMs: (sentAt + answeredAt) / 2 - databaseAt,
        // The clock may have been set meanwhile, so that the answer seems to come before the question.
        uncertainMs: Math.abs(answeredAt - sentAt) / 2,
      };
      judge();
    },
    async ask(client) {
      const sentAt = Date.now();
      const row = await firstRow<{ at: number }>(client, readClock, []);
      if (row !== null) clock.note(sentAt, Date.now(), row.at);
    },
    aheadSeconds: () => (reading === null ? null : certainMs() / 1_000),
    problem: () => (wrong ? describe() : null),
    now: () => new Date(Date.now() - certainMs()),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return clock;
}
