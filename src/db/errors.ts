import { DatabaseError } from 'pg';
import { DatabaseAway } from './line.ts';

/** Citus carries out an INSERT of many rows as a COPY, whose errors it hands on without their SQLSTATE. */
const fromCopy = (error: DatabaseError): boolean =>
  error.code === 'XX000' && error.routine === 'ReportCopyError';

/**
 * Whether `error` violates the named unique index (SQLSTATE 23505), on Citus that of any shard. Citus appends the
 * number of the shard to the name, and hands on the message of a node without the field that names the index.
 */
export function violatesUnique(error: unknown, index: string): boolean {
  if (!(error instanceof DatabaseError)) return false;
  if (error.code !== '23505' && !fromCopy(error)) return false;
  if (error.constraint === index) return true;
  const named = error.constraint ?? /[a-z_0-9]+(?="$)/.exec(error.message)?.[0];
  return named?.replace(/_\d+$/, '') === index;
}

/** The DETAIL of an error that a function of ours raised with this SQLSTATE; null for every other error. */
export function raisedDetail(error: unknown, sqlState: string): string | null {
  if (!(error instanceof DatabaseError) || error.code !== sqlState) return null;
  return error.detail ?? '';
}

/** The SQLSTATE and the message of an error of the database; null for every other error. */
export function raisedCode(
  error: unknown,
): { readonly sqlState: string; readonly message: string } | null {
  if (!(error instanceof DatabaseError)) return null;
  return { sqlState: error.code ?? '', message: error.message };
}

/** Whether PostgreSQL ended the transaction to resolve a deadlock (SQLSTATE 40P01). */
export function deadlocked(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '40P01';
}

/** Whether a statement gave up waiting for a lock after its `lock_timeout` (SQLSTATE 55P03). */
export function lockedTooLong(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '55P03';
}

/** PostgreSQL has no connection left, for all roles or for this one. */
export const tooManyConnections = '53300';

/** A disk of the database is full. */
export const diskFull = '53100';

/** The database could not read or write a file. */
export const ioError = '58030';

/** The session points to a server that takes no writes: a standby, or a primary that was replaced. */
export const readOnlyServer = '25006';

/** What Prisma's errors keep of the error that the driver threw. */
interface PrismaMeta {
  readonly meta?: { readonly driverAdapterError?: { readonly cause?: { originalCode?: string } } };
}

/** PostgreSQL's code of an error (or Node's, of a socket), also where Prisma wrapped it; empty without one. */
export function codeOf(error: Error): string {
  const { meta } = error as PrismaMeta;
  const wrapped = meta?.driverAdapterError?.cause?.originalCode;
  if (wrapped !== undefined) return wrapped;
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

const connectionCodes = new Set(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT']);

/** PostgreSQL ended a session that stood idle within a transaction. */
const idleInTransaction = '25P03';

const lostMessages = [
  'Query read timeout',
  'timeout expired',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
];

/**
 * Whether the connection was lost, so that the outcome of the statement is unknown: class 08
 * (connection exception), 57P01–57P05 (the server ends the session or takes none), a socket error, a line
 * that was cut, or no answer in time.
 */
export function lostConnection(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return (
    error instanceof DatabaseAway ||
    code.startsWith('08') ||
    code.startsWith('57P0') ||
    code === idleInTransaction ||
    connectionCodes.has(code) ||
    error.message.startsWith('Connection terminated') ||
    lostMessages.includes(error.message)
  );
}

/**
 * Whether work failed for what it was to write, so that a repetition fails as well: data that a column does not take
 * (class 22), a constraint that it breaks (class 23), or a value that the code did not foresee.
 */
export function isOfContent(error: unknown): boolean {
  if (error instanceof DatabaseError) {
    return /^2[23]/.test(error.code ?? '') || fromCopy(error);
  }
  return error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
}
