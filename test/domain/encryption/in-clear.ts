import type { TestDatabase } from '../../support/database.ts';
import { personal } from '../../../src/domain/encryption/personal.ts';
import { columnName } from '../../../src/db/columns.ts';

/** What a payee told, as a release without encryption stored it. */
export interface ToldInClear {
  readonly email: string;
  readonly phone?: string | null;
  readonly registrationNumber?: string | null;
  readonly postalAddress?: object | null;
  readonly maskedBankDetails?: object | null;
}

/** Stores what beneficiaries told as a release without encryption did: in clear, with no hash. */
export async function putInClear(
  database: TestDatabase,
  told: ReadonlyMap<string, ToldInClear>,
): Promise<void> {
  const given = Array.from(told, ([id, values]) => ({
    id,
    email: values.email,
    email_key: values.email.toLowerCase(),
    phone: values.phone ?? null,
    registration_number: values.registrationNumber ?? null,
    postal_address: values.postalAddress ?? null,
    masked_bank_details: values.maskedBankDetails ?? null,
  }));
  await database.pool.query(
    `UPDATE beneficiary b SET
       email = g.email, email_key = g.email_key, phone = g.phone, registration_number = g.registration_number,
       postal_address = g.postal_address, masked_bank_details = g.masked_bank_details,
       email_ciphertext = NULL, email_hash = NULL, phone_ciphertext = NULL, registration_number_ciphertext = NULL,
       postal_address_ciphertext = NULL, masked_bank_details_ciphertext = NULL
     FROM jsonb_populate_recordset(NULL::beneficiary, $1::jsonb) g WHERE b.id = g.id`,
    [JSON.stringify(given)],
  );
}

/** Stores the name on the accounts of a beneficiary, and on their versions, in clear. */
export async function putHolderInClear(
  database: TestDatabase,
  beneficiaryId: string,
  holder: string,
): Promise<void> {
  for (const [table, id] of [
    ['bank_account', 'id'],
    ['bank_account_version', 'bank_account_id'],
  ] as const) {
    await database.pool.query(
      `UPDATE ${table} SET account_holder_name = $2, account_holder_name_ciphertext = NULL
       WHERE ${id} IN (SELECT a.id FROM bank_account a WHERE a.beneficiary_id = $1)`,
      [beneficiaryId, holder],
    );
  }
}

/** How many values of the clear columns there are. */
export async function countClearValues(database: TestDatabase): Promise<number> {
  let count = 0;
  for (const { table, fields } of Object.values(personal)) {
    for (const [field, { clear }] of Object.entries<{ clear?: true }>(fields)) {
      if (clear !== true) continue;
      const { rows } = await database.pool.query<{ found: number }>(
        `SELECT count(${columnName(field)})::integer AS found FROM ${table}`,
      );
      count += rows[0]?.found ?? 0;
    }
  }
  return count;
}
