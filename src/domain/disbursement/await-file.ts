import type { Payout } from '../../../generated/prisma/client.ts';
import { named } from '../../db/named.ts';
import { firstRow } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { connectionOfProvider, type BankScheme } from '../../providers/bank-connection.ts';
import type { FileRail } from '../../providers/port.ts';

/**
 * The row only finds the payout: whether it goes into the file is judged when the file is made. It is written
 * under the lock of the payout, so a cancel or a hold comes before it or finds the row.
 */
const insertWaiting = named(
  'await_bank_file',
  ['tenant', 'payout', 'connection', 'scheme'],
  `
    WITH ready AS (
      SELECT p.id, p.currency FROM payout p
      WHERE p.tenant_id = @tenant AND p.id = @payout AND p.state = 'approved' AND p.live_attempt_id IS NULL
      FOR NO KEY UPDATE
    )
    INSERT INTO bank_waiting AS w (tenant_id, payout_id, connection_id, scheme, currency)
    SELECT @tenant, r.id, @connection, @scheme, r.currency FROM ready r
    ON CONFLICT (tenant_id, payout_id) DO UPDATE
      SET connection_id = excluded.connection_id, scheme = excluded.scheme, currency = excluded.currency
    RETURNING w.payout_id`,
);

/** Lets an approved and enrolled payout wait for the next file of a connection, which a job of its own makes. */
export async function awaitFile(
  { services, scope }: Call,
  payout: Payout,
  { rail, scheme }: { readonly rail: FileRail; readonly scheme: BankScheme | null },
): Promise<void> {
  const values = insertWaiting.of({
    tenant: scope.tenantId,
    payout: payout.id,
    connection: connectionOfProvider(rail.name),
    scheme,
  });
  await firstRow(services.pool, insertWaiting, values);
}
