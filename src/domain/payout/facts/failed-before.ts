import type { BankAccount, Payout } from '../../../../generated/prisma/client.ts';
import { rows, type Statement } from '../../../db/pool.ts';
import type { Call } from '../../../process/services.ts';
import { replaceableStates } from '../machine.ts';
import { readPayouts } from '../read.ts';

/** A replacement, there already or not. */
export interface Replacing {
  readonly replacesPayoutId: string | null;
  readonly bankAccountId: string;
  /** The details that it goes to; null for those that the account has now. */
  readonly bankAccountVersion: number | null;
}

const versions: Statement = {
  name: 'bank_account_versions_now',
  text: 'SELECT a.id, a.version FROM bank_account a WHERE a.tenant_id = $1 AND a.id = ANY ($2::text[])',
};

async function readVersions(
  { scope, services }: Call,
  ids: readonly string[],
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const found = await rows<Pick<BankAccount, 'id' | 'version'>>(services.pool, versions, [
    scope.tenantId,
    ids,
  ]);
  return new Map(found.map(({ id, version }) => [id, version]));
}

const isFailure = ({ state }: Payout): boolean =>
  replaceableStates.some((replaceable) => replaceable === state);

/**
 * Of replacements that go to the very details that did not take what they replace: that payout, in the order
 * asked. Null for one that goes elsewhere, or replaces nothing.
 */
export async function readFailedBefore(
  call: Call,
  asked: readonly Replacing[],
): Promise<(Payout | null)[]> {
  const predecessors = asked.flatMap(({ replacesPayoutId }) => replacesPayoutId ?? []);
  const found = await readPayouts(call, predecessors);
  const unknown = asked.filter(({ bankAccountVersion }) => bankAccountVersion === null);
  const now = await readVersions(
    call,
    unknown.map(({ bankAccountId }) => bankAccountId),
  );
  return asked.map(({ replacesPayoutId, bankAccountId, bankAccountVersion }) => {
    const before = found.get(replacesPayoutId ?? '');
    if (before === undefined || !isFailure(before)) return null;
    const version = bankAccountVersion ?? now.get(bankAccountId);
    const isSame = before.bankAccountId === bankAccountId && before.bankAccountVersion === version;
    return isSame ? before : null;
  });
}
