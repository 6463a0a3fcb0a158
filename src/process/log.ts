import { pino, type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

/**
 * JSON lines on stdout. Only named fields are logged, never a body, a header or an error's input:
 * pino's redaction does not recurse, so what is not passed in cannot leak (invariant T2).
 */
export function createLog(level: string, service: string): Log {
  return pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    oncePerTurn(),
  );
}

/** Bytes after which lines are written at once, also within a turn. */
const bufferBytes = 8 * 1024;

let stdout: DestinationStream | undefined;

/**
 * Writes to stdout what was logged in one turn of the event loop with one call: under load a line is
 * a fraction of a system call. A process that is killed loses the lines of one turn, and one that
 * exits none.
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
      // Nobody reads the log any more: no reason to end the work.
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
