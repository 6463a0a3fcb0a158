import { DatabaseError } from 'pg';

/** What Citus appends to the name of an index: the number of the shard. */
const shard = /_\d+$/;

/** Whether `error` violates the named unique index (SQLSTATE 23505), on Citus that of any shard. */
export function violatesUnique(error: unknown, index: string): boolean {
  if (!(error instanceof DatabaseError) || error.code !== '23505') return false;
  return error.constraint === index || error.constraint?.replace(shard, '') === index;
}

/** Whether PostgreSQL ended the transaction to resolve a deadlock (SQLSTATE 40P01). */
export function deadlocked(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '40P01';
}

const connectionCodes = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT']);

/**
 * Whether the connection was lost, so that the outcome of the statement is unknown: class 08
 * (connection exception), 57P01–57P03 (server shutting down), a socket error, or no answer in time.
 */
export function lostConnection(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return (
    code.startsWith('08') ||
    code.startsWith('57P0') ||
    connectionCodes.has(code) ||
    error.message.startsWith('Connection terminated') ||
    error.message === 'Query read timeout'
  );
}
