import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { jobScope } from '../../../src/access/system.ts';
import { loadConfig } from '../../../src/process/config.ts';
import { registerBankAccount } from '../../../src/domain/bank-account/register.ts';
import { replaceBankAccountDetails } from '../../../src/domain/bank-account/update.ts';
import { draftConnection } from '../../../src/domain/bank-connection/draft.ts';
import { connectionFacts } from '../../../src/domain/bank-connection/input.ts';
import { insertConnection } from '../../../src/domain/bank-connection/write-store.ts';
import { createBeneficiary } from '../../../src/domain/beneficiary/create.ts';
import { storeDraft } from '../../../src/domain/collection/draft.ts';
import { inviteBeneficiaries } from '../../../src/domain/collection/invite.ts';
import { insertTaxDocument } from '../../../src/domain/collection/tax-document-store.ts';
import { encryptedColumns } from '../../../src/domain/encryption/columns.ts';
import { enrollBeneficiary } from '../../../src/domain/enrollment/enroll.ts';
import { registerSubscription } from '../../../src/domain/webhook/subscription/register.ts';
import { inTransaction } from '../../../src/db/pool.ts';
import { propose } from '../../../src/domain/proposed-change/store.ts';
import { newId } from '../../../src/values/ids.ts';
import { createServices, type Call, type Services } from '../../../src/process/services.ts';
import { bankRows } from '../../support/bank-rows.ts';
import { europeanBank } from '../../support/banking.ts';
import { files } from '../../support/collection.ts';
import type { TestDatabase } from '../../support/database.ts';
import { makeTenant } from '../../support/factory.ts';

const key = () => randomBytes(32).toString('base64');
const [k1, k2] = [`k1:${key()}`, `k2:${key()}`];
/** The keyring before, during and after a rotation. */
export const rings = { before: k1, during: `${k2},${k1}`, after: k2 } as const;

export function servicesWith(database: TestDatabase, ring: string): Services {
  const config = loadConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    DATABASE_URL: database.url,
    DATABASE_POOL_SIZE: '6',
    ENCRYPTION_KEYS: ring,
    ENROLL_WAIT_MS: '1',
    WEBHOOK_ALLOWED_HOSTS: 'localhost',
  });
  return createServices(config, 'worker');
}

export async function callOf(services: Services, tenantId: string): Promise<Call> {
  const scope = await jobScope(services.pool, tenantId, { type: 'system', name: 'test' });
  return { services, scope };
}

export interface SeededPayee {
  readonly beneficiaryId: string;
  readonly bankAccountId: string;
  readonly dateOfBirth: string;
  readonly taxId: string;
  /** By version, from 1. */
  readonly accountNumbers: readonly string[];
}

export interface SeededTenant {
  readonly tenantId: string;
  readonly secret: string;
  readonly subscriptionId: string;
  readonly payees: readonly SeededPayee[];
  /** A bank account's enrollment that waits for the provider; of the first payee. */
  readonly enrollmentId: string;
  /** A collection request with a draft, and a tax document; of the first payee. */
  readonly requestId: string;
  readonly documentId: string;
}

const account = (accountNumber: string) => ({
  accountHolderName: 'Ada Lovelace',
  country: 'US',
  currency: 'USD',
  routingCode: '021000021',
  accountNumber,
});

let count = 0;

async function seedPayee(call: Call): Promise<SeededPayee> {
  count += 1;
  const serial = String(count).padStart(4, '0');
  const dateOfBirth = `19${70 + (count % 30)}-02-03`;
  const taxId = `TAX-${serial}`;
  const { id: beneficiaryId } = await createBeneficiary(call, {
    beneficiaryType: 'person',
    email: `payee-${serial}@example.com`,
    firstName: 'Ada',
    lastName: 'Lovelace',
    countryOfResidence: 'US',
    dateOfBirth,
    taxId,
    acknowledged: true,
  });
  const accountNumbers = [`1000${serial}`, `2000${serial}`];
  const [first = '', second = ''] = accountNumbers;
  const {
    account: { id: bankAccountId },
  } = await registerBankAccount(call, beneficiaryId, account(first));
  await replaceBankAccountDetails(call, beneficiaryId, bankAccountId, account(second));
  return { beneficiaryId, bankAccountId, dateOfBirth, taxId, accountNumbers };
}

/** A business with everything that a payee may tell about itself and a person does not have. */
async function seedBusiness(call: Call): Promise<void> {
  count += 1;
  await createBeneficiary(call, {
    beneficiaryType: 'business',
    email: `business-${count}@example.com`,
    phone: '+44 20 7946 0000',
    businessName: 'Engines Ltd',
    countryOfIncorporation: 'GB',
    registrationNumber: `REG-${count}`,
    postalAddress: { line1: '1 Analytical Row', city: 'London', country: 'GB' },
    bankDetails: account(`3000${count}`),
  });
}

/** The tax number in a seeded draft, and the file of a seeded document. */
export const collectedParts = { draft: { identity: { taxId: 'TAX-DRAFT' } }, file: files.pdf };

async function seedCollection(call: Call, beneficiaryId: string) {
  const [invited] = await inviteBeneficiaries(call, [{ beneficiaryId, scope: 'bank_details' }]);
  const requestId = invited?.request?.id ?? '';
  await storeDraft(call, requestId, collectedParts.draft, null);
  const { file } = collectedParts;
  const document = { beneficiaryId, requestId, formType: 'w9', file } as const;
  const documentId = await insertTaxDocument(call.services.pool, call, document);
  return { requestId, documentId };
}

async function seedBank(pool: Pool, call: Call, payee: SeededPayee): Promise<void> {
  const { account } = europeanBank;
  const furtherAccounts = [{ ...account, currency: 'CHF' }];
  const facts = connectionFacts.parse({ ...europeanBank, furtherAccounts });
  const row = await draftConnection(call, facts);
  await insertConnection(call.services.pool, call.scope, row);
  const rows = bankRows(pool, call);
  await rows.batch(row.id);
  const file = await rows.file(row.id);
  await rows.proposal(row.id, file, { ...payee, payoutId: newId('payout') });
  await inTransaction(pool, (client) =>
    propose(client, call, {
      kind: 'bank_connection_change',
      subjectId: row.id,
      given: { transport: europeanBank.transport },
      shown: {},
      reason: null,
      who: newId('operatorKey'),
    }),
  );
}

/** An answer of a bank about an account's holder. */
async function seedNameCheck(pool: Pool, call: Call, bankAccountId: string): Promise<void> {
  const { tenantId } = call.scope;
  const id = newId('nameCheck');
  const name = call.services.keyring.encrypt('Ada', {
    tenantId,
    row: id,
    field: 'name_on_file',
  });
  await pool.query(
    `INSERT INTO name_check (
       tenant_id, id, bank_account_id, version, result, source, code, name_on_file_ciphertext
     ) VALUES ($1, $2, $3, 1, 'close_match', 'simulator', 'MBAM', $4)`,
    [tenantId, id, bankAccountId, name],
  );
}

/** A result of the screening with a hit, as screen.ts stores them. */
async function seedScreening(pool: Pool, call: Call, beneficiaryId: string): Promise<void> {
  const { tenantId } = call.scope;
  const [result, hit] = [newId('screeningResult'), newId('screeningHit')];
  const sealed = (row: string, field: string) =>
    call.services.keyring.encrypt('{"name":"Ada"}', { tenantId, row, field });
  await pool.query(
    `WITH result AS (
       INSERT INTO screening_result (
         tenant_id, id, beneficiary_id, cause, engine, lists, incomplete, threshold, hits, subject_ciphertext
       ) VALUES ($1, $2, $4, 'payee', 'embedded', '[]', false, 0.8, 1, $5) RETURNING id
     )
     INSERT INTO screening_hit (
       tenant_id, id, beneficiary_id, result_id, kind, ref, entry_digest, score, ofac, explained_ciphertext
     ) SELECT $1, $3, $4, id, 'own', '1', 'digest', 0.9, 90, $6 FROM result`,
    [tenantId, result, hit, beneficiaryId, sealed(result, 'subject'), sealed(hit, 'explained')],
  );
}

/** A tenant with something in every encrypted column, made by the commands themselves. */
export async function seedTenant(
  database: TestDatabase,
  services: Services,
): Promise<SeededTenant> {
  const { tenantId } = await makeTenant({ database });
  const call = await callOf(services, tenantId);
  const { subscription, secret } = await registerSubscription(call, {
    url: 'https://localhost/hook',
    enabledEvents: ['payout.settled'],
  });
  const payees = [await seedPayee(call), await seedPayee(call), await seedPayee(call)];
  await seedBusiness(call);
  const [first] = payees;
  if (first === undefined) throw new Error('no payee');
  await enrollBeneficiary(call, first.beneficiaryId, first.bankAccountId);
  const { rows } = await database.pool.query<{ id: string }>(
    'SELECT id FROM enrollment WHERE tenant_id = $1',
    [tenantId],
  );
  const enrollmentId = rows[0]?.id ?? '';
  const collected = await seedCollection(call, first.beneficiaryId);
  await seedBank(database.pool, call, first);
  await seedScreening(database.pool, call, first.beneficiaryId);
  await seedNameCheck(database.pool, call, first.bankAccountId);
  return { tenantId, secret, subscriptionId: subscription.id, payees, enrollmentId, ...collected };
}

/** Many payees of one tenant with a tax id each, straight into the table. */
export async function seedMany(
  database: TestDatabase,
  services: Services,
  total: number,
): Promise<string> {
  const { tenantId } = await makeTenant({ database });
  const ids = Array.from({ length: total }, () => newId('beneficiary'));
  const sealed = ids.map((id) =>
    services.keyring.encrypt(`tax id of ${id}`, { tenantId, row: id, field: 'tax_id' }),
  );
  await database.pool.query(
    `INSERT INTO beneficiary (
       tenant_id, id, beneficiary_type, compliance_status, transition_count, tax_id_ciphertext
     )
     SELECT $1, g.id, 'person', 'pending', 1, g.sealed
     FROM unnest($2::text[], $3::bytea[]) AS g(id, sealed)`,
    [tenantId, ids, sealed],
  );
  return tenantId;
}

/** Everything that a rotation may not change: all rows without their ciphertexts. */
export async function visibleRows(database: TestDatabase): Promise<string> {
  const parts: string[] = [];
  for (const table of new Set(encryptedColumns.map((one) => one.table))) {
    const { rows } = await database.pool.query<{ all: string }>(
      `SELECT coalesce(jsonb_agg(v ORDER BY v), '[]')::text AS all FROM (
         SELECT to_jsonb(t) - $1::text[] AS v FROM ${table} t
       ) visible`,
      [encryptedColumns.map((one) => one.column)],
    );
    parts.push(rows[0]?.all ?? '');
  }
  return parts.join('\n');
}
