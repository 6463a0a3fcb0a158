import { named } from '../../db/named.ts';
import { firstRow, type Queryable } from '../../db/pool.ts';

const clearErased = named(
  'clear_erased_payees',
  ['tenant', 'beneficiary', 'most'],
  'SELECT r.tenant, r.beneficiary FROM ops.clear_erased_payees(@tenant, @beneficiary, @most) AS r',
);

/** Erased payees that one statement looks at. */
const payeesAtATime = 500;

/**
 * Clears what has been written about erased payees since: a provider's own words, and what receivers of
 * webhooks answer. It looks at all of them, of all tenants, and writes where something has changed. Safe to
 * repeat.
 */
export async function clearErasedPayees(client: Queryable): Promise<void> {
  let after: { tenant: string; beneficiary: string } | null = { tenant: '', beneficiary: '' };
  while (after !== null) {
    after = await firstRow(client, clearErased, clearErased.of({ ...after, most: payeesAtATime }));
  }
}
