import { writeSync } from 'node:fs';
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

/** Characters beyond which lines are written before the turn ends. */
const mostKept = 8 * 1024;

let stdout: DestinationStream | undefined;

/**
 * Writes the lines of one turn of the event loop with one system call, which is cheaper under load.
 * A process that is killed loses the lines of one turn; one that exits loses none.
 */
function oncePerTurn(): DestinationStream {
  if (stdout !== undefined) return stdout;
  let lines = '';
  let scheduled = false;
  const flush = (): void => {
    writeOut(lines);
    lines = '';
  };
  process.on('exit', flush);
  stdout = {
    write(line) {
      lines += line;
      if (lines.length >= mostKept) flush();
      if (scheduled) return;
      scheduled = true;
      setImmediate(() => {
        scheduled = false;
        flush();
      });
    },
  };
  return stdout;
}

/** Milliseconds between two attempts to write to a pipe that is full. */
const fullMs = 5;

/** Whether the last line that was written lacks its end. */
let torn = false;

/**
 * Writes to stdout and does not wait for the disk, where stdout is a file: that would stop the event loop.
 * A reader that is slow is waited for. What a full disk does not take is lost, and so is everything once the
 * reader has gone: neither is a reason to stop the work.
 */
function writeOut(text: string): void {
  const whole = Buffer.from(torn ? `\n${text}` : text);
  let rest = whole;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') {
        torn ||= rest.length < whole.length;
        return;
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, fullMs);
    }
  }
  torn = false;
}
