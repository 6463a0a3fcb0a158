import type { Environment } from '../../access/scope.ts';
import type { NamedPlatformStatement } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import type { OperatorCall } from '../../process/services.ts';

/** Which rows of an operators' list, and from which position on. */
export interface OperatorPage {
  /** Null for the rows of every business. */
  readonly businessId: string | null;
  /** The position of the row before the first; null for the beginning. */
  readonly after: string | null;
  readonly take: number;
}

/** Which tenant a row belongs to. */
export interface OfTenant {
  readonly businessId: string;
  readonly companyName: string;
  readonly environment: Environment;
}

/** The tenant of a row that may be of none. */
export type OfTenantOrNone = { readonly [Part in keyof OfTenant]: OfTenant[Part] | null };

/** The columns of `OfTenant`, as the functions of ops name them. */
export const tenantColumns = `business_id AS "businessId", company_name AS "companyName", environment`;

/** PostgreSQL keeps no text with this character, and refuses to compare with one. */
const hasNul = (value: unknown): boolean => typeof value === 'string' && value.includes('\0');

/**
 * Reads a list; nothing fits an id or a text that no row can have. The operator's call is asked for, so that a member's
 * cannot read across tenants.
 */
export async function readList<Row, Parameter extends string>(
  { services }: OperatorCall,
  statement: NamedPlatformStatement<Parameter>,
  values: Readonly<Record<Parameter, unknown>>,
): Promise<Row[]> {
  if (Object.values(values).some(hasNul)) return [];
  return rows(services.pool, statement, statement.of(values)) as Promise<Row[]>;
}
