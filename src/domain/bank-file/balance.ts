import type { PoolClient } from 'pg';
import type { Scope } from '../../access/scope.ts';
import { named } from '../../db/named.ts';
import { firstRow, rows } from '../../db/pool.ts';
import { reportAccountBalance } from '../funding/store.ts';
import { bookFunding, lockBooks } from '../ledger/store.ts';
import { countedStatements } from './counted-statements.ts';
import type { StoredBankFile } from './file-store.ts';
import { takeStatementsAnew } from './stage-store.ts';

/** The closing balances of an applied file that are the newest of their connection and currency. */
const newestOfFile = named(
  'newest_bank_balances_of_file',
  ['tenant', 'file'],
  `
    SELECT DISTINCT ON (s.currency) s.currency, s.number, s.closing_day AS day
    FROM ${countedStatements} s
    WHERE s.file_id = @file AND NOT EXISTS (
      SELECT 1 FROM ${countedStatements} o
      WHERE o.connection_id = s.connection_id AND o.currency = s.currency AND o.closing_day > s.closing_day
    )
    ORDER BY s.currency, s.closing_day DESC, s.number DESC`,
);

/**
 * What the accounts of a tenant hold in a currency, and what the books say in the same snapshot: a payout that moves
 * meanwhile is in both or in neither. The accounts hold, of each connection, its newest closing balance, with what was
 * told of later days and is in the books already: less the debits of payouts and the fees, with their returns and what
 * came in. A payout that came back has moved by nothing, so its return counts only together with its debit: one that is in
 * the closing balance, or one of a later day, also where its amount differs and nothing is matched with it.
 */
const heldAtBanks = named(
  'held_at_banks',
  ['tenant', 'currency'],
  `
    SELECT (
      SELECT coalesce(sum(b.funds_minor), 0) FROM ledger_balance b
      WHERE b.tenant_id = @tenant AND b.currency = @currency
    )::bigint AS booked, sum(c.closing_minor - coalesce((
      SELECT sum(CASE l.direction WHEN 'debit' THEN l.amount_minor ELSE -l.amount_minor END)
      FROM bank_line l
      WHERE l.tenant_id = @tenant AND l.currency = @currency AND l.id IN (
        SELECT k.line_id FROM bank_match k
        WHERE k.tenant_id = @tenant AND k.connection_id = c.connection_id AND k.booked_on > c.closing_day
          AND EXISTS (
            SELECT 1 FROM ledger_entry e WHERE e.tenant_id = @tenant AND e.payout_id = k.payout_id
              AND e.kind = ANY (CASE k.kind WHEN 'debit' THEN ARRAY['disburse'] ELSE ARRAY['fail', 'return'] END)
          )
          AND (k.kind = 'debit' OR EXISTS (
            SELECT 1 FROM bank_match d
            WHERE d.tenant_id = @tenant AND d.attempt_id = k.attempt_id AND d.kind = 'debit'
          ) OR EXISTS (
            SELECT 1 FROM bank_line n
            WHERE n.tenant_id = @tenant AND n.match IN ('unmatched', 'explained')
              AND n.named_attempt = k.attempt_id AND n.direction = 'debit'
          ))
        UNION
        SELECT n.id FROM bank_match k
        JOIN bank_line n ON n.tenant_id = k.tenant_id AND n.named_attempt = k.attempt_id
        WHERE k.tenant_id = @tenant AND k.connection_id = c.connection_id AND k.booked_on > c.closing_day
          AND k.kind = 'return' AND n.connection_id = c.connection_id AND n.booked_on > c.closing_day
          AND n.direction = 'debit' AND NOT EXISTS (
            SELECT 1 FROM bank_match d
            WHERE d.tenant_id = @tenant AND d.attempt_id = k.attempt_id AND d.kind = 'debit'
          )
        UNION
        SELECT o.id FROM bank_line o
        WHERE o.tenant_id = @tenant AND o.connection_id = c.connection_id AND o.booked_on > c.closing_day
          AND o.match IN ('fee', 'funding')
      )
    ), 0))::bigint AS minor
    FROM (
      SELECT DISTINCT ON (s.connection_id) s.connection_id, s.closing_minor, s.closing_day
      FROM ${countedStatements} s
      JOIN bank_connection b ON b.tenant_id = @tenant AND b.id = s.connection_id
      WHERE s.currency = @currency AND b.status <> 'closed'
      ORDER BY s.connection_id, s.closing_day DESC, s.received_at DESC, s.number DESC
    ) c`,
);

interface HeldBalance {
  /** Minor units of the currency at the banks; null without a statement. */
  readonly minor: bigint | null;
  /** Minor units of the currency in the books. */
  readonly booked: bigint;
}

interface Difference {
  readonly currency: string;
  /** Minor units of `currency` that the banks hold more than the books say. */
  readonly difference: bigint;
  readonly source: string;
}

/** Books what the banks hold more, or less, than the books say. */
async function bookDifference(
  client: PoolClient,
  scope: Scope,
  { currency, difference, source }: Difference,
): Promise<void> {
  if (difference === 0n) return;
  const kind = difference > 0n ? 'funding' : 'withdrawal';
  const amount = difference > 0n ? difference : -difference;
  const { news } = await bookFunding(client, scope, { kind, amount, currency, source });
  if (!news) throw new Error(`the difference from ${source} is booked already`);
}

const markApplied = named(
  'mark_bank_file_applied',
  ['tenant', 'file'],
  `
    UPDATE bank_file f SET applied_at = now()
    WHERE f.tenant_id = @tenant AND f.id = @file AND f.status = 'read' AND f.applied_at IS NULL
    RETURNING f.reading`,
);

/**
 * Marks a file as applied and reports its closing balances, in the transaction of `client`: as the balance of the
 * funding account where that has the currency, and to the books, which book the difference. A statement that came
 * late, after one of a later day, reports nothing. False, and nothing changed, where the file was applied.
 */
export async function concludeFile(
  client: PoolClient,
  scope: Scope,
  { id: file, connectionId }: StoredBankFile,
): Promise<boolean> {
  const { tenantId: tenant } = scope;
  const values = markApplied.of({ tenant, file });
  const applied = await firstRow<{ reading: number }>(client, markApplied, values);
  if (applied === null) return false;
  const { reading } = applied;
  await takeStatementsAnew(client, scope, { file, reading }, connectionId);
  type Newest = { currency: string; number: number; day: string };
  const newest = await rows<Newest>(client, newestOfFile, newestOfFile.of({ tenant, file }));
  if (newest.length > 0) await lockBooks(client, scope);
  for (const { currency, number, day } of newest) {
    const held = await firstRow<HeldBalance>(
      client,
      heldAtBanks,
      heldAtBanks.of({ tenant, currency }),
    );
    const minor = held?.minor ?? null;
    if (held === null || minor === null) continue;
    await bookDifference(client, scope, {
      currency,
      difference: minor - held.booked,
      // A bank may give one id to the statements of several accounts, and to one that it corrects.
      source: `bank ${connectionId} ${currency} ${day} ${file} ${number} ${reading}`,
    });
    // An overdrawn account has nothing to pay from.
    const available = minor > 0n ? minor : 0n;
    await reportAccountBalance(client, scope, { currency, minor: available });
  }
  return true;
}
