import { createHash, randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { platformStatement } from '../db/pool.ts';
import { firstAcross } from '../db/reach.ts';
import { makeScope, type Environment, type Scope } from './scope.ts';

/** 256 random bits in base64url. */
const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

/** What is stored of a token. A plain SHA-256 suffices, since a token has 256 random bits. */
function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** What is stored of a token that a caller shows; null for one that is malformed. */
export function linkTokenHash(token: string): Buffer | null {
  return tokenPattern.test(token) ? hashToken(token) : null;
}

/** A new token of a link. It goes into one mail and is kept nowhere; its hash is stored. */
export function makeLinkToken(): { readonly token: string; readonly hash: Buffer } {
  const token = randomBytes(32).toString('base64url');
  return { token, hash: hashToken(token) };
}

const linkByHash = platformStatement({
  name: 'collection_link_by_hash',
  text: `
    SELECT l.tenant_id, l.request_id, t.business_id, t.environment
    FROM across.collection_link l JOIN tenant t ON t.id = l.tenant_id
    WHERE l.token_hash = $1`,
});

interface LinkRow {
  readonly tenant_id: string;
  readonly request_id: string;
  readonly business_id: string;
  readonly environment: Environment;
}

/** What a token opens: one request, in the scope of its tenant, with the payee as the actor. */
export interface OpenedLink {
  readonly requestId: string;
  readonly scope: Scope;
}

/**
 * The request that a token leads to, whatever has become of it; null for a token that is malformed
 * or unknown. Opening a link does not use it up. The scope has no permission of a member: only
 * the commands of the collection form take it.
 */
export async function openCollectionLink(pool: Pool, token: string): Promise<OpenedLink | null> {
  const hash = linkTokenHash(token);
  if (hash === null) return null;
  const row = await firstAcross<LinkRow & Record<string, unknown>>(pool, linkByHash, [hash]);
  if (row === null) return null;
  const actor = { type: 'payee', collection_request_id: row.request_id } as const;
  const { tenant_id: tenantId, business_id: businessId, environment } = row;
  return {
    requestId: row.request_id,
    scope: makeScope({ tenantId, businessId, environment, actor }),
  };
}
