import type { PoolClient } from 'pg';
import { named } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import type { Scope } from '../../access/scope.ts';
import { nameCheckResultOf } from '../../providers/name-check.ts';
import { newId } from '../../values/ids.ts';
import { recordNameCheck } from './commands.gen.ts';

/** What a bank's answer to a file says of the name of one payment's payee. */
export interface SaidOfName {
  readonly attemptId: string;
  readonly payoutId: string;
  /** RCVC, RVMC, RVNM, RVNA, RVNC or RVCM. */
  readonly code: string;
}

const paid = named(
  'accounts_paid_by',
  ['tenant', 'payouts'],
  `
    SELECT p.id, p.bank_account_id AS "bankAccountId", p.bank_account_version AS version FROM payout p
    WHERE p.tenant_id = @tenant AND p.id = ANY (@payouts::text[])`,
);

/**
 * Records what a bank says of names before it executes, on the versions of the accounts that are paid. The same file
 * again says nothing new.
 */
export async function recordSaidNames(
  client: PoolClient,
  { tenantId }: Scope,
  source: string,
  said: readonly SaidOfName[],
): Promise<void> {
  if (said.length === 0) return;
  const values = paid.of({ tenant: tenantId, payouts: said.map(({ payoutId }) => payoutId) });
  const found = await rows<{ id: string; bankAccountId: string; version: number }>(
    client,
    paid,
    values,
  );
  const byPayout = new Map(found.map((row) => [row.id, row]));
  // In the order of the accounts: two files at once cannot wait for each other.
  const ordered = said
    .flatMap((one) => {
      const row = byPayout.get(one.payoutId);
      return row === undefined ? [] : [{ ...one, ...row }];
    })
    .toSorted((a, b) => (a.bankAccountId < b.bankAccountId ? -1 : 1));
  for (const { attemptId, bankAccountId: account, version, code } of ordered) {
    await recordNameCheck(client, tenantId, {
      account,
      version,
      id: newId('nameCheck'),
      result: nameCheckResultOf(code),
      source,
      code,
      name: null,
      attempt: attemptId,
    });
  }
}
