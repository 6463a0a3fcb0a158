import type { Pool } from 'pg';
import type { Keyring } from '../../src/crypto/keyring.ts';
import { newId } from '../../src/values/ids.ts';

const batchSize = 10_000;

/** Payees with a usable account each, straight into the tables; their secrets open under `keyring`. */
export async function seedPayees(
  pool: Pool,
  keyring: Keyring,
  tenantId: string,
  total: number,
): Promise<void> {
  for (let made = 0; made < total; made += batchSize) {
    const count = Math.min(batchSize, total - made);
    const ids = Array.from({ length: count }, () => newId('beneficiary'));
    const seal = (field: string, text: string) =>
      ids.map((row) => keyring.encrypt(text, { tenantId, row, field }));
    await pool.query(
      `WITH payees AS (
         INSERT INTO beneficiary (
           tenant_id, id, beneficiary_type, email, email_key, first_name, last_name,
           country_of_residence, date_of_birth_ciphertext, tax_id_ciphertext, compliance_status,
           acknowledged_at, transition_count
         )
         SELECT $1, g.id, 'person', g.id || '@example.com', g.id || '@example.com', 'Ada', 'Lovelace',
           'GB', g.born, g.tax, 'compliant', now(), 1
         FROM unnest($2::text[], $4::bytea[], $5::bytea[]) AS g(id, born, tax)
       )
       INSERT INTO bank_account (
         tenant_id, id, beneficiary_id, account_holder_name, currency, country, last4, status,
         validation_status
       )
       SELECT $1, g.id, g.owner, 'Ada Lovelace', 'USD', 'US', '6789', 'verified', 'validated'
       FROM unnest($3::text[], $2::text[]) AS g(id, owner)`,
      [
        tenantId,
        ids,
        ids.map(() => newId('bankAccount')),
        seal('date_of_birth', '1990-04-01'),
        seal('tax_id', '12-3456789'),
      ],
    );
  }
  await pool.query('ANALYZE beneficiary; ANALYZE bank_account');
}

/** Reads one page over HTTP; the cursor of the next, or null after the last. */
export async function readPage(
  baseUrl: string,
  key: string,
  cursor: string | null,
  limit = 25,
): Promise<string | null> {
  const query = new URLSearchParams({
    limit: String(limit),
    ...(cursor === null ? {} : { cursor }),
  });
  const answer = await fetch(`${baseUrl}/v1/beneficiaries?${query.toString()}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  if (!answer.ok) throw new Error(await answer.text());
  const body = (await answer.json()) as {
    beneficiaries: { status: string }[];
    next_cursor: string | null;
  };
  if (body.beneficiaries.length === 0) throw new Error('an empty page');
  return body.next_cursor;
}
