import {
  codeOf,
  diskFull,
  ioError,
  lostConnection,
  readOnlyServer,
  tooManyConnections,
} from './errors.ts';

/** The pool's messages when it got no connection in time. */
const poolMessages = [
  'timeout exceeded when trying to connect',
  'Cannot use a pool after calling end on the pool',
];

/** Prisma's codes for a database that cannot be reached or lends no connection. */
const prismaCodes = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2037']);

/**
 * Of the classes 53 (insufficient resources) and 58 (errors outside of PostgreSQL) those that pass when somebody makes
 * room or mends a disk. A limit of the configuration (53400) and a file that is missing (58P01) do not pass, and what
 * is too large or too complex (class 54) is a fault of the service.
 */
const serverCodes = new Set([
  '53000',
  diskFull,
  '53200', // out of memory
  tooManyConnections,
  readOnlyServer,
  '58000', // an error of the system
  ioError,
]);

const networkCodes = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/**
 * Whether the database could not be reached, had no free connection, has no room or takes no writes. Nothing is wrong with
 * the request, and it may be sent again. Whether a statement that was under way took effect is unknown where the
 * connection was lost (`lostConnection`); an error that the server tells, also one of COMMIT, undid the transaction.
 */
export function unavailable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { message } = error;
  const code = codeOf(error);
  return (
    lostConnection(error) ||
    serverCodes.has(code) ||
    prismaCodes.has(code) ||
    networkCodes.has(code) ||
    poolMessages.includes(message)
  );
}
