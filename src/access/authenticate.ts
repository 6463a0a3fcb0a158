import { timingSafeEqual } from 'node:crypto';
import type { Pool } from 'pg';
import { firstRow, platformStatement, rows } from '../db/pool.ts';
import { parseKey, type ParsedKey } from './key.ts';
import type { Refusal } from './refusal.ts';
import { findOperatorKey } from './operator-key.ts';
import { tierSql, type Tier } from './rate-limit/tier.ts';
import type { Role } from './roles.ts';
import { isOperator, makeScope, type Caller, type Environment } from './scope.ts';

interface KeyRow {
  readonly secret_hash: Buffer;
  readonly tenant_id: string;
  readonly business_id: string;
  readonly environment: Environment;
  readonly membership_id: string;
  readonly user_id: string;
  readonly role: Role;
  readonly tier: Tier;
  /** Whether it is neither revoked nor that of a member who left, nor waits for a confirmation. */
  readonly works: boolean;
  /** Whether it would work if it were confirmed. */
  readonly held: boolean;
  /** Whether its last use was noted more than a minute ago. */
  readonly noteworthy: boolean;
}

/** Reads a key, whether it still works, and the tier of its rate limit. */
const storedKey = platformStatement({
  name: 'stored_api_key',
  text: `
    SELECT k.secret_hash, k.tenant_id, k.business_id, t.environment, k.membership_id, m.user_id, k.role,
      coalesce(k.last_used_at < now() - interval '1 minute', true) AS noteworthy,
      k.revoked_at IS NULL AND k.held_at IS NULL AND m.removed_at IS NULL AND m.accepted_at IS NOT NULL AS works,
      k.revoked_at IS NULL AND k.held_at IS NOT NULL AS held,
      ${tierSql('t', 'b')} AS tier
    FROM api_key k
    JOIN tenant t ON t.id = k.tenant_id
    JOIN business b ON b.id = k.business_id
    JOIN membership m ON m.id = k.membership_id
    WHERE k.id = $1`,
});

/** Notes the use of a key, at most once a minute. */
const noteUse = platformStatement({
  name: 'note_api_key_use',
  text: `
    UPDATE api_key SET last_used_at = now()
    WHERE id = $1 AND secret_hash = $2 AND revoked_at IS NULL AND held_at IS NULL
      AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`,
});

const bearerPattern = /^Bearer +(\S.*)$/i;
/** A revoked key stops working within this time on every process. */
const cacheMilliseconds = 1_000;
const cacheSize = 10_000;
const noHash = Buffer.alloc(32);

/** Whom a key stands for, and how much they may ask. */
export interface Authenticated {
  readonly caller: Caller;
  readonly tier: Tier;
}

/** Whom a request is from, or why from nobody. */
export type Attempt =
  | Authenticated
  | {
      readonly refused: Refusal;
      /** Of a session that was there once, and so was not guessed. */
      readonly wasThere?: boolean;
    };

interface StoredKey {
  readonly hash: Buffer;
  readonly authenticated: Authenticated;
  readonly works: boolean;
  readonly held?: boolean;
}

interface CachedKey extends StoredKey {
  readonly validUntil: number;
}

export interface Authenticate {
  /**
   * Turns an Authorization header into the caller, or null where its key does not work.
   * @param ofUnknown gives the connections by which a key is read that did not work on this process
   *   recently; those of the process where it is absent
   */
  (header: string | undefined, ofUnknown?: () => Pool): Promise<Authenticated | null>;
  /** The same, with the reason where the key does not work. */
  attempt(header: string | undefined, ofUnknown?: () => Pool): Promise<Attempt>;
  /** Whether the header's key worked recently on this process; asks nobody. */
  recognises(header: string): boolean;
}

/**
 * Makes the function that authenticates. A working key is read once a second at most, however many
 * requests show it, and the secret is compared in constant time also where the id is unknown. Only
 * keys that work are kept, so that guesses cannot push them out.
 */
export function createAuthenticate(pool: Pool, now: () => number = Date.now): Authenticate {
  const cache = new Map<string, CachedKey>();

  const reading = new Map<string, Promise<CachedKey | null>>();

  /** Requests that find the same key stale at the same time share one read. */
  function readOnce(parsed: ParsedKey, from: Pool): Promise<CachedKey | null> {
    const shown = `${parsed.keyId} ${parsed.secretHash.toString('base64')}`;
    const under = reading.get(shown) ?? read(parsed, from).finally(() => reading.delete(shown));
    reading.set(shown, under);
    return under;
  }

  async function read(parsed: ParsedKey, from: Pool): Promise<CachedKey | null> {
    // The second begins before the read: a key revoked while it is read must not live longer.
    const validUntil = now() + cacheMilliseconds;
    const found = await (parsed.kind === 'operator' ? findOperator : findMember)(from, parsed);
    return found === null ? null : { ...found, validUntil };
  }

  function keep(keyId: string, entry: CachedKey): void {
    cache.delete(keyId);
    const [oldest] = cache.keys();
    if (cache.size >= cacheSize && oldest !== undefined) cache.delete(oldest);
    cache.set(keyId, entry);
  }

  async function attempt(
    header: string | undefined,
    ofUnknown: () => Pool = () => pool,
  ): Promise<Attempt> {
    const shown = bearerOf(header);
    if (shown === null) return { refused: 'missing' };
    const parsed = parseKey(shown);
    if (parsed === null) return { refused: 'malformed' };
    const cached = cache.get(parsed.keyId);
    if (cached !== undefined && cached.validUntil > now()) return opened(parsed, cached);
    const worked = cached !== undefined && works(opened(parsed, cached));
    const entry = await readOnce(parsed, worked ? pool : ofUnknown());
    const found = opened(parsed, entry);
    if (entry !== null && works(found)) keep(parsed.keyId, entry);
    else if (entry?.works !== true) cache.delete(parsed.keyId);
    return found;
  }

  async function authenticate(
    header: string | undefined,
    ofUnknown?: () => Pool,
  ): Promise<Authenticated | null> {
    const found = await attempt(header, ofUnknown);
    return works(found) ? found : null;
  }

  return Object.assign(authenticate, {
    attempt,
    recognises(header: string): boolean {
      const parsed = parseKey(bearerOf(header) ?? '');
      const cached = parsed === null ? undefined : cache.get(parsed.keyId);
      return parsed !== null && cached !== undefined && works(opened(parsed, cached));
    },
  });
}

/** What an Authorization header shows as a key; null without the scheme Bearer. */
function bearerOf(header: string | undefined): string | null {
  return bearerPattern.exec(header ?? '')?.[1] ?? null;
}

const works = (attempt: Attempt): attempt is Authenticated => !('refused' in attempt);

/**
 * What the shown key opens, where it is the entry's. The secret is compared before anything else is
 * looked at, so that nobody learns of a key that they do not hold.
 */
function opened(parsed: ParsedKey, entry: CachedKey | null): Attempt {
  const matches = timingSafeEqual(entry?.hash ?? noHash, parsed.secretHash);
  if (entry === null || !matches) return { refused: 'unknown' };
  const { caller } = entry.authenticated;
  const kind = isOperator(caller) ? 'operator' : caller.environment;
  if (kind !== parsed.kind) return { refused: 'unknown' };
  if (entry.works) return entry.authenticated;
  return { refused: entry.held === true ? 'held' : 'revoked' };
}

async function findMember(pool: Pool, { keyId, secretHash }: ParsedKey): Promise<StoredKey | null> {
  const row = await firstRow<KeyRow>(pool, storedKey, [keyId]);
  if (row === null) return null;
  if (row.works && row.noteworthy) await rows(pool, noteUse, [keyId, secretHash]);
  const {
    tenant_id: tenantId,
    business_id: businessId,
    environment,
    tier,
    works: live,
    held,
  } = row;
  const { user_id, membership_id, role } = row;
  const actor = { type: 'member', user_id, membership_id, key_id: keyId, role } as const;
  const caller = makeScope({ tenantId, businessId, environment, actor });
  return { hash: row.secret_hash, authenticated: { caller, tier }, works: live, held };
}

async function findOperator(pool: Pool, parsed: ParsedKey): Promise<StoredKey | null> {
  const found = await findOperatorKey(pool, parsed);
  if (found === null) return null;
  const { hash, caller, works: live } = found;
  return { hash, authenticated: { caller, tier: 'generous' }, works: live };
}
