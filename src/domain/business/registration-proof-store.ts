import { makeLinkToken } from '../../access/collection-link.ts';
import type { Role } from '../../access/roles.ts';
import { firstRow, platformStatement, rows, type Queryable } from '../../db/pool.ts';

/**
 * Of what a link speaks: a business that was `registered`, or a registration that was refused because an
 * `address` or a `domain` is claimed by another one that is not proven.
 */
export type ProofKind = 'registered' | 'address' | 'domain';

interface ProofRow {
  readonly kind: ProofKind;
  readonly email: string;
  readonly askedCompanyName: string | null;
  readonly businessId: string | null;
  readonly companyName: string | null;
  readonly registeredAt: Date | null;
  readonly used: boolean;
  readonly expired: boolean;
  /**
   * Whether there is something to prove: the business still claims the address without a proof, or nobody has proven a
   * claim on the domain.
   */
  readonly waits: boolean;
}

const foundColumns = `
  p.kind, p.email_key AS email, p.company_name AS "askedCompanyName", p.business_id AS "businessId",
  b.company_name AS "companyName", b.created_at AS "registeredAt", p.used_at IS NOT NULL AS used,
  p.expires_at <= now() AS expired,
  CASE WHEN p.kind = 'domain' THEN NOT EXISTS (
      SELECT 1 FROM business claiming
      WHERE claiming.email_domain = split_part(p.email_key, '@', -1) AND claiming.registration_proven_at IS NOT NULL
    )
    ELSE coalesce(b.registration_proven_at IS NULL AND b.registrant_email_key = p.email_key, false)
  END AS waits`;

const proofOfToken = platformStatement({
  name: 'registration_proof_of_token',
  text: `
    SELECT ${foundColumns}
    FROM registration_link l
    JOIN registration_proof p ON p.id = l.proof_id
    LEFT JOIN business b ON b.id = p.business_id
    WHERE l.token_hash = $1`,
});

/** What a token leads to, whatever has become of it; null for an unknown one. */
export function findProof(client: Queryable, hash: Buffer): Promise<ProofRow | null> {
  return firstRow<ProofRow & Record<string, unknown>>(client, proofOfToken, [hash]);
}

/** A key that was made before the proof. */
export interface EarlierKey {
  readonly id: string;
  readonly name: string | null;
  readonly role: Role;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

/** A member other than the registrant. */
export interface EarlierMember {
  readonly id: string;
  readonly role: Role;
  readonly email: string;
}

const earlierKeys = platformStatement({
  name: 'keys_before_proof',
  text: `
    SELECT k.id, k.name, k.role, k.created_at AS "createdAt", k.last_used_at AS "lastUsedAt"
    FROM api_key k WHERE k.business_id = $1 AND k.revoked_at IS NULL ORDER BY k.id LIMIT 100`,
});

/** The first hundred keys of a business that were not revoked. Others wait for a confirmation by a member. */
export function listEarlierKeys(client: Queryable, businessId: string): Promise<EarlierKey[]> {
  return rows<EarlierKey & Record<string, unknown>>(client, earlierKeys, [businessId]);
}

const earlierMembers = platformStatement({
  name: 'members_before_proof',
  text: `
    SELECT m.id, m.role, coalesce(u.email_key, u.email) AS email
    FROM membership m JOIN app_user u ON u.id = m.user_id
    WHERE m.business_id = $1 AND m.removed_at IS NULL AND m.accepted_at IS NOT NULL
      AND u.registered_business_id IS DISTINCT FROM m.business_id
    ORDER BY m.id LIMIT 100`,
});

/** The first hundred other members of a business who accepted. */
export function listEarlierMembers(
  client: Queryable,
  businessId: string,
): Promise<EarlierMember[]> {
  return rows<EarlierMember & Record<string, unknown>>(client, earlierMembers, [businessId]);
}

/** What a refused registration asked for. */
export interface UsedProof {
  readonly kind: ProofKind;
  readonly businessId: string | null;
  readonly email: string;
  readonly companyName: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly country: string | null;
}

/** Of two with the same link, the second waits here and finds it used. */
const use = platformStatement({
  name: 'use_registration_proof',
  text: `
    UPDATE registration_proof p SET used_at = now()
    FROM registration_link l
    WHERE l.token_hash = $1 AND p.id = l.proof_id AND p.used_at IS NULL AND p.expires_at > now()
    RETURNING p.kind, p.business_id AS "businessId", p.email, p.company_name AS "companyName",
      p.first_name AS "firstName", p.last_name AS "lastName", p.country`,
});

/** Uses a link up; null where it was used before, or its time is over. */
export function useProof(client: Queryable, hash: Buffer): Promise<UsedProof | null> {
  return firstRow<UsedProof & Record<string, unknown>>(client, use, [hash]);
}

const liveProof = platformStatement({
  name: 'live_registration_proof',
  text: `
    SELECT p.email AS "sendTo", p.expires_at AS "expiresAt", ${foundColumns}
    FROM registration_proof p LEFT JOIN business b ON b.id = p.business_id
    WHERE p.id = $1 AND p.used_at IS NULL AND p.expires_at > now()`,
});

const proofOfBusiness = platformStatement({
  name: 'registration_proof_of_business',
  text: `
    SELECT p.id FROM registration_proof p
    WHERE p.business_id = $1 AND p.kind = 'registered'`,
});

const insertLink = platformStatement({
  name: 'insert_registration_link',
  text: 'INSERT INTO registration_link (token_hash, proof_id) VALUES ($1, $2)',
});

/** What a mail says, and the token that it carries, which is stored nowhere. */
export interface PreparedProof extends ProofRow {
  readonly sendTo: string;
  readonly expiresAt: Date;
  readonly token: string;
}

/**
 * Makes a token for one try to mail a link, and commits its hash first, so that no mail carries a link that opens
 * nothing. All tokens of a proof open it, once together. Null when there is nothing left to prove.
 */
export async function prepareProofMail(
  client: Queryable,
  proofId: string,
): Promise<PreparedProof | null> {
  const row = await firstRow<Omit<PreparedProof, 'token'> & Record<string, unknown>>(
    client,
    liveProof,
    [proofId],
  );
  if (row?.waits !== true) return null;
  const { token, hash } = makeLinkToken();
  await rows(client, insertLink, [hash, proofId]);
  return { ...row, token };
}

/** The proof that was made with the registration of a business; null for one of an earlier version. */
export async function findProofOf(client: Queryable, businessId: string): Promise<string | null> {
  return (await firstRow<{ id: string }>(client, proofOfBusiness, [businessId]))?.id ?? null;
}
