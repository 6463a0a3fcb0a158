import type { Pool, PoolClient } from 'pg';
import type { AppUser, Business, Membership } from '../../../generated/prisma/client.ts';
import { corporateDomain } from '../../access/free-mail.ts';
import { makeKey, type IssuedKey } from '../../access/key.ts';
import { lostConnection, violatesUnique } from '../../db/errors.ts';
import { inTransaction } from '../../db/pool.ts';
import { retryOnError } from '../../db/retry.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { emailKey } from '../../values/fields.ts';
import { newId } from '../../values/ids.ts';
import { enqueue } from '../../queue/queue.ts';
import type { Services } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { registrationInput, type RegistrationInput } from './input.ts';
import {
  findRegistered,
  insertRegistered,
  isRegistered,
  type NewRegistration,
  type StoredRegistration,
} from './register-store.ts';

export interface RegisteredBusiness {
  readonly business: Business;
  readonly user: AppUser;
  readonly membership: Membership;
  readonly apiKey: IssuedKey;
}

/**
 * Registers a business with its two tenants, its first user as owner, and a sandbox API key, all or
 * nothing. Needs no credential. The key is in the answer and nowhere else. A corporate e-mail domain
 * belongs to its first registrant; free-mail domains belong to nobody. A person who was only invited
 * by other businesses may register, and stays their member. Throws validation_failed,
 * EMAIL_ALREADY_REGISTERED, COMPANY_DOMAIN_ALREADY_CLAIMED.
 *
 * @param admit judges whether the caller may try at all, once the input is found to be well-formed
 */
export async function registerBusiness(
  services: Services,
  given: RegistrationInput,
  admit: () => Promise<void> = () => Promise.resolve(),
): Promise<RegisteredBusiness> {
  const input = parseInput(registrationInput, given);
  await admit();
  const keyId = newId('apiKey');
  const { key, hash } = makeKey('sandbox', keyId);
  const entry: NewRegistration = {
    userId: newId('user'),
    email: input.email,
    emailKey: emailKey(input.email),
    firstName: input.firstName ?? null,
    lastName: input.lastName ?? null,
    businessId: newId('business'),
    companyName: input.companyName,
    emailDomain: corporateDomain(input.email),
    country: input.country ?? null,
    sandboxTenantId: newId('tenant'),
    productionTenantId: newId('tenant'),
    membershipId: newId('membership'),
    keyId,
    secretHash: hash,
  };
  const { business, userId, userCreatedAt } = await store(services.pool, entry);
  const { membershipId, email, emailKey: storedKey, firstName, lastName } = entry;
  // One transaction wrote business and membership, so they share its time.
  const { id: businessId, createdAt } = business;
  const names = { email, emailKey: storedKey, firstName, lastName };
  return {
    business,
    user: { id: userId, ...names, registeredBusinessId: businessId, createdAt: userCreatedAt },
    membership: {
      id: membershipId,
      businessId,
      userId,
      role: 'owner',
      createdAt,
      acceptedAt: createdAt,
      removedAt: null,
      sessionsEndedAt: null,
    },
    apiKey: { id: keyId, environment: 'sandbox', role: 'owner', key },
  };
}

/**
 * Stores a registration once, also where a connection is lost at the commit: without reading back,
 * the caller would be told that the address is taken, by the very registration whose key was lost.
 */
async function store(pool: Pool, entry: NewRegistration): Promise<StoredRegistration> {
  let unclear = false;
  try {
    return await retryOnError(lostConnection, async () => {
      try {
        return await inTransaction(pool, (client) => insert(client, entry));
      } catch (error) {
        unclear ||= lostConnection(error);
        const stored = unclear ? await findRegistered(pool, entry) : null;
        if (stored === null) throw error;
        return stored;
      }
    });
  } catch (error) {
    throw await refusal(pool, entry, error);
  }
}

async function insert(client: PoolClient, entry: NewRegistration): Promise<StoredRegistration> {
  const stored = await insertRegistered(client, entry);
  if (stored === null) throw new DomainError('EMAIL_ALREADY_REGISTERED');
  const { userId } = stored;
  await enqueue(client, 'send_registration_mail', { businessId: entry.businessId, userId });
  return stored;
}

/** The address is named first: it tells the registrant more than the domain. */
async function refusal(pool: Pool, entry: NewRegistration, cause: unknown): Promise<unknown> {
  if (!violatesUnique(cause, 'business_email_domain_key')) return cause;
  const taken = await isRegistered(pool, entry.emailKey);
  return new DomainError(taken ? 'EMAIL_ALREADY_REGISTERED' : 'COMPANY_DOMAIN_ALREADY_CLAIMED', {
    cause,
  });
}
