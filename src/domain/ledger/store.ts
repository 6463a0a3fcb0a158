import type { PoolClient } from 'pg';
import type { LedgerEntry } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { firstRow, rows, type Queryable } from '../../db/pool.ts';
import type { LedgerKind, LedgerMode } from './names.ts';
import { bookBalance, recordFunding, setLedgerMode } from './funding-command.ts';
import { lockLedger } from './post-command.ts';

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
  const values = recordFunding.of({ tenant: scope.tenantId, ...draft });
  const row = await firstRow<LedgerEntry & { news: boolean }>(client, recordFunding, values);
  if (row === null) throw new Error('the function answers with the entry');
  const { news, ...entry } = row;
  return { entry, news };
}

/**
 * Waits for whoever books a stated balance of the tenant, and keeps others from it until the transaction ends, for
 * who compares the books with a balance by a statement of its own. Payouts go on moving.
 */
export async function lockBooks(client: PoolClient, scope: Scope): Promise<void> {
  await rows(client, lockLedger, lockLedger.of({ tenant: scope.tenantId }));
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
  const values = bookBalance.of({ tenant: scope.tenantId, currency, balance: minor, source });
  await rows(client, bookBalance, values);
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
  const values = setLedgerMode.of({
    tenant: scope.tenantId,
    mode,
    openings: JSON.stringify(wire),
    source,
  });
  const row = await firstRow<{ ready: boolean }>(client, setLedgerMode, values);
  return row?.ready === true;
}
