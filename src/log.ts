import { pino, type Logger } from 'pino';

export type Log = Logger;

/**
 * JSON lines on stdout. Only named fields are logged, never a body, a header or an error's input:
 * pino's redaction does not recurse, so what is not passed in cannot leak (invariant T2).
 */
export function createLog(level: string, service: string): Log {
  return pino({
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  });
}
