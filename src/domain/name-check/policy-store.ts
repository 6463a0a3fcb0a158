import type { Scope } from '../../access/scope.ts';
import { named } from '../../db/named.ts';
import { firstRow, type Queryable } from '../../db/pool.ts';

/** What a business can decide about a result that is no match. */
export const nameCheckEffects = ['ignore', 'show', 'confirm', 'block'] as const;
export type NameCheckEffect = (typeof nameCheckEffects)[number];

/** What a business decides about the check of holders' names. */
export interface NameCheckSettings {
  /** Whether the bank of a new account is asked. */
  readonly asks: boolean;
  readonly closeMatch: NameCheckEffect;
  readonly noMatch: NameCheckEffect;
  readonly notPossible: NameCheckEffect;
}

export interface NameCheckPolicy extends NameCheckSettings, Record<string, unknown> {
  /** Counts the changes; 0 where there was none. */
  readonly revision: number;
}

/** Of a business that has decided nothing: nobody is asked. */
const undecided: NameCheckPolicy = {
  asks: false,
  closeMatch: 'show',
  noMatch: 'show',
  notPossible: 'show',
  revision: 0,
};

const policyOf = named(
  'name_check_policy_of_tenant',
  ['tenant'],
  `
    SELECT s.asks, s.close_match AS "closeMatch", s.no_match AS "noMatch", s.not_possible AS "notPossible", s.revision
    FROM name_check_policy s WHERE s.tenant_id = @tenant`,
);

/** What the tenant has decided. */
export const findNameCheckPolicy = async (
  client: Queryable,
  { tenantId }: Scope,
): Promise<NameCheckPolicy> =>
  (await firstRow<NameCheckPolicy>(client, policyOf, policyOf.of({ tenant: tenantId }))) ??
  undecided;
