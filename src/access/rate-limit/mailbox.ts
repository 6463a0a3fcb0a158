import { lookupHash } from '../../domain/encryption/lookup.ts';
import { rows, type Queryable, type Statement } from '../../db/pool.ts';
import type { Services } from '../../process/services.ts';

/*
 * What all tenants together may have mailed to one mailbox. Anybody who registers can cause mails to any
 * address, so the bound is of the mailbox and not of who asks.
 */

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

/** Takes up to `units` of each scope in one statement, which locks the counters in one order. */
const reserveEach: Statement = {
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
};

interface Window {
  readonly name: 'hour' | 'day';
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
  const scopeOf = (index: number) => `mailbox-${name}:${keys[index] ?? ''}`;
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

/**
 * Counts one mail for each of some mailboxes, and tells which of them may be sent, by index. Called in the transaction
 * that adds the mails, before `grantCollectionMails`: others who mail to the same mailbox wait until it ends,
 * and a rollback gives back what was counted.
 */
export async function grantMails(
  client: Queryable,
  { MAILS_PER_MAILBOX_HOUR, MAILS_PER_MAILBOX_DAY }: Services['config'],
  keys: readonly string[],
): Promise<ReadonlySet<number>> {
  const all = keys.map((_key, index) => index);
  const hour = { name: 'hour', seconds: 3_600, quota: MAILS_PER_MAILBOX_HOUR } as const;
  const day = { name: 'day', seconds: 86_400, quota: MAILS_PER_MAILBOX_DAY } as const;
  const inHour = await grantIn(client, hour, keys, all);
  return new Set(await grantIn(client, day, keys, inHour));
}
