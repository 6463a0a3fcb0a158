import type { PoolClient } from 'pg';
import { Prisma, type BankLine } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { firstRow, rows, type Queryable } from '../../db/pool.ts';
import { countedStatements } from './counted-statements.ts';
import type { LineDecision } from './match-line.ts';

const lineColumns = columns(Prisma.BankLineScalarFieldEnum, 'l');

const openLines = named(
  'open_bank_lines',
  ['tenant', 'file', 'take'],
  `
    SELECT ${lineColumns} FROM bank_line l
    WHERE l.tenant_id = @tenant AND l.file_id = @file AND l.match = 'open'
    ORDER BY l.direction DESC, l.id LIMIT @take FOR NO KEY UPDATE`,
);

/**
 * The next lines of a file that nothing was decided about, locked until the transaction ends: all debits before the first
 * credit, since a credit gives back a debit only where no other one was told.
 */
export function lockOpenLines(
  client: PoolClient,
  { tenantId: tenant }: Scope,
  file: string,
  take: number,
): Promise<BankLine[]> {
  return rows<BankLine>(client, openLines, openLines.of({ tenant, file, take }));
}

const differingBatches = named(
  'differing_bank_batches',
  ['tenant', 'connection', 'take'],
  `
    SELECT ${lineColumns} FROM bank_line l
    WHERE l.tenant_id = @tenant AND l.connection_id = @connection AND l.match = 'unmatched'
      AND l.doubt = 'batch_differs'
    ORDER BY l.id DESC LIMIT @take FOR NO KEY UPDATE`,
);

/** The latest lines of a connection that differ from the batch that they name, locked. */
export function lockDifferingBatches(
  client: PoolClient,
  { tenantId: tenant }: Scope,
  connection: string,
  take: number,
): Promise<BankLine[]> {
  return rows<BankLine>(
    client,
    differingBatches,
    differingBatches.of({ tenant, connection, take }),
  );
}

const waitingReturns = named(
  'waiting_bank_returns',
  ['tenant', 'connection', 'take'],
  `
    SELECT ${lineColumns} FROM bank_line l
    WHERE l.tenant_id = @tenant AND l.connection_id = @connection AND l.match = 'unmatched' AND l.doubt = 'no_debit'
      AND (EXISTS (
        SELECT 1 FROM bank_match d
        WHERE d.tenant_id = @tenant AND d.attempt_id = l.named_attempt AND d.kind = 'debit'
      ) OR EXISTS (
        SELECT 1 FROM bank_line n
        WHERE n.tenant_id = @tenant AND n.named_attempt = l.named_attempt AND n.direction = 'debit' AND NOT n.reversal
      ) OR EXISTS (
        SELECT 1 FROM bank_payment b JOIN payout p ON p.tenant_id = b.tenant_id AND p.id = b.payout_id
        WHERE b.tenant_id = @tenant AND b.attempt_id = l.named_attempt AND p.state = 'returned'
      ))
    ORDER BY l.id LIMIT @take FOR NO KEY UPDATE OF l`,
);

/** The credits of a connection that waited for a debit which was told since, locked. */
export function lockWaitingReturns(
  client: PoolClient,
  { tenantId: tenant }: Scope,
  connection: string,
  take: number,
): Promise<BankLine[]> {
  return rows<BankLine>(client, waitingReturns, waitingReturns.of({ tenant, connection, take }));
}

const setAside = named(
  'set_bank_line_aside',
  ['tenant', 'line'],
  `
    UPDATE bank_line l SET match = 'unmatched', doubt = 'not_applied'
    WHERE l.tenant_id = @tenant AND l.id = @line AND l.match IN ('open', 'unmatched')`,
);

/** Leaves a line to a person that cannot be applied, so that it does not keep its file from it. */
export async function writeAside(
  client: PoolClient,
  { tenantId: tenant }: Scope,
  line: string,
): Promise<void> {
  await rows(client, setAside, setAside.of({ tenant, line }));
}

const lineLocked = named(
  'bank_line_locked',
  ['tenant', 'line'],
  `
    SELECT ${lineColumns} FROM bank_line l
    WHERE l.tenant_id = @tenant AND l.id = @line FOR NO KEY UPDATE`,
);

/** A line of the scope's tenant, locked until the transaction ends, or null. */
export function lockLine(
  client: PoolClient,
  { tenantId: tenant }: Scope,
  line: string,
): Promise<BankLine | null> {
  return firstRow<BankLine>(client, lineLocked, lineLocked.of({ tenant, line }));
}

/** A line with what was decided about it. */
export interface Decided {
  readonly line: BankLine;
  readonly decision: LineDecision;
}

/** Who decided by hand. */
export interface ByHand {
  readonly explanation: string;
  readonly actionId: string;
}

const insertMatches = named(
  'insert_bank_matches',
  ['tenant', 'matches'],
  `
    INSERT INTO bank_match (
      tenant_id, attempt_id, kind, payout_id, connection_id, line_id, amount_minor, currency, booked_on, settles
    )
    SELECT @tenant, m.attempt, m.kind, m.payout, m.connection, m.line, m.amount, m.currency, m.booked_on,
      m.kind = 'debit'
    FROM jsonb_to_recordset(@matches::jsonb) AS m (
      attempt text, kind text, payout text, connection text, line text, amount bigint, currency text, booked_on text
    )
    ORDER BY m.attempt, m.kind`,
);

const endSettlement = named(
  'end_bank_settlement',
  ['tenant', 'attempts'],
  `
    UPDATE bank_match m SET settles = false
    WHERE m.tenant_id = @tenant AND m.attempt_id = ANY (@attempts::text[]) AND m.kind = 'debit' AND m.settles`,
);

const markLines = named(
  'mark_bank_lines',
  ['tenant', 'lines', 'explanation', 'action'],
  `
    UPDATE bank_line l SET match = d.match, doubt = d.doubt, named_attempt = d.named, matched_at = CASE WHEN d.match = 'unmatched' THEN NULL ELSE clock.at END,
      explanation = @explanation, action_id = @action::uuid
    FROM jsonb_to_recordset(@lines::jsonb) AS d (id text, match text, doubt text, named text),
      (SELECT now() AS at) AS clock
    WHERE l.tenant_id = @tenant AND l.id = d.id AND l.match IN ('open', 'unmatched')
    RETURNING l.id`,
);

/**
 * Writes what was decided about lines whose rows the transaction of `client` holds. Throws the violation of
 * `bank_match_pkey` where another transaction has matched one of the payments since they were read.
 */
export async function writeDecisions(
  client: PoolClient,
  { tenantId: tenant }: Scope,
  decided: readonly Decided[],
  byHand: ByHand | null = null,
): Promise<void> {
  const matches = decided.flatMap(({ line, decision }) =>
    decision.matches.map(({ payment, kind, bookedOn }) => ({
      attempt: payment.attemptId,
      kind,
      payout: payment.payoutId,
      connection: line.connectionId,
      line: line.id,
      amount: String(payment.amountMinor),
      currency: payment.currency,
      booked_on: bookedOn,
    })),
  );
  if (matches.length > 0) {
    await rows(
      client,
      insertMatches,
      insertMatches.of({ tenant, matches: JSON.stringify(matches) }),
    );
  }
  const returned = matches.filter(({ kind }) => kind === 'return').map(({ attempt }) => attempt);
  if (returned.length > 0) {
    await rows(client, endSettlement, endSettlement.of({ tenant, attempts: returned }));
  }
  const lines = decided.map(({ line, decision: { match, doubt, named: about } }) => ({
    id: line.id,
    match,
    doubt,
    named: about?.attemptId ?? null,
  }));
  const marked = await rows(
    client,
    markLines,
    markLines.of({
      tenant,
      lines: JSON.stringify(lines),
      explanation: byHand?.explanation ?? null,
      action: byHand?.actionId ?? null,
    }),
  );
  if (marked.length !== lines.length) throw new Error('a locked line was changed by another');
}

const explainLine = named(
  'explain_bank_line',
  ['tenant', 'line', 'explanation', 'action'],
  `
    UPDATE bank_line l SET match = 'explained', doubt = NULL, explanation = @explanation, action_id = @action::uuid
    WHERE l.tenant_id = @tenant AND l.id = @line AND l.match = 'unmatched'`,
);

/** Notes what an unmatched line is. */
export async function writeExplanation(
  client: PoolClient,
  { tenantId: tenant }: Scope,
  line: string,
  { explanation, actionId: action }: ByHand,
): Promise<void> {
  await rows(client, explainLine, explainLine.of({ tenant, line, explanation, action }));
}

const reportedThrough = named(
  'bank_balance_reported_through',
  ['tenant', 'connection', 'currency'],
  `
    SELECT max(s.closing_day) AS day FROM ${countedStatements} s
    WHERE s.connection_id = @connection AND s.currency = @currency`,
);

/**
 * The last day that a booked balance of the connection in a currency includes, `YYYY-MM-DD`; null before the first.
 */
export async function balanceReportedThrough(
  client: Queryable,
  { tenantId: tenant }: Scope,
  connection: string,
  currency: string,
): Promise<string | null> {
  const values = reportedThrough.of({ tenant, connection, currency });
  return (await firstRow<{ day: string | null }>(client, reportedThrough, values))?.day ?? null;
}
