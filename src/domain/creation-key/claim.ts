import type { PoolClient } from 'pg';
import { contentHash } from '../../crypto/canonical.ts';
import { firstRow, type Statement } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { lookupHash } from '../encryption/lookup.ts';
import { claimCreationKey } from './commands.gen.ts';

/*
 * A create with an idempotency key makes one thing, however often it is sent: the key is claimed in the transaction that
 * makes it. Payouts have keys of their own (src/domain/payout/create-one-payout.sql).
 */

/** What is created; each has its own keys. */
export type KeyedOperation = 'beneficiary' | 'bank_account';

/** The key of a request, with a hash of what it asks for. */
export interface CreationKey {
  readonly operation: KeyedOperation;
  readonly key: string;
  readonly hash: Buffer;
}

/**
 * The key of a request; null where it has none. Call it before a transaction begins.
 * @param content the validated input, and whatever else the request names
 */
export async function creationKey(
  { services, scope }: Call,
  operation: KeyedOperation,
  key: string | null | undefined,
  content: unknown,
): Promise<CreationKey | null> {
  if (key === null || key === undefined) return null;
  const hash = await lookupHash(services, 'creation');
  const compared = contentHash(content).toString('hex');
  return { operation, key, hash: hash(scope.tenantId, compared) };
}

/**
 * Claims a key for something that the transaction is about to make. Gives the id of what the same request made before,
 * and null where it is to be made. Throws IDEMPOTENCY_KEY_REUSED where another request had the key. A transaction that
 * is rolled back leaves the key free.
 * @param resource the id that the new thing will have
 */
export async function claimKey(
  client: PoolClient,
  { services, scope }: Call,
  claim: CreationKey | null,
  resource: string,
): Promise<string | null> {
  if (claim === null) return null;
  const keyHours = services.config.IDEMPOTENCY_HOURS;
  const [found] = await claimCreationKey(client, scope.tenantId, { ...claim, resource, keyHours });
  if (found === undefined) throw new Error('a claim has one answer');
  if (found.resourceId === resource) return null;
  if (!found.isSame) throw new DomainError('IDEMPOTENCY_KEY_REUSED');
  return found.resourceId;
}

const pointKey: Statement = {
  name: 'point_creation_key',
  text: `
    UPDATE creation_key SET resource_id = $4
    WHERE tenant_id = $1 AND operation = $2 AND idempotency_key = $3`,
};

/** Points a claimed key to what was there already, in the place of something new. */
export async function pointKeyTo(
  client: PoolClient,
  { scope }: Call,
  claim: CreationKey | null,
  resource: string,
): Promise<void> {
  if (claim === null) return;
  await firstRow(client, pointKey, [scope.tenantId, claim.operation, claim.key, resource]);
}
