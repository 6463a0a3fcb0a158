import type { PoolClient } from 'pg';
import { Prisma, type Payout } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { rows, type Queryable } from '../../db/pool.ts';
import type { BankScheme } from '../../providers/bank-connection.ts';

/** What one file can hold: payments of one connection, scheme and currency. */
export interface Queue {
  readonly connectionId: string;
  readonly scheme: BankScheme;
  /** ISO 4217. */
  readonly currency: string;
}

/** A queue with what waits in it. */
export interface WaitingQueue extends Queue {
  readonly count: number;
  /** Since when the first waits. */
  readonly oldest: Date;
}

const queuesOfConnection = named(
  'bank_queues',
  ['tenant', 'connection'],
  `
    SELECT w.connection_id AS "connectionId", w.scheme, w.currency, count(*)::integer AS count, min(w.since) AS oldest
    FROM bank_waiting w WHERE w.tenant_id = @tenant AND w.connection_id = @connection
    GROUP BY w.connection_id, w.scheme, w.currency ORDER BY w.scheme, w.currency`,
);

/** The queues of a connection in which something waits. */
export function findQueues(
  client: Queryable,
  { tenantId: tenant }: Scope,
  connection: string,
): Promise<WaitingQueue[]> {
  return rows<WaitingQueue>(
    client,
    queuesOfConnection,
    queuesOfConnection.of({ tenant, connection }),
  );
}

const takeWaiting = named(
  'take_bank_waiting',
  ['tenant', 'connection', 'scheme', 'currency', 'before', 'take'],
  `
    SELECT w.payout_id AS id FROM bank_waiting w
    WHERE w.tenant_id = @tenant AND w.connection_id = @connection AND w.scheme = @scheme AND w.currency = @currency
      AND (@before::timestamptz IS NULL OR w.since < @before::timestamptz)
    ORDER BY w.since, w.payout_id LIMIT @take
    FOR UPDATE SKIP LOCKED`,
);

/** The order of the beneficiaries first, as every command locks that commits attempts (disbursement/store.ts). */
const lockBeneficiaries = named(
  'lock_bank_beneficiaries',
  ['tenant', 'payouts'],
  `
    SELECT b.id FROM beneficiary b
    WHERE b.tenant_id = @tenant AND b.id IN (
      SELECT p.beneficiary_id FROM payout p WHERE p.tenant_id = @tenant AND p.id = ANY (@payouts::text[])
    )
    ORDER BY b.id FOR SHARE SKIP LOCKED`,
);

const lockPayouts = named(
  'lock_bank_payouts',
  ['tenant', 'payouts', 'beneficiaries'],
  `
    SELECT ${columns(Prisma.PayoutScalarFieldEnum, 'p')} FROM payout p
    WHERE p.tenant_id = @tenant AND p.id = ANY (@payouts::text[]) AND p.beneficiary_id = ANY (@beneficiaries::text[])
    ORDER BY p.id FOR NO KEY UPDATE SKIP LOCKED`,
);

const deleteWaiting = named(
  'delete_bank_waiting',
  ['tenant', 'payouts'],
  'DELETE FROM bank_waiting w WHERE w.tenant_id = @tenant AND w.payout_id = ANY (@payouts::text[])',
);

/**
 * Takes payouts out of a queue, the longest waiting first, with their rows and their beneficiaries locked. One
 * that another transaction works on at this moment stays in the queue: nobody waits for anybody here.
 *
 * @param before those that wait since before this instant; null for all
 */
export async function takeFromQueue(
  client: PoolClient,
  { tenantId: tenant }: Scope,
  { connectionId: connection, scheme, currency }: Queue,
  { before, take }: { readonly before: Date | null; readonly take: number },
): Promise<Payout[]> {
  const wanted = takeWaiting.of({ tenant, connection, scheme, currency, before, take });
  const waiting = await rows<{ id: string }>(client, takeWaiting, wanted);
  const payouts = waiting.map(({ id }) => id);
  const payees = await rows<{ id: string }>(
    client,
    lockBeneficiaries,
    lockBeneficiaries.of({ tenant, payouts }),
  );
  const beneficiaries = payees.map(({ id }) => id);
  const values = lockPayouts.of({ tenant, payouts, beneficiaries });
  const taken = await rows<Payout>(client, lockPayouts, values);
  const byId = new Map(taken.map((payout) => [payout.id, payout]));
  await rows(client, deleteWaiting, deleteWaiting.of({ tenant, payouts: [...byId.keys()] }));
  return payouts.flatMap((id) => byId.get(id) ?? []);
}
