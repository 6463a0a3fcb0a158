import { named } from '../../db/named.ts';
import { firstRow, type Queryable } from '../../db/pool.ts';
import type { Scope } from '../../access/scope.ts';
import type { ListKind } from '../../screening/lists/entry.ts';
import type { Versions } from './port.ts';

/** What a business decides about its screening. */
export interface ScreeningSettings {
  /** After how many days without a look at the lists in use a result holds payouts. */
  readonly maxAgeDays: number;
  /** Whether a result in which a list is not current holds payouts. */
  readonly incompleteBlocks: boolean;
  /** The lists that are demanded; null for those of which a version was ever loaded. */
  readonly kinds: readonly ListKind[] | null;
}

export interface ScreeningPolicy extends ScreeningSettings, Record<string, unknown> {
  readonly revision: number;
  /** The versions against which all payees are screened. */
  readonly screened: Versions;
  /** When all payees were last known to be screened against the lists in use. */
  readonly confirmedAt: Date | null;
}

const policyOf = named(
  'screening_policy_of_tenant',
  ['tenant'],
  `
    SELECT s.max_age_days AS "maxAgeDays", s.incomplete_blocks AS "incompleteBlocks", s.kinds, s.revision, s.screened,
      s.confirmed_at AS "confirmedAt"
    FROM screening_policy s WHERE s.tenant_id = @tenant`,
);

/** How the tenant is screened; null where it is not, since no list was ever loaded. */
export const findPolicy = (
  client: Queryable,
  { tenantId }: Scope,
): Promise<ScreeningPolicy | null> =>
  firstRow<ScreeningPolicy>(client, policyOf, policyOf.of({ tenant: tenantId }));
