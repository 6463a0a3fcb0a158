import type { BankConnection } from '../bank-connection/store.ts';
import { named } from '../../db/named.ts';
import { firstRow } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { isId } from '../../values/ids.ts';
import { fileProblems, type FileProblem } from './names.ts';
import { openConnection } from '../bank-connection/open.ts';
import { findConnection } from '../bank-connection/store.ts';

/** What is looked at, in the order in which a payment needs it. */
export const checkSteps = {
  details: 'Whether a file of each scheme can be written with what is known of the connection.',
  credentials: 'Whether what opens the way to the bank is stored.',
  reach: "Whether the worker reaches the bank's files. It looks each minute.",
  route: 'Whether a route leads to the connection.',
  make: 'Whether the latest files could be made.',
  send: 'Whether the latest file got to the bank.',
  read: 'Whether the latest file of the bank could be read.',
} as const;
export type CheckStep = keyof typeof checkSteps;

export const checkOutcomes = {
  passed: 'It works.',
  failed: 'It does not work. problem says why.',
  waiting: 'Nothing has shown it yet.',
  not_needed: 'The connection needs it not.',
} as const;
export type CheckOutcome = keyof typeof checkOutcomes;

/** One step of a connection, and what is known of it. */
export interface ConnectionCheck {
  readonly step: CheckStep;
  readonly outcome: CheckOutcome;
  /** One sentence for each thing that is wrong. */
  readonly problems: readonly string[];
  /** Since when, or when it was seen last. */
  readonly at: Date | null;
}

/** What the tables have of a connection's steps: the latest of each. */
interface Stored {
  readonly fetchedAt: Date | null;
  readonly fetchProblem: string | null;
  readonly fetchProblemSince: Date | null;
  readonly makeProblem: string | null;
  readonly routes: number;
  readonly batchStatus: string | null;
  readonly batchProblem: string | null;
  readonly batchAt: Date | null;
  readonly fileStatus: string | null;
  readonly fileProblem: FileProblem | null;
  readonly fileAt: Date | null;
}

const stored = named(
  'bank_connection_checks',
  ['tenant', 'connection'],
  `
    SELECT f.fetched_at AS "fetchedAt", f.problem AS "fetchProblem", f.problem_since AS "fetchProblemSince",
      s.problem AS "makeProblem", r.routes, b.status AS "batchStatus", b.problem AS "batchProblem", b.at AS "batchAt",
      i.status AS "fileStatus", i.problem AS "fileProblem", i.received_at AS "fileAt"
    FROM bank_connection c
    LEFT JOIN bank_fetch f ON f.tenant_id = c.tenant_id AND f.connection_id = c.id
    LEFT JOIN bank_sequence s ON s.tenant_id = c.tenant_id AND s.connection_id = c.id
    CROSS JOIN LATERAL (
      SELECT count(*)::integer AS routes FROM payout_route o
      WHERE o.tenant_id = c.tenant_id AND o.connection_id = c.id
    ) r
    LEFT JOIN LATERAL (
      SELECT o.status, o.problem, coalesce(o.sent_at, o.closed_at) AS at FROM bank_batch o
      WHERE o.tenant_id = c.tenant_id AND o.connection_id = c.id ORDER BY o.id DESC LIMIT 1
    ) b ON true
    LEFT JOIN LATERAL (
      SELECT o.status, o.problem, o.received_at FROM bank_file o
      WHERE o.tenant_id = c.tenant_id AND o.connection_id = c.id AND o.status <> 'dismissed' ORDER BY o.id DESC LIMIT 1
    ) i ON true
    WHERE c.tenant_id = @tenant AND c.id = @connection`,
);

const problemsOf = (problem: string | null): readonly string[] =>
  problem === null ? [] : [problem];

function check(
  step: CheckStep,
  outcome: CheckOutcome,
  problems: readonly string[] = [],
  at: Date | null = null,
): ConnectionCheck {
  return { step, outcome, problems, at };
}

async function detailsOf(call: Call, row: BankConnection): Promise<ConnectionCheck> {
  const facts = openConnection(call, row);
  const found = await Promise.all(
    facts.schemes.map((scheme) => call.services.providers.fileFaults(facts, scheme)),
  );
  const problems = [...new Set(found.flat().map(({ message }) => message))];
  return check('details', problems.length === 0 ? 'passed' : 'failed', problems);
}

function reachOf(
  { transport, status }: BankConnection,
  { fetchedAt, fetchProblem, fetchProblemSince }: Stored,
): ConnectionCheck {
  if (transport === 'manual') return check('reach', 'not_needed');
  if (fetchProblem !== null) return check('reach', 'failed', [fetchProblem], fetchProblemSince);
  const isSeen = fetchedAt !== null && status === 'active';
  return check('reach', isSeen ? 'passed' : 'waiting', [], fetchedAt);
}

function sendOf({ batchStatus, batchProblem, batchAt }: Stored): ConnectionCheck {
  const isBad = batchStatus === 'unknown' || batchStatus === 'rejected' || batchProblem !== null;
  if (isBad) return check('send', 'failed', problemsOf(batchProblem), batchAt);
  return check('send', batchStatus === 'sent' ? 'passed' : 'waiting', [], batchAt);
}

function readOf({ fileStatus, fileProblem, fileAt }: Stored): ConnectionCheck {
  if (fileStatus === 'unreadable') {
    return check('read', 'failed', fileProblem === null ? [] : [fileProblems[fileProblem]], fileAt);
  }
  return check('read', fileStatus === 'read' ? 'passed' : 'waiting', [], fileAt);
}

/**
 * Says of each step of a connection whether it works, by what the worker has seen last; the details are tried in memory
 * at once. Nobody is called. Throws not_found.
 */
export async function checkConnection(
  call: Call,
  connectionId: string,
): Promise<readonly ConnectionCheck[]> {
  const { scope, services } = call;
  const isOne = isId('bankConnection', connectionId);
  const row = isOne ? await findConnection(services.pool, scope, connectionId) : null;
  const values = stored.of({ tenant: scope.tenantId, connection: connectionId });
  const known =
    row === null
      ? null
      : await firstRow<Stored & Record<string, unknown>>(services.pool, stored, values);
  if (row === null || known === null) {
    throw new DomainError('not_found', { message: 'The bank connection does not exist.' });
  }
  const needsCredentials = row.transport === 'sftp' && scope.environment === 'production';
  const hasCredentials = row.credentialsCiphertext !== null ? 'passed' : 'failed';
  return [
    await detailsOf(call, row),
    check('credentials', needsCredentials ? hasCredentials : 'not_needed'),
    reachOf(row, known),
    check('route', known.routes > 0 ? 'passed' : 'waiting'),
    known.makeProblem === null
      ? check('make', known.batchStatus === null ? 'waiting' : 'passed', [], known.batchAt)
      : check('make', 'failed', [known.makeProblem]),
    sendOf(known),
    readOf(known),
  ];
}
