import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import type { AppUser, Business, Membership } from '../../../generated/prisma/client.ts';
import type { IssuedKey } from '../../access/key.ts';
import { mailboxKeys, proofMailKey } from '../../access/rate-limit/mailbox.ts';
import { lostConnection, violatesUnique } from '../../db/errors.ts';
import { inTransaction } from '../../db/pool.ts';
import { retryOnError } from '../../db/retry.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { enqueue } from '../../queue/queue.ts';
import type { Services } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { registrationInput, type RegistrationInput } from './input.ts';
import { newRegistration } from './new-registration.ts';
import {
  insertRegisteredProof,
  mayMailRegistrant,
  offerProof,
  type ClaimRefusal,
} from './offer-proof.ts';
import {
  findRegistered,
  insertRegistered,
  isRegistered,
  type NewRegistration,
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
 * belongs to its first registrant; free-mail domains belong to nobody.
 *
 * Nothing proves yet that the address is the registrant's. So the user is a new one even where somebody has
 * the address, and a mail brings the link that proves it (`registration-proof.ts`). A refused registrant gets such
 * a mail where the claim in their way is not proven either; the answer does not tell. Throws validation_failed,
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
  const { entry, apiKey } = newRegistration(input);
  const mailbox = proofMailKey(await mailboxKeys(services), entry.emailKey);
  const business = await store(services, entry, mailbox);
  const { membershipId, userId, email, firstName, lastName } = entry;
  // One transaction wrote them all, so they share its time.
  const { id: businessId, createdAt } = business;
  return {
    business,
    user: {
      id: userId,
      email,
      emailKey: null,
      firstName,
      lastName,
      language: null,
      registeredBusinessId: businessId,
      createdAt,
    },
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
    apiKey,
  };
}

/**
 * Stores a registration once, also where a connection is lost at the commit: without reading back,
 * the caller would be told that the address is taken, by the very registration whose key was lost.
 */
async function store(
  services: Services,
  entry: NewRegistration,
  mailbox: string,
): Promise<Business> {
  const { pool } = services;
  let unclear = false;
  try {
    return await retryOnError(lostConnection, async () => {
      try {
        return await inTransaction(pool, (client) => insert(client, services, entry, mailbox));
      } catch (error) {
        unclear ||= lostConnection(error);
        const stored = unclear ? await findRegistered(pool, entry) : null;
        if (stored === null) throw error;
        return stored;
      }
    });
  } catch (error) {
    const refused = await refusal(pool, entry, error);
    if (isTaken(refused)) {
      await Promise.all([offerProof(services, entry, refused.code, mailbox), pause(refusalMs)]);
    }
    throw refused;
  }
}

async function insert(
  client: PoolClient,
  services: Services,
  entry: NewRegistration,
  mailbox: string,
): Promise<Business> {
  const business = await insertRegistered(client, entry);
  if (business === null) throw new DomainError('EMAIL_ALREADY_REGISTERED');
  await insertRegisteredProof(client, services.config, entry);
  const { businessId, userId } = entry;
  if (await mayMailRegistrant(client, services, mailbox)) {
    await enqueue(client, 'send_registration_mail', { businessId, userId });
  }
  return business;
}

/**
 * How long a refusal takes at least. Where a mail is offered there is some milliseconds' more work, and the answer must
 * not tell whether the claim in the way is proven.
 */
const refusalMs = 100;

const isTaken = (error: unknown): error is DomainError & { readonly code: ClaimRefusal } =>
  error instanceof DomainError &&
  (error.code === 'EMAIL_ALREADY_REGISTERED' || error.code === 'COMPANY_DOMAIN_ALREADY_CLAIMED');

/** The address is named first: it tells the registrant more than the domain. */
async function refusal(pool: Pool, entry: NewRegistration, cause: unknown): Promise<unknown> {
  if (violatesUnique(cause, 'business_registrant_email_key_key')) {
    return new DomainError('EMAIL_ALREADY_REGISTERED', { cause });
  }
  if (!violatesUnique(cause, 'business_email_domain_key')) return cause;
  const taken = await isRegistered(pool, entry.emailKey);
  return new DomainError(taken ? 'EMAIL_ALREADY_REGISTERED' : 'COMPANY_DOMAIN_ALREADY_CLAIMED', {
    cause,
  });
}
