import { pino, type DestinationStream, type Logger } from 'pino';
import { toText } from './log-text.ts';

export type Log = Logger;

/** `json` for machines, `text` for people. */
export type LogFormat = 'json' | 'text';

/**
 * Lines on stdout, of JSON or readable. Callers pass named fields only, never a body, a header or an error's input:
 * secrets and account numbers must not reach the log, and pino's redaction does not recurse.
 */
export function createLog(level: string, service: string, format: LogFormat = 'json'): Log {
  return pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    format === 'json' ? oncePerTurn() : readable(oncePerTurn()),
  );
}

const readable = (lines: DestinationStream): DestinationStream => ({
  write: (line) => lines.write(toText(line)),
});

/** Buffered bytes beyond which lines are written before the turn ends. */
const bufferBytes = 8 * 1024;

let stdout: DestinationStream | undefined;

/**
 * Writes the lines of one turn of the event loop with one system call, which is cheaper under load.
 * A process that is killed loses the lines of one turn; one that exits loses none.
 */
function oncePerTurn(): DestinationStream {
  if (stdout !== undefined) return stdout;
  const buffer = pino.destination({ fd: 1, sync: true, minLength: bufferBytes });
  let scheduled = false;
  const flush = (): void => {
    scheduled = false;
    try {
      buffer.flushSync();
    } catch (error) {
      // The reader of the log has gone, which is no reason to stop the work.
      if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
    }
  };
  process.on('exit', flush);
  stdout = {
    write(line) {
      buffer.write(line);
      if (scheduled) return;
      scheduled = true;
      setImmediate(flush);
    },
  };
  return stdout;
}
