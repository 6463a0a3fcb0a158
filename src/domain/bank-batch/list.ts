import { Prisma, type BankPayment } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { batchWindow } from '../../values/bank-days/cut-off.ts';
import { isId } from '../../values/ids.ts';
import { openConnection } from '../bank-connection/open.ts';
import { findConnections } from '../bank-connection/store.ts';
import { inAskedOrder, mostChildren } from '../children.ts';
import type { PageRange } from '../page-range.ts';
import { batchColumns, findBatch, type StoredBatch } from './store.ts';

type Direction = 'ASC' | 'DESC';

const batches = (direction: Direction) =>
  named(
    `bank_batches_${direction}`,
    ['tenant', 'connection', 'low', 'high', 'take'],
    `
    SELECT ${batchColumns} FROM bank_batch b
    WHERE b.tenant_id = @tenant AND (@connection::text IS NULL OR b.connection_id = @connection)
      AND b.id > @low AND (@high::text IS NULL OR b.id < @high)
    ORDER BY b.id ${direction} LIMIT @take`,
  );

const pages = { ASC: batches('ASC'), DESC: batches('DESC') };

/** Reads a range of the tenant's batches, newest first; backwards, oldest first. */
export function readBatches(
  { services, scope }: Call,
  connection: string | null,
  { after, before, take, backwards }: PageRange,
): Promise<StoredBatch[]> {
  const statement = pages[backwards ? 'ASC' : 'DESC'];
  const bounds = { low: before ?? '', high: after };
  const values = statement.of({ tenant: scope.tenantId, connection, ...bounds, take });
  return rows(services.pool, statement, values);
}

/** One batch of the tenant; null for an id of none, however it is written. */
export const readBatch = async (
  { services, scope }: Call,
  id: string,
): Promise<StoredBatch | null> =>
  isId('bankBatch', id) ? findBatch(services.pool, scope, id) : null;

/** Payments of a batch behind a place in its file. */
export interface PaymentsOf {
  readonly batchId: string;
  /** From 1; 0 for the beginning. */
  readonly after: number;
}

const paymentsOfBatches = named(
  'bank_payments_of_batches',
  ['tenant', 'batches', 'after'],
  `
    SELECT g.asked::integer AS asked, l.*
    FROM unnest(@batches::text[], @after::integer[]) WITH ORDINALITY AS g (batch, after, asked)
    CROSS JOIN LATERAL (
      SELECT ${columns(Prisma.BankPaymentScalarFieldEnum, 'm')} FROM bank_payment m
      WHERE m.tenant_id = @tenant AND m.batch_id = g.batch AND m.position > g.after
      ORDER BY m.position LIMIT ${mostChildren}
    ) l
    ORDER BY l.position`,
);

/** The payments of some batches, at most a hundred of each, in the order of the file. */
export async function readPayments(
  { services, scope }: Call,
  asked: readonly PaymentsOf[],
): Promise<BankPayment[][]> {
  const values = paymentsOfBatches.of({
    tenant: scope.tenantId,
    batches: asked.map(({ batchId }) => batchId),
    after: asked.map(({ after }) => after),
  });
  type Row = BankPayment & { readonly asked: number };
  return inAskedOrder(await rows<Row>(services.pool, paymentsOfBatches, values), asked);
}

/** What waits for a file, and when the next one is made. */
export interface BankQueue {
  readonly connectionId: string;
  readonly scheme: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly payoutCount: number;
  /** Minor units of `currency`. */
  readonly amountMinor: bigint;
  /** Since when the first payout waits. */
  readonly oldest: Date;
  readonly closesAt: Date;
  /** `YYYY-MM-DD`. */
  readonly executionDate: string;
  /** Why no file could be made at the latest cut-off. */
  readonly problem: string | null;
}

const queues = named(
  'bank_queues_of_tenant',
  ['tenant'],
  `
    SELECT w.connection_id AS "connectionId", w.scheme, w.currency, count(*)::integer AS "payoutCount",
      sum(p.amount_minor)::bigint AS "amountMinor", min(w.since) AS oldest, s.problem
    FROM bank_waiting w
    JOIN payout p ON p.tenant_id = w.tenant_id AND p.id = w.payout_id
    LEFT JOIN bank_sequence s ON s.tenant_id = w.tenant_id AND s.connection_id = w.connection_id
    WHERE w.tenant_id = @tenant AND p.state = 'approved' AND p.live_attempt_id IS NULL
    GROUP BY w.connection_id, w.scheme, w.currency, s.problem
    ORDER BY w.connection_id, w.scheme, w.currency`,
);

/** The queues of the tenant in which something waits. */
export async function readQueues(call: Call): Promise<BankQueue[]> {
  const { services, scope } = call;
  type Row = Omit<BankQueue, 'closesAt' | 'executionDate'>;
  const found = await rows<Row>(services.pool, queues, queues.of({ tenant: scope.tenantId }));
  const ids = [...new Set(found.map(({ connectionId }) => connectionId))];
  const connections = await findConnections(services.pool, scope, ids);
  const now = services.clock.now();
  return found.flatMap((queue) => {
    const connection = connections.get(queue.connectionId);
    if (connection === undefined) return [];
    return [{ ...queue, ...batchWindow(openConnection(call, connection).cutOff, now) }];
  });
}
