import type { PoolClient } from 'pg';
import { grantProofMail } from '../../access/rate-limit/mailbox.ts';
import { lostConnection } from '../../db/errors.ts';
import { namedOfPlatform } from '../../db/named.ts';
import { firstRow, inTransaction, rows, type Queryable } from '../../db/pool.ts';
import { retryOnError } from '../../db/retry.ts';
import type { Services } from '../../process/services.ts';
import { enqueue } from '../../queue/queue.ts';
import type { NewRegistration } from './register-store.ts';

/** What a registration is told that claims what another one claims. */
export type ClaimRefusal = 'EMAIL_ALREADY_REGISTERED' | 'COMPANY_DOMAIN_ALREADY_CLAIMED';

const insertOfRegistered = namedOfPlatform(
  'insert_registered_proof',
  ['business', 'email', 'emailKey', 'days'],
  `
    INSERT INTO registration_proof (kind, business_id, email, email_key, expires_at)
    VALUES ('registered', @business, @email, @emailKey, now() + make_interval(days => @days))`,
);

/** Makes what the mail to a registrant offers: to prove that the address is theirs. */
export async function insertRegisteredProof(
  client: Queryable,
  { REGISTRATION_LINK_DAYS: days }: Services['config'],
  { businessId: business, email, emailKey }: NewRegistration,
): Promise<void> {
  const values = insertOfRegistered.of({ business, email, emailKey, days });
  await rows(client, insertOfRegistered, values);
}

/**
 * Counts a mail to a registrant, and tells whether it may be sent. Where it may not, nobody is told: the answer to a
 * registration says nothing of the mailbox.
 * @param mailbox as `proofMailKey` makes it
 */
export async function mayMailRegistrant(
  client: Queryable,
  { config, metrics }: Pick<Services, 'config' | 'metrics'>,
  mailbox: string,
): Promise<boolean> {
  const granted = await grantProofMail(client, config, mailbox);
  if (!granted) metrics?.mailsRefused('registration', 'mailbox', 1);
  return granted;
}

/** Nothing where the claim in the way is proven: then its owner signs in or invites. */
const insertOfRefused = namedOfPlatform(
  'insert_refused_proof',
  [
    'kind',
    'email',
    'emailKey',
    'claimedKey',
    'claimedDomain',
    'companyName',
    'firstName',
    'lastName',
    'country',
    'days',
  ],
  `
    INSERT INTO registration_proof (
      kind, business_id, email, email_key, company_name, first_name, last_name, country, expires_at
    )
    SELECT @kind::text, CASE WHEN @kind = 'address' THEN b.id END, @email::text, @emailKey::text,
      @companyName::text, @firstName::text, @lastName::text, @country::text,
      now() + make_interval(days => @days)
    FROM business b
    WHERE b.registration_proven_at IS NULL
      AND (b.registrant_email_key = @claimedKey OR b.email_domain = @claimedDomain)
    RETURNING id`,
);

/**
 * Mails a refused registrant a link by which whoever has the mailbox takes the claim over that is in the way, if
 * that claim is not proven. The caller does not learn whether it is.
 */
export async function offerProof(
  services: Services,
  entry: NewRegistration,
  refused: ClaimRefusal,
  mailbox: string,
): Promise<void> {
  const { emailKey, emailDomain } = entry;
  const claimed =
    refused === 'EMAIL_ALREADY_REGISTERED'
      ? { kind: 'address', claimedKey: emailKey, claimedDomain: null }
      : { kind: 'domain', claimedKey: null, claimedDomain: emailDomain };
  const days = services.config.REGISTRATION_LINK_DAYS;
  const offer = async (client: PoolClient) => {
    const values = insertOfRefused.of({ ...entry, ...claimed, days });
    const made = await firstRow<{ id: string }>(client, insertOfRefused, values);
    if (made === null || !(await mayMailRegistrant(client, services, mailbox))) return;
    await enqueue(client, 'send_proof_mail', { requestId: made.id });
  };
  // Where a commit took whose answer was lost, a second mail does no harm.
  await retryOnError(lostConnection, () => inTransaction(services.pool, offer));
}
