import type { PoolClient } from 'pg';
import type { LedgerEntry } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import type { Queryable } from '../../db/pool.ts';
import type { LedgerKind, LedgerMode } from './names.ts';
import { bookBalance, lockLedger, recordFunding, setLedgerMode } from './commands.gen.ts';

/** What a bank or a provider did, as `recordFunding` books it. */
export interface FundingDraft {
  readonly kind: Extract<LedgerKind, 'funding' | 'withdrawal' | 'fee'>;
  /** Minor units of `currency`. */
  readonly amount: bigint;
  readonly currency: string;
  /** What it is known from; each source is booked once. */
  readonly source: string;
}

/** Books money that came in, went out or was taken as a fee. `news` is false where the source was booked before. */
export async function bookFunding(
  client: Queryable,
  scope: Scope,
  draft: FundingDraft,
): Promise<{ readonly entry: LedgerEntry; readonly news: boolean }> {
  const [booked] = await recordFunding(client, scope.tenantId, draft);
  if (booked === undefined) throw new Error('the function answers with the entry');
  return booked;
}

/**
 * Waits for whoever books a stated balance of the tenant, and keeps others from it until the transaction ends, for
 * who compares the books with a balance by a statement of its own. Payouts go on moving.
 */
export async function lockBooks(client: PoolClient, scope: Scope): Promise<void> {
  await lockLedger(client, scope.tenantId, {});
}

/**
 * Books the difference between a stated balance, in minor units of `currency`, and the posted funds. Of two at
 * once the second waits until the transaction of the first has ended.
 */
export async function bookStatedBalance(
  client: Queryable,
  scope: Scope,
  balance: { readonly currency: string; readonly minor: bigint },
  source: string,
): Promise<void> {
  const { currency, minor } = balance;
  await bookBalance(client, scope.tenantId, { currency, balance: minor, source });
}

/**
 * Changes the tenant's mode and books the difference of each opening balance to the posted funds. False, and
 * nothing changed, while payouts from before the ledger are not booked yet.
 */
export async function changeMode(
  client: Queryable,
  scope: Scope,
  mode: LedgerMode,
  openings: readonly { readonly currency: string; readonly minor: bigint }[],
  source: string,
): Promise<boolean> {
  const wire = openings.map(({ currency, minor }) => ({ currency, amount_minor: Number(minor) }));
  const [changed] = await setLedgerMode(client, scope.tenantId, { mode, openings: wire, source });
  return changed?.ready === true;
}
