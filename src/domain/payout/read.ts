import { Prisma, type Payout } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { firstRow, rows, type Queryable, type Statement } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { isId } from '../../values/ids.ts';
import type { Call } from '../../process/services.ts';

const payoutById: Statement = {
  name: 'payout_by_id',
  text: `SELECT ${columns(Prisma.PayoutScalarFieldEnum, 'p')} FROM payout p WHERE p.tenant_id = $1 AND p.id = $2`,
};

const payoutByIdLocked: Statement = {
  name: 'payout_by_id_locked',
  text: `${payoutById.text} FOR SHARE`,
};

/** Throws PAYOUT_NOT_FOUND for a malformed id, without a query. */
export function requirePayoutId(payoutId: string): void {
  if (!isId('payout', payoutId)) throw new DomainError('PAYOUT_NOT_FOUND');
}

/** Reads one payout of the scope's tenant. Throws PAYOUT_NOT_FOUND, also for a malformed id. */
export async function readPayout(call: Call, payoutId: string): Promise<Payout> {
  requirePayoutId(payoutId);
  const { pool } = call.services;
  const payout = await firstRow<Payout>(pool, payoutById, [call.scope.tenantId, payoutId]);
  if (payout === null) throw new DomainError('PAYOUT_NOT_FOUND');
  return payout;
}

const payoutsById: Statement = {
  name: 'payouts_by_id',
  text: `
    SELECT ${columns(Prisma.PayoutScalarFieldEnum, 'p')}
    FROM payout p WHERE p.tenant_id = $1 AND p.id = ANY ($2::text[])`,
};

/** Reads payouts of the scope's tenant by id; ids that do not exist are left out. */
export async function readPayouts(
  call: Call,
  payoutIds: readonly string[],
): Promise<Map<string, Payout>> {
  if (payoutIds.length === 0) return new Map();
  const { pool } = call.services;
  const found = await rows<Payout>(pool, payoutsById, [call.scope.tenantId, payoutIds]);
  return new Map(found.map((payout) => [payout.id, payout]));
}

/** The payout, locked against transitions until the transaction ends; null when it does not exist. */
export function lockPayout(
  client: Queryable,
  scope: Scope,
  payoutId: string,
): Promise<Payout | null> {
  return firstRow<Payout>(client, payoutByIdLocked, [scope.tenantId, payoutId]);
}
