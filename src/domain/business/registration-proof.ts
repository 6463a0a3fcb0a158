import type { PoolClient } from 'pg';
import { linkTokenHash } from '../../access/collection-link.ts';
import type { IssuedKey } from '../../access/key.ts';
import { admitCollectionClient, type LinkClient } from '../../access/rate-limit/collection.ts';
import { invitedMeanwhile, proveRegistration } from '../../access/registration/prove.ts';
import { violatesUnique } from '../../db/errors.ts';
import { inTransaction } from '../../db/pool.ts';
import { retryOnError } from '../../db/retry.ts';
import { DomainError } from '../../errors/domain-error.ts';
import {
  findProof,
  listEarlierKeys,
  listEarlierMembers,
  useProof,
  type EarlierKey,
  type EarlierMember,
  type ProofKind,
  type UsedProof,
} from './registration-proof-store.ts';
import { takeOver } from './take-over.ts';

/** Whether a link still proves something: `ended` where somebody else proved or took over what it speaks of. */
export type ProofState = 'live' | 'used' | 'expired' | 'ended';

/** What the page of a link shows before anybody presses its button. */
export interface RegistrationProof {
  readonly state: ProofState;
  readonly kind: ProofKind;
  /** The address as addresses are compared: its domain is in ASCII, so that it looks like no other. */
  readonly email: string;
  /** The business that was registered with the address; null for a domain. */
  readonly companyName: string | null;
  readonly registeredAt: Date | null;
  /** The business that the refused registration asked for. */
  readonly askedCompanyName: string | null;
  readonly keys: readonly EarlierKey[];
  readonly members: readonly EarlierMember[];
}

/** What the holder of the mailbox decides. */
export interface ProofDecision {
  /** Whether the refused registration is made, and the business that is in its way ends. */
  readonly takeOver: boolean;
  /** Keys that go on working. */
  readonly keyIds: readonly string[];
  /** Members who stay. */
  readonly membershipIds: readonly string[];
}

export interface ProvenBusiness {
  readonly businessId: string;
  /** A key of a business that was registered by this; null where the business was there before. */
  readonly apiKey: IssuedKey | null;
}

async function hashOf(client: LinkClient, token: string): Promise<Buffer> {
  await admitCollectionClient(client.services, client.clientAddress, client.reportLimit);
  const hash = linkTokenHash(token);
  if (hash === null) throw unknownLink();
  return hash;
}

const unknownLink = () => new DomainError('not_found', { message: 'The link is unknown.' });

/**
 * What a link would prove. Looking uses nothing up, so what opens the links of a mail before its reader does harms
 * nothing. Throws not_found for an unknown token, too_many_requests beyond the limit of a client address.
 */
export async function openRegistrationProof(
  client: LinkClient,
  token: string,
): Promise<RegistrationProof> {
  const { pool } = client.services;
  const hash = await hashOf(client, token);
  const found = await findProof(pool, hash);
  if (found === null) throw unknownLink();
  const { kind, email, companyName, registeredAt, askedCompanyName, businessId } = found;
  const about = { kind, email, companyName, registeredAt, askedCompanyName };
  const state = found.used ? 'used' : found.expired ? 'expired' : found.waits ? 'live' : 'ended';
  if (state !== 'live' || businessId === null) return { state, ...about, keys: [], members: [] };
  const keys = await listEarlierKeys(pool, businessId);
  const members = await listEarlierMembers(pool, businessId);
  return { state, ...about, keys, members };
}

/**
 * Proves a mailbox with the token that was mailed to it, which uses the link up. Address, domain and person of the
 * registration are firm from then on: whoever registered is its owner, keys that are not named wait until a
 * member confirms them, and other members who are not named have to accept again. With `takeOver`, or where a
 * domain was in the way, the refused registration is made instead. Throws not_found for an unknown token; conflict for one that was used,
 * whose time is over, or whose claim somebody else proved; EMAIL_ALREADY_REGISTERED and
 * COMPANY_DOMAIN_ALREADY_CLAIMED as a registration does; too_many_requests.
 */
export async function proveMailbox(
  client: LinkClient,
  token: string,
  decision: ProofDecision,
): Promise<ProvenBusiness> {
  const { pool } = client.services;
  const hash = await hashOf(client, token);
  try {
    return await retryOnError(invitedMeanwhile, () =>
      inTransaction(pool, (transaction) => decide(transaction, hash, decision)),
    );
  } catch (error) {
    if (violatesUnique(error, 'business_registrant_email_key_key')) {
      throw new DomainError('EMAIL_ALREADY_REGISTERED', { cause: error });
    }
    if (violatesUnique(error, 'business_email_domain_key')) {
      throw new DomainError('COMPANY_DOMAIN_ALREADY_CLAIMED', { cause: error });
    }
    throw error;
  }
}

async function decide(
  client: PoolClient,
  hash: Buffer,
  decision: ProofDecision,
): Promise<ProvenBusiness> {
  const used = await useProof(client, hash);
  if (used === null) {
    if ((await findProof(client, hash)) === null) throw unknownLink();
    throw new DomainError('conflict', {
      message:
        'The link was used, or its time is over. Sign in, or register again for another one.',
    });
  }
  if (used.businessId === null || decision.takeOver) return takeOver(client, askedOf(used));
  const proven = await proveRegistration(client, used.businessId, {
    keys: decision.keyIds,
    members: decision.membershipIds,
  });
  if (proven === null) {
    throw new DomainError('conflict', {
      message: 'The address of this registration was proven already. Sign in with it.',
    });
  }
  return { businessId: proven.businessId, apiKey: null };
}

/** The registration that was refused. Throws conflict for the link of one that was not. */
function askedOf({ email, companyName, firstName, lastName, country }: UsedProof) {
  if (companyName !== null) return { email, companyName, firstName, lastName, country };
  throw new DomainError('conflict', {
    message: 'This link belongs to a registration that was made, and not to one that was refused.',
  });
}
