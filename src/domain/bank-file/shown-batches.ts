import type { PoolClient } from 'pg';
import type { BankLine } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { named } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';

const lockBatches = named(
  'lock_bank_batches_of_messages',
  ['tenant', 'connection', 'messages'],
  `
    SELECT b.id FROM bank_batch b
    WHERE b.tenant_id = @tenant AND b.connection_id = @connection AND b.message_id = ANY (@messages::text[])
    ORDER BY b.id FOR NO KEY UPDATE`,
);

const shownBatches = named(
  'shown_bank_batches',
  ['tenant', 'connection', 'messages', 'days'],
  `
    SELECT m.id AS "messageId", l.booked_on AS "bookedOn"
    FROM bank_line l CROSS JOIN LATERAL unnest(l.batch_ids) AS m (id)
    WHERE l.tenant_id = @tenant AND l.connection_id = @connection AND l.match = 'payout'
      AND l.booked_on = ANY (@days::text[])
      AND m.id = ANY (@messages::text[])`,
);

/** A batch, by its message id, that a line of a day shows as a whole. */
export const shownOn = (messageId: string, day: string | null): string =>
  `${messageId} ${day ?? ''}`;

/**
 * The batches of these messages that matched lines show as a whole on a day of `lines`, by `shownOn`.
 *
 * A line whose payments all have their debits leaves no row in `bank_match`, so only its own match tells that the
 * batch was shown. The batches stay locked until the transaction ends: of two lines that are decided about at the
 * same moment, the later one finds the earlier.
 */
export async function lockShownBatches(
  client: PoolClient,
  { tenantId: tenant }: Scope,
  connection: string,
  messages: readonly string[],
  lines: readonly BankLine[],
): Promise<Set<string>> {
  if (messages.length === 0) return new Set();
  const days = [...new Set(lines.flatMap(({ bookedOn }) => bookedOn ?? []))];
  await rows(client, lockBatches, lockBatches.of({ tenant, connection, messages }));
  const found = await rows<{ messageId: string; bookedOn: string }>(
    client,
    shownBatches,
    shownBatches.of({ tenant, connection, messages, days }),
  );
  return new Set(found.map(({ messageId, bookedOn }) => shownOn(messageId, bookedOn)));
}
