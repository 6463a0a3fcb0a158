import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { databaseClockSql, type ProcessClock } from './clock.ts';
import { tooManyConnections } from './errors.ts';
import type { DatabaseLine } from './line.ts';

/** Pause between two questions. With the wait for an answer it is how long an outage goes unnoticed. */
const betweenMs = 400;
/** Unnoticed time of the event loop does not count as silence of the database. */
const tickMs = 50;

const question = `SELECT current_setting('transaction_read_only') = 'on' AS "readOnly", ${databaseClockSql} AS at`;

/** What is wrong with a database, in words that may be told to anybody who asks. */
const problems = {
  silent: 'the database does not answer',
  refuses: 'the database cannot be reached',
  readOnly: 'the database is read-only',
} as const;
type Problem = keyof typeof problems;

class Silence extends Error {}

/** Told when the database goes away, with the reason, and with null when it is back. */
type Listener = (problem: string | null) => void;

export interface DatabaseWatch {
  /** Begins to ask. Until then the database counts as there. */
  start(): void;
  /** Why the database cannot be used now, or null. Asks nobody. */
  problem(): string | null;
  /** Calls `listener` at each change; the function that is returned ends that. */
  onChange(listener: Listener): () => void;
  stop(): Promise<void>;
}

/** What a watch tells of. */
interface WatchLog {
  info(message: string): void;
  error(fields: object, message: string): void;
}

interface WatchOptions {
  readonly url: string;
  /** What PostgreSQL lists the connection under. */
  readonly applicationName: string;
  /** Milliseconds without an answer after which the database counts as away. */
  readonly silenceMs: number;
  readonly line: DatabaseLine;
  readonly log: WatchLog;
  /** Is told the database's time with each answer. */
  readonly clock?: Pick<ProcessClock, 'note'>;
}

/**
 * Waits for `answer`, but not for longer than `ms`. The time is counted in turns of the event loop: a process
 * that was stopped, or is busy itself, does not take its own silence for the database's.
 */
async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  let answered = false;
  const done = answer.finally(() => {
    answered = true;
  });
  const silence = async (): Promise<never> => {
    for (let passed = 0; passed < ms && !answered; passed += tickMs) await pause(tickMs);
    throw new Silence();
  };
  return Promise.race([done, silence()]);
}

/** PostgreSQL has no connection left for a further question; it lives. */
const isFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === tooManyConnections;

/**
 * Asks the database twice a second, on a connection of its own, whether it lives and takes writes, and what time it is. If it does
 * not, the line is cut, and each half second a new connection is tried; the first that is answered well opens
 * the line. A statement may take long on a database that lives; on one that is silent it ends here.
 */
export function createWatch(options: WatchOptions): DatabaseWatch {
  const { line, log, silenceMs } = options;
  const listeners = new Set<Listener>();
  const ended = new AbortController();
  let problem: Problem | null = null;
  let session: { readonly client: Client; readonly socket: Socket } | null = null;
  let running: Promise<void> = Promise.resolve();

  function hangUp(): void {
    // Not `client.end()`, which waits for a server that may be silent.
    session?.socket.destroy();
    session = null;
  }

  async function connect(): Promise<Client> {
    const socket = new Socket();
    const client = new Client({
      connectionString: options.url,
      application_name: options.applicationName,
      stream: () => socket,
    });
    // Without a listener, a connection that breaks between two questions would end the process.
    client.on('error', () => undefined);
    session = { client, socket };
    await client.connect();
    return client;
  }

  async function ask(): Promise<Problem | null> {
    const asked = async () => {
      const client = session?.client ?? (await connect());
      const sentAt = Date.now();
      const { rows } = await client.query<{ readOnly: boolean; at: number }>(question);
      if (rows[0] !== undefined) options.clock?.note(sentAt, Date.now(), rows[0].at);
      return rows[0]?.readOnly === true ? 'readOnly' : null;
    };
    return within(silenceMs, asked());
  }

  /** What is wrong with the database. A session that was cut is replaced before that is judged. */
  async function look(): Promise<Problem | null> {
    for (let fresh = session === null; ; fresh = true) {
      try {
        const found = await ask();
        if (found !== null) hangUp();
        return found;
      } catch (error) {
        hangUp();
        if (isFull(error)) return null;
        if (error instanceof Silence) return 'silent';
        if (!fresh) continue;
        const message = error instanceof Error ? error.message : 'unknown';
        if (problem === null) log.error({ message }, 'the database refuses a connection');
        return 'refuses';
      }
    }
  }

  function judge(found: Problem | null): void {
    const changed = (found === null) !== (problem === null);
    problem = found;
    if (!changed) return;
    if (found === null) {
      line.open();
      log.info('the database is back');
    } else {
      line.cut(problems[found]);
      log.error({ reason: problems[found] }, 'the database is away');
    }
    for (const listener of listeners) listener(found === null ? null : problems[found]);
  }

  async function watch(): Promise<void> {
    const { signal } = ended;
    for (let wait = 0; ;) {
      await pause(wait, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) break;
      const wasThere = problem === null;
      judge(await look());
      // A session that fell silent may have lost its server: another connection may reach the new one.
      wait = wasThere && problem !== null ? 0 : betweenMs;
    }
    hangUp();
  }

  return {
    start() {
      running = watch();
    },
    problem: () => (problem === null ? null : problems[problem]),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async stop() {
      ended.abort();
      await running;
    },
  };
}
