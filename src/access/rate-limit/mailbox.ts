import { lookupHash } from '../../domain/encryption/lookup.ts';
import { platformStatement, rows, type Queryable } from '../../db/pool.ts';
import type { Services } from '../../process/services.ts';
import type { Scope } from '../scope.ts';
import { isAccepted } from './collection.ts';

/*
 * What all tenants together may have mailed to one mailbox. Anybody who registers can cause mails to any
 * address, so the bound is of the mailbox and not of who asks. Tenants that nobody has looked at get a part of it, so
 * that the others still reach the mailbox. The mails by which its holder proves that it is theirs are counted apart, so
 * that no tenant can shut the holder out.
 */

/** The part of a bound that is for tenants without an accepted profile, and the one that is for mails of proof. */
const partOf = (quota: number): number => Math.ceil(quota / 2);

/** Domains whose addresses are one mailbox with and without dots, and the domain that stands for them. */
const dotless: ReadonlyMap<string, string> = new Map([
  ['gmail.com', 'gmail.com'],
  ['googlemail.com', 'gmail.com'],
]);

/** The mailbox that an address leads to: without what follows a plus, and without the dots that Gmail ignores. */
export function mailboxOf(emailKey: string): string {
  const at = emailKey.lastIndexOf('@');
  const [local, domain] = [emailKey.slice(0, at), emailKey.slice(at + 1)];
  const plus = local.indexOf('+');
  const untagged = plus > 0 ? local.slice(0, plus) : local;
  const folded = dotless.get(domain);
  return folded === undefined
    ? `${untagged}@${domain}`
    : `${untagged.replaceAll('.', '')}@${folded}`;
}

/** The key under which the mails of a mailbox are counted; takes what `emailKey` gives. */
export type MailboxKey = (emailKey: string) => string;

/**
 * Makes those keys. A key is a keyed hash, so that the counters tell nobody which addresses are here. Reads from
 * the database once in a process; call it before a transaction begins.
 */
export async function mailboxKeys(
  services: Pick<Services, 'pool' | 'keyring'>,
): Promise<MailboxKey> {
  const hash = await lookupHash(services, 'email');
  // No tenant has the empty id, so no address is hashed like this elsewhere.
  return (emailKey) => hash('', mailboxOf(emailKey)).toString('base64url');
}

/**
 * The key under which mails of proof are counted. The plain address has one of its own: each of those mails helps
 * whoever has that address, and mails to the other forms of it, which a stranger can make up, use none of them up.
 */
export function proofMailKey(mailbox: MailboxKey, emailKey: string): string {
  const form = mailboxOf(emailKey) === emailKey ? 'plain' : 'other';
  return `${form}:${mailbox(emailKey)}`;
}

/** Takes up to `units` of each scope in one statement, which locks the counters in one order. */
const reserveEach = platformStatement({
  name: 'rate_limit_reserve_each',
  text: `
    INSERT INTO rate_limit AS r (scope, used, expires_at)
    SELECT g.scope, least($3::int, g.units), now() + make_interval(secs => $4)
    FROM unnest($1::text[], $2::int[]) AS g (scope, units)
    ORDER BY g.scope
    ON CONFLICT (scope) DO UPDATE SET (used, expires_at) = (
      SELECT b.used + greatest(0, least($3::int - b.used, excluded.used)), b.expires_at
      FROM (
        SELECT
          CASE WHEN r.expires_at <= now() THEN 0 ELSE r.used END AS used,
          CASE WHEN r.expires_at <= now() THEN excluded.expires_at ELSE r.expires_at END AS expires_at
      ) b
    )
    RETURNING r.scope,
      CASE WHEN old.expires_at = new.expires_at THEN new.used - old.used ELSE new.used END AS granted`,
});

interface Window {
  /** Begins the names of its counters. */
  readonly name: string;
  readonly seconds: number;
  readonly quota: number;
}

/** Those of some mails, by their index, that the counters of one window grant. */
async function grantIn(
  client: Queryable,
  { name, seconds, quota }: Window,
  keys: readonly string[],
  asked: readonly number[],
): Promise<number[]> {
  const scopeOf = (index: number) => `${name}:${keys[index] ?? ''}`;
  const units = new Map<string, number>();
  for (const index of asked) units.set(scopeOf(index), (units.get(scopeOf(index)) ?? 0) + 1);
  if (units.size === 0) return [];
  const values = [[...units.keys()], [...units.values()], quota, seconds];
  const granted = await rows<{ scope: string; granted: number }>(client, reserveEach, values);
  const left = new Map(granted.map((one) => [one.scope, one.granted]));
  return asked.filter((index) => {
    const rest = left.get(scopeOf(index)) ?? 0;
    left.set(scopeOf(index), rest - 1);
    return rest > 0;
  });
}

/** Those of some mails, by their index, that neither the hour nor the day refuses. */
async function grantMails(
  client: Queryable,
  counters: string,
  bounds: Record<'hour' | 'day', number>,
  keys: readonly string[],
): Promise<ReadonlySet<number>> {
  const all = keys.map((_key, index) => index);
  const hour = { name: `${counters}-hour`, seconds: 3_600, quota: bounds.hour };
  const day = { name: `${counters}-day`, seconds: 86_400, quota: bounds.day };
  const inHour = await grantIn(client, hour, keys, all);
  return new Set(await grantIn(client, day, keys, inHour));
}

/**
 * Counts one mail of the scope's tenant for each of some mailboxes, and tells which of them may be sent, by index.
 * Called in the transaction that adds the mails, before `grantCollectionMails`: others who mail to the same mailbox
 * wait until it ends, and a rollback gives back what was counted.
 */
export async function grantTenantMails(
  client: Queryable,
  { MAILS_PER_MAILBOX_HOUR: hour, MAILS_PER_MAILBOX_DAY: day }: Services['config'],
  { tenantId }: Scope,
  keys: readonly string[],
): Promise<ReadonlySet<number>> {
  const bounds = (await isAccepted(client, tenantId))
    ? { hour, day }
    : { hour: partOf(hour), day: partOf(day) };
  return grantMails(client, 'mailbox', bounds, keys);
}

/**
 * Counts a mail by which a person proves an address, and tells whether it may be sent.
 * @param key as `proofMailKey` makes it
 */
export async function grantProofMail(
  client: Queryable,
  { MAILS_PER_MAILBOX_HOUR, MAILS_PER_MAILBOX_DAY }: Services['config'],
  key: string,
): Promise<boolean> {
  const bounds = { hour: partOf(MAILS_PER_MAILBOX_HOUR), day: partOf(MAILS_PER_MAILBOX_DAY) };
  return (await grantMails(client, 'mailbox-proof', bounds, [key])).size > 0;
}
