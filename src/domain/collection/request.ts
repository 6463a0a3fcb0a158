import { notFound } from '../../errors/domain-error.ts';
import { Prisma, type CollectionRequest } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { firstRow, rows, type Queryable, type Statement } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { brandingColumns, type BrandingRow } from './branding-store.ts';

/** What a request asks for. */
export const collectionScopes = ['full_onboarding', 'bank_details', 'tax_documents'] as const;
export type CollectionScope = (typeof collectionScopes)[number];

/** What became of a request; `expired` also before the job has written it. */
export const collectionStates = ['live', 'submitted', 'canceled', 'superseded', 'expired'] as const;
export type CollectionState = (typeof collectionStates)[number];

/** Forms of a UUID that PostgreSQL takes and we do not give out are answered like an unknown one. */
const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function isRequestId(text: string): boolean {
  return uuidPattern.test(text);
}

/** A request as a caller may read it: one whose time is over is `expired`, also before the job has written it. */
export interface StoredRequest extends Omit<CollectionRequest, 'draftCiphertext'> {
  readonly state: CollectionState;
}

/** The draft is the largest column, and only the form needs it. */
const visible = Object.fromEntries(
  Object.entries(Prisma.CollectionRequestScalarFieldEnum).filter(
    ([field]) => field !== 'draftCiphertext',
  ),
);

/** The state of a row under an alias, by the database's clock. */
export function stateSql(alias: string): string {
  return `CASE WHEN ${alias}.status = 'live' AND ${alias}.expires_at <= now() THEN 'expired'
      ELSE ${alias}.status END`;
}

/** The select list of `StoredRequest`. */
export const requestColumns = `${columns(visible, 'r')}, ${stateSql('r')} AS state`;

const requestOfBeneficiary: Statement = {
  name: 'collection_request_of_beneficiary',
  text: `
    SELECT ${requestColumns} FROM collection_request r
    WHERE r.tenant_id = $1 AND r.beneficiary_id = $2 AND r.id = $3`,
};

/** One request of a beneficiary; null when there is none. Both ids are well-formed. */
export function findRequest(
  client: Queryable,
  scope: Scope,
  beneficiaryId: string,
  id: string,
): Promise<StoredRequest | null> {
  return firstRow<StoredRequest>(client, requestOfBeneficiary, [scope.tenantId, beneficiaryId, id]);
}

/** A beneficiary that was invited more often shows the latest; each row is of some hundred bytes. */
const mostListed = 100;

const requestsOfBeneficiaries: Statement = {
  name: 'collection_requests_of_beneficiaries',
  text: `
    SELECT l.* FROM unnest($2::text[]) AS g(id) CROSS JOIN LATERAL (
      SELECT ${requestColumns} FROM collection_request r
      WHERE r.tenant_id = $1 AND r.beneficiary_id = g.id
      ORDER BY r.created_at DESC, r.id LIMIT ${mostListed}
    ) l`,
};

/** The requests of some beneficiaries, of each the latest hundred, newest first. */
export function findRequests(
  { services, scope }: Call,
  beneficiaryIds: readonly string[],
): Promise<StoredRequest[]> {
  return rows<StoredRequest>(services.pool, requestsOfBeneficiaries, [
    scope.tenantId,
    beneficiaryIds,
  ]);
}

const formRow: Statement = {
  name: 'collection_form',
  text: `
    SELECT ${requestColumns}, r.draft_ciphertext AS draft, b.beneficiary_type AS "beneficiaryType",
      coalesce(u.legal_name, u.company_name) AS "businessName", u.legal_name AS "legalName",
      u.registration_number AS "registrationNumber", u.country AS "companyCountry",
      to_jsonb(k) AS branding
    FROM collection_request r
    JOIN beneficiary b ON b.tenant_id = r.tenant_id AND b.id = r.beneficiary_id
    JOIN business u ON u.id = $3
    LEFT JOIN LATERAL (
      SELECT ${brandingColumns} FROM collection_branding g WHERE g.tenant_id = r.tenant_id
    ) k ON true
    WHERE r.tenant_id = $1 AND r.id = $2`,
};

/** A request with what its form shows and what was given so far, encrypted. */
export interface FormRow extends StoredRequest {
  readonly draft: Uint8Array | null;
  readonly beneficiaryType: 'person' | 'business';
  readonly businessName: string;
  readonly legalName: string | null;
  readonly registrationNumber: string | null;
  readonly companyCountry: string | null;
  readonly branding: BrandingRow | null;
}

/** The form of a request that exists. */
export async function readForm({ services, scope }: Call, id: string): Promise<FormRow> {
  const values = [scope.tenantId, id, scope.businessId] as const;
  const row = await firstRow<FormRow>(services.pool, formRow, values);
  // The payee was deleted after the link was looked up.
  if (row === null) throw notFound('collection request');
  return row;
}
