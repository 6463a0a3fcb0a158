import type { Pool } from 'pg';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { postings } from '../../src/domain/ledger/postings.ts';
import type { Harness, RestAnswer } from './harness.ts';
import type { TestTenant } from './factory.ts';

/** An entry as a test compares it. */
export interface EntryRow {
  readonly kind: string;
  readonly debit: string;
  readonly credit: string;
  readonly amount: string;
}

/** The entries of a payout, in the order of its transitions. */
export async function entriesOf(pool: Pool, payoutId: string): Promise<EntryRow[]> {
  const { rows } = await pool.query<EntryRow>(
    `SELECT kind, debit_account AS debit, credit_account AS credit, amount_minor::text AS amount
     FROM ledger_entry WHERE payout_id = $1 ORDER BY transition_seq`,
    [payoutId],
  );
  return rows;
}

export type Sums = Readonly<
  Record<'funds' | 'held' | 'in_transit' | 'paid' | 'fees' | 'external', number>
>;

/** The sums of a tenant in a currency, over all slots. */
export async function sumsOf(pool: Pool, tenantId: string, currency = 'USD'): Promise<Sums> {
  const { rows } = await pool.query<Sums>(
    `SELECT coalesce(sum(funds_minor), 0)::float8 AS funds, coalesce(sum(held_minor), 0)::float8 AS held,
       coalesce(sum(in_transit_minor), 0)::float8 AS in_transit, coalesce(sum(paid_minor), 0)::float8 AS paid,
       coalesce(sum(fees_minor), 0)::float8 AS fees, coalesce(sum(external_minor), 0)::float8 AS external
     FROM ledger_balance WHERE tenant_id = $1 AND currency = $2`,
    [tenantId, currency],
  );
  if (rows[0] === undefined) throw new Error('an aggregate has a row');
  return rows[0];
}

/** What may not be in the books of a tenant: differences between the payouts, the entries and the balances. */
export async function imbalances(pool: Pool, tenantId: string): Promise<unknown[]> {
  const expected = postings.map(({ from, to, kind, debit, credit }) => ({
    from_state: from,
    to_state: to,
    kind,
    debit,
    credit,
  }));
  const { rows } = await pool.query({
    name: 'imbalances',
    text: `WITH expected AS (
       SELECT t.payout_id, t.seq, p.currency, p.amount_minor, m.kind,
         CASE m.debit WHEN 'drawn' THEN d.draws_on ELSE m.debit END AS debit,
         CASE m.credit WHEN 'drawn' THEN d.draws_on ELSE m.credit END AS credit
       FROM payout_transition t
       JOIN payout p ON p.tenant_id = t.tenant_id AND p.id = t.payout_id
       JOIN tenant n ON n.id = t.tenant_id
       CROSS JOIN LATERAL (SELECT CASE n.environment WHEN 'sandbox' THEN 'external' ELSE 'funds' END AS draws_on) d
       JOIN jsonb_to_recordset($2::jsonb) AS m (from_state text, to_state text, kind text, debit text, credit text)
         ON m.from_state = t.from_state AND m.to_state = t.to_state
       WHERE t.tenant_id = $1
     ), posted AS (
       SELECT e.payout_id, e.transition_seq AS seq, e.currency, e.amount_minor, e.kind,
         e.debit_account AS debit, e.credit_account AS credit
       FROM ledger_entry e WHERE e.tenant_id = $1 AND e.transition_seq IS NOT NULL
     ), summed AS (
       SELECT e.currency,
         sum(CASE e.kind WHEN 'hold' THEN e.amount_minor WHEN 'release' THEN -e.amount_minor
           WHEN 'disburse' THEN -e.amount_minor ELSE 0 END) AS held,
         sum(CASE WHEN e.kind IN ('hold', 'release') THEN 0 WHEN e.debit_account = 'funds' THEN e.amount_minor
           WHEN e.credit_account = 'funds' THEN -e.amount_minor ELSE 0 END) AS funds,
         sum(CASE WHEN e.kind IN ('hold', 'release') THEN 0 WHEN e.debit_account = 'in_transit' THEN e.amount_minor
           WHEN e.credit_account = 'in_transit' THEN -e.amount_minor ELSE 0 END) AS in_transit,
         sum(CASE WHEN e.debit_account = 'paid' THEN e.amount_minor
           WHEN e.credit_account = 'paid' THEN -e.amount_minor ELSE 0 END) AS paid,
         sum(CASE WHEN e.kind IN ('hold', 'release') THEN 0 WHEN e.debit_account = 'external' THEN e.amount_minor
           WHEN e.credit_account = 'external' THEN -e.amount_minor ELSE 0 END) AS external,
         sum(CASE e.kind WHEN 'fee' THEN e.amount_minor ELSE 0 END) AS fees
       FROM ledger_entry e WHERE e.tenant_id = $1 GROUP BY e.currency
     ), kept AS (
       SELECT b.currency, sum(b.held_minor) AS held, sum(b.funds_minor) AS funds,
         sum(b.in_transit_minor) AS in_transit, sum(b.paid_minor) AS paid,
         sum(b.external_minor) AS external, sum(b.fees_minor) AS fees
       FROM ledger_balance b WHERE b.tenant_id = $1 GROUP BY b.currency
     )
     SELECT 'missing' AS what, to_jsonb(x) AS detail FROM (TABLE expected EXCEPT ALL TABLE posted) x
     UNION ALL SELECT 'surplus', to_jsonb(x) FROM (TABLE posted EXCEPT ALL TABLE expected) x
     UNION ALL SELECT 'balance', to_jsonb(x) FROM (
       (TABLE summed EXCEPT TABLE kept) UNION ALL
       (SELECT * FROM kept WHERE (held, funds, in_transit, paid, external, fees) <> (0, 0, 0, 0, 0, 0)
        EXCEPT TABLE summed)) x
     UNION ALL SELECT 'not zero together', to_jsonb(k) FROM kept k
       WHERE funds + in_transit + paid + fees + external <> 0`,
    values: [tenantId, JSON.stringify(expected)],
  });
  return rows;
}

/** What operators do about the funds of a tenant's business, over GraphQL. */
export async function fundingDesk(harness: Harness, tenant: TestTenant) {
  const { key } = await issueOperatorKey(harness.database.pool, 'Treasury');
  const run = (
    mutation: string,
    variables: Record<string, unknown>,
    selected: string,
  ): Promise<RestAnswer> => {
    const given = { businessId: tenant.businessId, reason: 'by the test', ...variables };
    const names = Object.keys(given);
    const declared = names.map((name) => `$${name}: ${types[name] ?? 'String!'}`).join(', ');
    const passed = names.map((name) => `${name}: $${name}`).join(', ');
    const query = `mutation (${declared}) { ${mutation}(${passed}) { ${selected} } }`;
    return harness.graphql(key, query, given);
  };
  const must = async (answer: Promise<RestAnswer>): Promise<void> => {
    const { body, text } = await answer;
    if (body.errors !== undefined) throw new Error(text);
  };
  const enforce = (minor: number, currency = 'USD') =>
    run(
      'operatorFundingModeSet',
      { mode: 'enforced', openingBalances: [{ currency, availableBalanceMinor: minor }] },
      'mode balances { currency postedMinor heldMinor availableMinor }',
    );
  const record = (kind: string, amountMinor: number, source: string, currency = 'USD') =>
    run('operatorFundingRecord', { kind, amountMinor, source, currency }, 'id kind amountMinor');
  return {
    run,
    enforce,
    record,
    enforced: (minor: number) => must(enforce(minor)),
    recorded: (kind: string, minor: number, source: string) => must(record(kind, minor, source)),
    report: () => run('operatorFundingModeSet', { mode: 'reported' }, 'mode changedAt'),
    balance: (minor: number, source?: string) =>
      run(
        'operatorBalanceReport',
        {
          currency: 'USD',
          availableBalanceMinor: minor,
          ...(source === undefined ? {} : { source }),
        },
        'availableBalanceMinor',
      ),
  };
}

const types: Readonly<Record<string, string>> = {
  businessId: 'ID!',
  mode: 'LedgerMode!',
  openingBalances: '[OperatorOpeningBalanceInput!]',
  kind: 'OperatorFundingKind!',
  amountMinor: 'MinorUnits!',
  availableBalanceMinor: 'MinorUnits!',
};
