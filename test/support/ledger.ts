import type { Pool } from 'pg';
import { newId } from '../../src/values/ids.ts';
import { foreignKeysOff } from './foreign-keys.ts';

interface LedgerOptions {
  readonly count: number;
  /** Name on every payout. */
  readonly name?: string;
}

/**
 * `count` payouts of one new payee by one statement, past the rules: what an export reads, and no
 * more. Ids are in the order of their numbers; states and references differ from row to row.
 */
export async function seedLedger(
  pool: Pool,
  tenantId: string,
  { count, name = 'Ada Lovelace' }: LedgerOptions,
): Promise<void> {
  const beneficiaryId = newId('beneficiary');
  const accountId = newId('bankAccount');
  const client = await pool.connect();
  try {
    // The chain of transitions is held by foreign keys, which these rows are made without.
    await client.query(`BEGIN; ${foreignKeysOff}`);
    await client.query(
      `INSERT INTO beneficiary (tenant_id, id, beneficiary_type, email, email_key, first_name,
         last_name, compliance_status, transition_count)
       VALUES ($1, $2, 'person', $2, $2, 'Ada', 'Lovelace', 'compliant', 1)`,
      [tenantId, beneficiaryId],
    );
    await client.query(
      `INSERT INTO bank_account (tenant_id, id, beneficiary_id, account_holder_name, currency,
         country, last4, status, validation_status)
       VALUES ($1, $2, $3, 'Ada Lovelace', 'USD', 'US', '6789', 'verified', 'validated')`,
      [tenantId, accountId, beneficiaryId],
    );
    await client.query(
      `INSERT INTO payout (tenant_id, id, beneficiary_id, beneficiary_name, beneficiary_type,
         bank_account_id, bank_account_version, amount_minor, amount, currency, purpose_of_payment,
         external_ref, idempotency_key, validator_strategy, state, transition_count, rail_ref,
         created_by, created_at, updated_at, approved_at, disbursed_at, settled_at)
       SELECT $1, 'pay_' || lpad(n::text, 26, '0'), $2, $3, 'person', $4, 1, 125000 + n,
         ((125000 + n) / 100)::text || '.00', 'USD', 'contractor_payment', 'INV-' || n,
         md5(n::text), 'manual', CASE WHEN n % 10 = 0 THEN 'failed' ELSE 'settled' END, 1,
         'rail-' || n, '{}', at, at, at, at, at
       FROM generate_series(1, $5::integer) AS n,
         LATERAL (SELECT timestamptz '2026-01-01' + n * interval '1 second') AS t(at)`,
      [tenantId, beneficiaryId, name, accountId, count],
    );
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}
