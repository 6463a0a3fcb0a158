import { Prisma } from '../../../../generated/prisma/client.ts';
import { columns } from '../../../db/columns.ts';
import { beginsWithName } from '../../../db/name-prefix.ts';
import { named } from '../../../db/named.ts';
import { groups } from '../list/groups.ts';

/** What of a payout a text can be, the surest first. */
export const searchKinds = [
  'id',
  'external_ref',
  'idempotency_key',
  'beneficiary_id',
  'provider_payout_id',
  'payee_name',
  'account',
  'amount',
] as const;
export type SearchKind = (typeof searchKinds)[number];

const hits = (kind: SearchKind, found: string) =>
  `(SELECT '${kind}' AS kind, h.id FROM (${found}) h ORDER BY h.id DESC LIMIT @take)`;

/**
 * Payouts of which a column of an index `(tenant_id, column, id)` is the text, newest first. Both bounds say so, and the
 * order names one index: with an equality the planner would take the order of the ids alone, and walk through all payouts.
 */
const exactly = (column: string) => `
      SELECT p.id FROM payout p
      WHERE p.tenant_id = @tenant AND p.${column} IS NOT NULL
        AND (p.${column}, p.id) > (@text, '') AND (p.${column}, p.id) < (@text, '~')
      ORDER BY p.${column} DESC, p.id DESC LIMIT @take`;

/** The payouts of one payee that the search looks at, newest first. */
const ofPayee = (payee: string, columns: string) => `
          SELECT ${columns} FROM payout p
          WHERE p.tenant_id = @tenant AND (p.beneficiary_id, p.id) > (${payee}, '') AND (p.beneficiary_id, p.id) < (${payee}, '~')
          ORDER BY p.beneficiary_id DESC, p.id DESC`;

/** Payees, and accounts, whose payouts are looked at. A person who meant another one writes more of the text. */
const mostPayees = 20;

/** Payouts of the owner of an account among which those to the account are looked for. */
const mostOfOwner = 50;

/**
 * The newest payouts that a text can mean, by what it means. Each kind is a walk through an index of its own that
 * stops with the last row wanted, so that a search costs the same whatever it finds.
 */
export const searchStatement = named(
  'search_payouts_by_any',
  [
    'tenant',
    'states',
    'currency',
    'failureCode',
    'provider',
    'text',
    'last4',
    'name',
    'nameEnd',
    'currencies',
    'amounts',
    'take',
  ],
  `${groups}, begins AS (
      SELECT k.id FROM groups g CROSS JOIN LATERAL (
        SELECT p.id FROM payout p
        WHERE @name::text IS NOT NULL AND p.tenant_id = @tenant AND p.list_group = g.name
          AND ${beginsWithName('p.beneficiary_name_key')}
        ORDER BY p.beneficiary_name_key DESC, p.id DESC LIMIT @take
      ) k
    ), hits AS (
      ${hits('id', 'SELECT p.id FROM payout p WHERE p.tenant_id = @tenant AND p.id = @text')}
      UNION ALL
      ${hits('external_ref', exactly('external_ref'))}
      UNION ALL
      ${hits('idempotency_key', exactly('idempotency_key'))}
      UNION ALL
      ${hits('beneficiary_id', exactly('beneficiary_id'))}
      UNION ALL
      ${hits(
        'provider_payout_id',
        `SELECT a.payout_id AS id
        FROM (SELECT DISTINCT split_part(g.name, ' ', 4) AS name FROM groups g) known
        JOIN disbursement_attempt a
          ON a.tenant_id = @tenant AND a.provider = known.name AND a.provider_payout_id = @text`,
      )}
      UNION ALL
      ${hits(
        'payee_name',
        `SELECT b.id FROM begins b
        UNION
        SELECT k.id FROM ops.payees_named(
          @tenant, @text, CASE WHEN (SELECT count(*) FROM begins) < @take::integer THEN ${mostPayees} ELSE 0 END, false
        ) n CROSS JOIN LATERAL (${ofPayee('n.id', 'p.id')} LIMIT @take) k`,
      )}
      UNION ALL
      ${hits(
        'account',
        `SELECT k.id FROM (
          SELECT a.id, a.beneficiary_id FROM bank_account a
          WHERE a.tenant_id = @tenant AND (a.last4, a.id) > (@last4::text, '') AND (a.last4, a.id) < (@last4::text, '~')
          ORDER BY a.last4 DESC, a.id DESC LIMIT ${mostPayees}
        ) a CROSS JOIN LATERAL (${ofPayee('a.beneficiary_id', 'p.id, p.bank_account_id')} LIMIT ${mostOfOwner}) k
        WHERE k.bank_account_id = a.id`,
      )}
      UNION ALL
      ${hits(
        'amount',
        `SELECT k.id FROM groups g
        JOIN unnest(@currencies::text[], @amounts::bigint[]) AS meant (currency, amount)
          ON meant.currency = split_part(g.name, ' ', 2)
        CROSS JOIN LATERAL (
          SELECT p.id FROM payout p
          WHERE p.tenant_id = @tenant AND p.list_group = g.name AND (p.amount_minor, p.id) > (meant.amount, '') AND (p.amount_minor, p.id) < (meant.amount, '~')
          ORDER BY p.amount_minor DESC, p.id DESC LIMIT @take
        ) k`,
      )}
    )
    SELECT k.kind, ${columns(Prisma.PayoutScalarFieldEnum, 'p')}
    FROM hits k CROSS JOIN LATERAL (
      SELECT p.* FROM payout p WHERE p.tenant_id = @tenant AND p.id = k.id LIMIT 1
    ) p`,
);
