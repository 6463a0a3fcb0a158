import { lostConnection } from './errors.ts';

/** What the pool says when no connection was free, or none was made, in time. */
const poolMessages = [
  'timeout exceeded when trying to connect',
  'Cannot use a pool after calling end on the pool',
];

/** PostgreSQL has no connection left, for anybody or for this role. */
const tooManyConnections = '53300';

/** Prisma's codes for a database that cannot be reached or lends no connection. */
const prismaCodes = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2037']);

const networkCodes = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/**
 * Whether the database was away or had no connection to give: nothing is wrong with the request, and
 * it may be sent again. What a statement that was under way did is not known then, as after any
 * answer that did not come.
 */
export function unavailable(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { message } = error;
  const code = codeOf(error);
  return (
    lostConnection(error) ||
    code === tooManyConnections ||
    prismaCodes.has(code) ||
    networkCodes.has(code) ||
    poolMessages.includes(message)
  );
}
