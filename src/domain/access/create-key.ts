import type { PoolClient } from 'pg';
import type { ApiKey } from '../../../generated/prisma/client.ts';
import { makeKey } from '../../access/key.ts';
import { covers, type Role } from '../../access/roles.ts';
import type { Scope } from '../../access/scope.ts';
import { inTransaction, type Queryable } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { isId, newId } from '../../values/ids.ts';
import type { Call } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { requireCovers, requireManager } from './authority.ts';
import { keyInput, type KeyInput } from './input.ts';
import { insertKey, makerOf, readKeyFacts } from './key-store.ts';
import { memberNotFound } from './member-store.ts';

/** A new key with its text, which is not stored. */
export interface CreatedKey {
  readonly apiKey: ApiKey;
  readonly key: string;
}

/**
 * Makes an API key for the caller's own membership, with the rights of the caller's key at most. A key
 * acts as its member, so nobody makes one for somebody else; `sendMemberInvitation` mails others a
 * link. The key is of the caller's environment: a sandbox key that could make production keys would
 * open production. Repeating the call makes another key. Throws
 * forbidden, validation_failed, not_found for the member, unprocessable_entity where the member's role
 * is too small.
 */
export async function createKey(call: Call, given: KeyInput): Promise<CreatedKey> {
  const { scope, services } = call;
  const actor = requireManager(scope);
  const input = parseInput(keyInput, given);
  if ((input.environment ?? scope.environment) !== scope.environment) {
    throw new DomainError('forbidden', {
      message:
        scope.environment === 'sandbox'
          ? 'The sandbox makes sandbox keys. The first production key is issued by an operator, once the business profile is accepted.'
          : 'Production makes production keys.',
    });
  }
  requireCovers(actor, input.role);
  return inTransaction(services.pool, (client) =>
    storeNewKey(client, scope, {
      membershipId: input.membershipId ?? actor.membership_id,
      role: input.role,
      name: input.name ?? null,
    }),
  );
}

export interface KeyOrder {
  readonly membershipId: string;
  readonly role: Role;
  readonly name: string | null;
}

/**
 * Makes and stores a key of the scope's tenant; its maker is the scope's actor. Throws not_found for
 * the member, forbidden where they are not its maker and for a production key while the profile is
 * not accepted, unprocessable_entity where their role does not cover the key's, or an operator would
 * issue it to another member than the registrant.
 */
export async function storeNewKey(
  client: PoolClient,
  scope: Scope,
  order: KeyOrder,
): Promise<CreatedKey> {
  if (!isId('membership', order.membershipId)) throw memberNotFound();
  const id = newId('apiKey');
  const { key, hash } = makeKey(scope.environment, id);
  const apiKey = await insertKey(client, scope, { ...order, id, hash });
  if (apiKey === null) throw await refusal(client, scope, order);
  return { apiKey, key };
}

async function refusal(client: Queryable, scope: Scope, order: KeyOrder): Promise<DomainError> {
  const facts = await readKeyFacts(client, scope, order.membershipId);
  const { role, profileStatus } = facts;
  if (role === null) return memberNotFound();
  const maker = makerOf(scope);
  if (maker !== null && maker !== order.membershipId) {
    return new DomainError('forbidden', {
      message:
        'A key acts as its member, so only that member makes it. memberInvitationSend mails them a link by which they get one.',
    });
  }
  if (!covers(role, order.role)) {
    return new DomainError('unprocessable_entity', {
      message: `The member's role ${role} does not cover the role ${order.role}.`,
    });
  }
  if (scope.environment === 'production' && profileStatus !== 'accepted') {
    return new DomainError('forbidden', {
      message: `A production key needs a business profile that an operator accepted; it is ${profileStatus}.`,
    });
  }
  if (maker === null && !facts.registered) {
    return new DomainError('unprocessable_entity', {
      message:
        'A key is handed to nobody but the member who registered the business. operatorMemberInvitationSend mails another member a link by which they get one.',
    });
  }
  return new DomainError('conflict', { message: 'The member was changed meanwhile; try again.' });
}
