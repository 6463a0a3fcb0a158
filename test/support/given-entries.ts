import type { Pool, PoolClient } from 'pg';
import type { LedgerAccountName, LedgerKind } from '../../src/domain/ledger/names.ts';
import { newId } from '../../src/values/ids.ts';
import { foreignKeysOff } from './foreign-keys.ts';

/** An entry as a test gives it; the rest is chosen. */
export interface GivenEntry {
  readonly kind: LedgerKind;
  readonly debit: LedgerAccountName;
  readonly credit: LedgerAccountName;
  readonly amount: number;
  readonly currency?: string;
  readonly payoutId?: string;
  readonly seq?: number;
  readonly source?: string;
  /** ISO 8601. */
  readonly recordedAt?: string;
}

/** Works past the foreign keys, so that an entry needs no payout. */
async function pastKeys<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query(`BEGIN; ${foreignKeysOff}`);
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

/** Adds entries to the balances, in two slots, neither of which is a balance alone. */
async function addUp(
  client: PoolClient,
  tenantId: string,
  entries: readonly string[],
): Promise<void> {
  await client.query(
    `INSERT INTO ledger_account (tenant_id, currency, name)
     SELECT DISTINCT e.tenant_id, e.currency, a.name FROM ledger_entry e
     CROSS JOIN (VALUES ('funds'), ('in_transit'), ('paid'), ('fees'), ('external')) AS a (name)
     WHERE e.tenant_id = $1 AND e.id = ANY ($2) ON CONFLICT DO NOTHING`,
    [tenantId, entries],
  );
  await client.query(
    `INSERT INTO ledger_balance AS b (tenant_id, currency, slot, held_minor, funds_minor, in_transit_minor, paid_minor,
       fees_minor, external_minor, draws_on)
     SELECT e.tenant_id, e.currency, coalesce(e.transition_seq, 0) % 2, sum(e.held), sum(e.funds), sum(e.in_transit),
       sum(e.paid), sum(e.fees), sum(e.external), min(CASE t.environment WHEN 'sandbox' THEN 'external' ELSE 'funds' END)
     FROM ops.ledger_effect e JOIN tenant t ON t.id = e.tenant_id
     WHERE e.tenant_id = $1 AND e.entry_id = ANY ($2) GROUP BY 1, 2, 3
     ON CONFLICT (tenant_id, currency, slot) DO UPDATE SET held_minor = b.held_minor + excluded.held_minor,
       funds_minor = b.funds_minor + excluded.funds_minor, in_transit_minor = b.in_transit_minor + excluded.in_transit_minor,
       paid_minor = b.paid_minor + excluded.paid_minor, fees_minor = b.fees_minor + excluded.fees_minor,
       external_minor = b.external_minor + excluded.external_minor`,
    [tenantId, entries],
  );
}

/** Posts entries, and adds the balances up; the ids of the entries in their order. */
export function postEntries(
  pool: Pool,
  tenantId: string,
  given: readonly GivenEntry[],
): Promise<string[]> {
  const entries = given.map((entry) => ({
    id: newId('ledgerEntry'),
    currency: 'USD',
    recordedAt: new Date().toISOString(),
    ...entry,
  }));
  return pastKeys(pool, async (client) => {
    await client.query(
      `INSERT INTO ledger_entry (tenant_id, id, kind, currency, amount_minor, debit_account, credit_account, payout_id,
         transition_seq, source, recorded_at)
       SELECT $1, r.id, r.kind, r.currency, r.amount, r.debit, r.credit, r."payoutId", r.seq, r.source, r."recordedAt"
       FROM jsonb_to_recordset($2::jsonb) AS r (id text, kind text, currency text, amount bigint, debit text, credit text,
         "payoutId" text, seq integer, source text, "recordedAt" timestamptz)`,
      [tenantId, JSON.stringify(entries)],
    );
    const ids = entries.map(({ id }) => id);
    await addUp(client, tenantId, ids);
    return ids;
  });
}

/** Books what the transitions of a tenant's payouts imply; those that are booked stay. */
export function bookPayouts(pool: Pool, tenantId: string): Promise<void> {
  return pastKeys(pool, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `INSERT INTO ledger_entry (tenant_id, id, kind, currency, amount_minor, debit_account, credit_account, payout_id,
        transition_seq, recorded_at)
      SELECT p.tenant_id, 'ent_0' || left(md5(p.id || t.seq), 25), k.kind, p.currency, p.amount_minor,
        replace(k.debit, 'own', o.name), replace(k.credit, 'own', o.name), p.id, t.seq, t.recorded_at
      FROM payout_transition t
      JOIN payout p ON p.tenant_id = t.tenant_id AND p.id = t.payout_id
      JOIN tenant n ON n.id = p.tenant_id
      JOIN (VALUES ('sandbox', 'external'), ('production', 'funds')) AS o (environment, name) USING (environment)
      JOIN (VALUES
        ('new', 'approved', 'hold', 'in_transit', 'own'), ('pending_approval', 'approved', 'hold', 'in_transit', 'own'),
        ('approved', 'canceled', 'release', 'in_transit', 'own'), ('approved', 'failed', 'release', 'in_transit', 'own'),
        ('approved', 'compliance_hold', 'release', 'in_transit', 'own'),
        ('approved', 'disbursed', 'disburse', 'in_transit', 'own'), ('disbursed', 'settled', 'settle', 'paid', 'in_transit'),
        ('disbursed', 'failed', 'fail', 'own', 'in_transit'), ('disbursed', 'returned', 'return', 'own', 'in_transit'),
        ('settled', 'returned', 'return', 'own', 'paid')
      ) AS k (from_state, to_state, kind, debit, credit) ON k.from_state = t.from_state AND k.to_state = t.to_state
      WHERE p.tenant_id = $1
      ON CONFLICT DO NOTHING RETURNING id`,
      [tenantId],
    );
    await addUp(
      client,
      tenantId,
      rows.map(({ id }) => id),
    );
  });
}

/** Money that came in. */
export const funding = (amount: number, more: Partial<GivenEntry> = {}): GivenEntry => ({
  kind: 'funding',
  debit: 'funds',
  credit: 'external',
  amount,
  source: newId('request'),
  ...more,
});

/** A payout with a hold; `paid`: with all that follows too. */
export const payment = (amount: number, own: 'funds' | 'external', paid: boolean): GivenEntry[] => {
  const payoutId = newId('payout');
  const moves: GivenEntry[] = [
    { kind: 'hold', debit: 'in_transit', credit: own, amount, payoutId, seq: 2 },
    { kind: 'disburse', debit: 'in_transit', credit: own, amount, payoutId, seq: 3 },
    { kind: 'settle', debit: 'paid', credit: 'in_transit', amount, payoutId, seq: 4 },
  ];
  return paid ? moves : moves.slice(0, 1);
};

/** A minute of an hour. */
export const at = (minute: number): string =>
  new Date(Date.UTC(2026, 2, 1, 12, minute)).toISOString();

/** Entries oldest first, one a minute, but that the second and the third have one time. */
export const sampleEntries = (payoutId: string): GivenEntry[] => [
  funding(100, { recordedAt: at(0), source: 'report-1' }),
  funding(200, { recordedAt: at(1), source: 'report-2', currency: 'EUR' }),
  {
    kind: 'hold',
    debit: 'in_transit',
    credit: 'external',
    amount: 5,
    payoutId,
    seq: 2,
    recordedAt: at(1),
  },
  {
    kind: 'disburse',
    debit: 'in_transit',
    credit: 'external',
    amount: 5,
    payoutId,
    seq: 3,
    recordedAt: at(2),
  },
  {
    kind: 'fee',
    debit: 'fees',
    credit: 'funds',
    amount: 1,
    source: 'line-1',
    recordedAt: at(3),
  },
];
