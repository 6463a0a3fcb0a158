import type { PoolClient } from 'pg';
import type { IssuedKey } from '../../access/key.ts';
import { closeCollectionLinks, disableWebhooks } from '../../access/registration/end-sending.ts';
import { platformStatement, rows } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { recordChange } from '../access/change-store.ts';
import type { ParsedRegistration } from './input.ts';
import { newRegistration } from './new-registration.ts';
import { insertProven } from './register-store.ts';

interface ClaimHolder {
  readonly id: string;
  readonly proven: boolean;
  /** Whether it claims the address, and not only the domain. */
  readonly hasAddress: boolean;
}

/** In one order, so that of two who take the same over, the second waits and finds what the first left. */
const lockHolders = platformStatement({
  name: 'lock_claim_holders',
  text: `
    SELECT b.id, b.registration_proven_at IS NOT NULL AS proven,
      coalesce(b.registrant_email_key = $1, false) AS "hasAddress"
    FROM business b
    WHERE b.registrant_email_key = $1 OR b.email_domain = $2
    ORDER BY b.id
    FOR NO KEY UPDATE`,
});

const actor = `jsonb_build_object('type', 'system', 'name', 'registration')`;

/** The business keeps its rows and can be used by nobody: whoever made it had no right to the address. */
const releaseAddress = platformStatement({
  name: 'release_registered_address',
  text: `
    WITH released AS (
      UPDATE business b SET registrant_email_key = NULL, email_domain = NULL, updated_at = now()
      WHERE b.id = ANY ($1::text[]) AND b.registration_proven_at IS NULL
      RETURNING b.id
    ),
    unregistered AS (
      UPDATE app_user u SET registered_business_id = NULL
      FROM released r WHERE u.registered_business_id = r.id
    ),
    removed AS (
      UPDATE membership m SET removed_at = now()
      FROM released r WHERE m.business_id = r.id AND m.removed_at IS NULL
    ),
    uninvited AS (
      UPDATE member_invitation i SET status = 'canceled', closed_at = now()
      FROM released r WHERE i.business_id = r.id AND i.status = 'live'
    ),
    revoked AS (
      UPDATE api_key k SET revoked_at = now()
      FROM released r WHERE k.business_id = r.id AND k.revoked_at IS NULL
    )
    ${recordChange({
      from: 'released r',
      kind: 'registration_released',
      business: 'r.id',
      environment: `'sandbox'`,
      actor,
      subject: 'r.id',
      after: `jsonb_build_object('released', 'address')`,
    })}`,
});

const releaseDomain = platformStatement({
  name: 'release_registered_domain',
  text: `
    WITH released AS (
      UPDATE business b SET email_domain = NULL, updated_at = now()
      WHERE b.id = ANY ($1::text[]) AND b.registration_proven_at IS NULL
      RETURNING b.id
    )
    ${recordChange({
      from: 'released r',
      kind: 'registration_released',
      business: 'r.id',
      environment: `'sandbox'`,
      actor,
      subject: 'r.id',
      after: `jsonb_build_object('released', 'domain')`,
    })}`,
});

/** A business that was registered by taking a claim over. */
export interface TakenOver {
  readonly businessId: string;
  readonly companyName: string;
  readonly apiKey: IssuedKey;
}

/**
 * Registers a business for the holder of a mailbox, in the transaction in which they proved it. A claim on the address
 * or on its domain that nobody has proven ends. Who claimed the address loses the business, whose
 * webhooks and links of payees end with it; who claimed the
 * domain alone keeps theirs without it. Throws EMAIL_ALREADY_REGISTERED and COMPANY_DOMAIN_ALREADY_CLAIMED where
 * the claim was proven meanwhile.
 */
export async function takeOver(client: PoolClient, input: ParsedRegistration): Promise<TakenOver> {
  const { entry, apiKey } = newRegistration(input);
  const values = [entry.emailKey, entry.emailDomain];
  const holders = await rows<ClaimHolder & Record<string, unknown>>(client, lockHolders, values);
  const proven = holders.filter((holder) => holder.proven);
  if (proven.some(({ hasAddress }) => hasAddress))
    throw new DomainError('EMAIL_ALREADY_REGISTERED');
  if (proven.length > 0) throw new DomainError('COMPANY_DOMAIN_ALREADY_CLAIMED');
  const idsOf = (hasAddress: boolean) =>
    holders.filter((holder) => holder.hasAddress === hasAddress).map(({ id }) => id);
  const ended = idsOf(true);
  await rows(client, releaseAddress, [ended]);
  await disableWebhooks(client, ended);
  await closeCollectionLinks(client, ended);
  await rows(client, releaseDomain, [idsOf(false)]);
  const business = await insertProven(client, entry);
  if (business === null) throw new DomainError('EMAIL_ALREADY_REGISTERED');
  return { businessId: business.id, companyName: business.companyName, apiKey };
}
