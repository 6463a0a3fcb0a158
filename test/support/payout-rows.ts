import type { Pool } from 'pg';
import { newId } from '../../src/values/ids.ts';
import { foreignKeysOff } from './foreign-keys.ts';

/** A payout as lists and figures see it; times are ISO 8601. */
export interface PayoutRow {
  readonly id: string;
  readonly state: string;
  readonly currency: string;
  readonly amount_minor: number;
  readonly beneficiary_name: string;
  readonly provider: string | null;
  readonly failure_code: string | null;
  readonly beneficiary_id: string;
  readonly external_ref: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly approved_at: string | null;
  readonly disbursed_at: string | null;
  readonly settled_at: string | null;
}

/** A payout that waits for a decision since it was created, but for what is given. */
export function payoutRow(given: Partial<PayoutRow> = {}): PayoutRow {
  const created_at = given.created_at ?? '2026-03-01T12:00:00.000Z';
  return {
    id: newId('payout'),
    state: 'pending_approval',
    currency: 'USD',
    amount_minor: 100,
    beneficiary_name: 'Ada Lovelace',
    provider: null,
    failure_code: null,
    beneficiary_id: 'ben_1',
    external_ref: null,
    updated_at: created_at,
    approved_at: null,
    disbursed_at: null,
    settled_at: null,
    ...given,
    created_at,
  };
}

/** Puts payouts into the table, without the rows that they refer to. */
export async function insertPayoutRows(
  pool: Pool,
  tenantId: string,
  rows: readonly PayoutRow[],
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(`BEGIN; ${foreignKeysOff}`);
    await client.query(
      `INSERT INTO payout (tenant_id, id, beneficiary_id, beneficiary_name, beneficiary_type, bank_account_id, bank_account_version,
         amount_minor, amount, currency, purpose_of_payment, external_ref, idempotency_key, validator_strategy, state, transition_count,
         provider, failure_code, created_by, created_at, updated_at, approved_at, disbursed_at, settled_at)
       SELECT $1, r.id, r.beneficiary_id, r.beneficiary_name, 'person', 'bac_1', 1, r.amount_minor, r.amount_minor::text, r.currency,
         'payroll', r.external_ref, r.id, 'manual', r.state, 1, r.provider, r.failure_code, '{}', r.created_at, r.updated_at,
         r.approved_at, r.disbursed_at, r.settled_at
       FROM jsonb_to_recordset($2::jsonb) AS r (
         id text, beneficiary_id text, beneficiary_name text, amount_minor bigint, currency text, external_ref text, state text,
         provider text, failure_code text, created_at timestamptz, updated_at timestamptz, approved_at timestamptz,
         disbursed_at timestamptz, settled_at timestamptz)`,
      [tenantId, JSON.stringify(rows)],
    );
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}
