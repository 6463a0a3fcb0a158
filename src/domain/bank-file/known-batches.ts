import type { Scope } from '../../access/scope.ts';
import { named } from '../../db/named.ts';
import { rows, type Queryable } from '../../db/pool.ts';

/**
 * Files that are not recorded as sent although a worker or a person has begun to bring them. Others cannot be at the
 * bank.
 */
const onTheWay = `(b.status IN ('sending', 'unknown')
      OR (b.status = 'closed' AND (b.stagings > 0 OR cardinality(b.downloaded_by) > 0)))`;

const answered = named(
  'note_bank_batch_answer',
  ['tenant', 'batches', 'status'],
  `
    UPDATE bank_batch b SET status = @status, sent_at = coalesce(b.sent_at, clock.at), needs_operator = false,
      problem = NULL, updated_at = clock.at
    FROM (SELECT now() AS at) AS clock
    WHERE b.tenant_id = @tenant AND b.id = ANY (@batches::text[])
      AND (${onTheWay} OR (@status = 'rejected' AND b.status = 'sent'))`,
);

/**
 * Notes that a status report answers these files: the bank has them, whatever it says of their payments, so nobody
 * sends or uploads them again. One that refuses every payment ends them.
 */
export async function noteAnsweredBatches(
  client: Queryable,
  { tenantId: tenant }: Scope,
  batches: readonly string[],
  status: 'sent' | 'rejected',
): Promise<void> {
  await rows(client, answered, answered.of({ tenant, batches, status }));
}

/** In the order of their keys, as `lockShownBatches` locks them. */
const moved = named(
  'note_moved_bank_batches',
  ['tenant', 'connection'],
  `
    UPDATE bank_batch b SET status = 'sent', sent_at = coalesce(b.sent_at, clock.at), needs_operator = false,
      problem = NULL, updated_at = clock.at
    FROM (
      SELECT b.id FROM bank_batch b
      WHERE b.tenant_id = @tenant AND b.connection_id = @connection AND ${onTheWay} AND EXISTS (
        SELECT 1 FROM bank_payment m
        JOIN disbursement_attempt a ON a.tenant_id = m.tenant_id AND a.id = m.attempt_id
        WHERE m.tenant_id = @tenant AND m.batch_id = b.id
          AND (a.paid_told_at IS NOT NULL OR a.ended_told_at IS NOT NULL)
      )
      ORDER BY b.id FOR NO KEY UPDATE
    ) known, (SELECT now() AS at) AS clock
    WHERE b.tenant_id = @tenant AND b.id = known.id`,
);

/**
 * Notes that a bank has the files of which it paid, refused or returned a payment. Banks that send no status reports
 * tell it in no other way: a file of the ACH is answered by statements and returns alone.
 */
export async function noteMovedBatches(
  client: Queryable,
  { tenantId: tenant }: Scope,
  connection: string,
): Promise<void> {
  await rows(client, moved, moved.of({ tenant, connection }));
}
