import { codeOf, lostConnection, readOnlyServer, tooManyConnections } from './errors.ts';

/** The pool's messages when it got no connection in time. */
const poolMessages = [
  'timeout exceeded when trying to connect',
  'Cannot use a pool after calling end on the pool',
];

/** Prisma's codes for a database that cannot be reached or lends no connection. */
const prismaCodes = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2037']);

const serverCodes = new Set([tooManyConnections, readOnlyServer]);

const networkCodes = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/**
 * Whether the database could not be reached, had no free connection or takes no writes. Nothing is wrong with
 * the request, and it may be sent again. Whether a statement that was under way took effect is unknown.
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
