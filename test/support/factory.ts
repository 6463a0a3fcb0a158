import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { makeKey } from '../../src/access/key.ts';
import type { Role } from '../../src/access/roles.ts';
import { newId } from '../../src/values/ids.ts';
import type { Harness } from './harness.ts';
import { conditionMs } from './patience.ts';

export interface TestTenant {
  readonly tenantId: string;
  readonly businessId: string;
  readonly environment: 'sandbox' | 'production';
  /** Key of the owner. */
  readonly key: string;
  /** Makes another member, who accepted, and a key of theirs with this role. */
  keyWithRole(role: Role): Promise<string>;
}

/**
 * A business with both tenants, an owner whose address is proven and a key, straight in the database; the sandbox wallet is
 * funded unless told otherwise.
 */
export async function makeTenant(
  { database }: { database: { pool: Pool } },
  options: { environment?: 'sandbox' | 'production'; funded?: boolean } = {},
): Promise<TestTenant> {
  const environment = options.environment ?? 'sandbox';
  const businessId = newId('business');
  const tenantIds = { sandbox: newId('tenant'), production: newId('tenant') };
  const { pool } = database;
  await pool.query(
    'INSERT INTO business (id, company_name, registration_proven_at) VALUES ($1, $2, now())',
    [businessId, 'Test Business'],
  );
  await pool.query(
    `INSERT INTO tenant (id, business_id, environment) VALUES ($1, $3, 'sandbox'), ($2, $3, 'production')`,
    [tenantIds.sandbox, tenantIds.production, businessId],
  );
  const tenantId = tenantIds[environment];
  if (options.funded !== false) {
    await pool.query(
      `INSERT INTO funding_account (tenant_id, id, currency, status, available_balance_minor, as_of)
       VALUES ($1, $2, 'USD', 'active', 100000000, now())`,
      [tenantId, newId('fundingAccount')],
    );
  }

  async function keyWithRole(role: Role, registrant = false): Promise<string> {
    const userId = newId('user');
    const membershipId = newId('membership');
    const keyId = newId('apiKey');
    const email = `${randomUUID()}@example.com`;
    const { key, hash } = makeKey(environment, keyId);
    await pool.query(
      'INSERT INTO app_user (id, email, email_key, registered_business_id) VALUES ($1, $2, $2, $3)',
      [userId, email, registrant ? businessId : null],
    );
    await pool.query(
      'INSERT INTO membership (id, business_id, user_id, role, accepted_at) VALUES ($1, $2, $3, $4, now())',
      [membershipId, businessId, userId, role],
    );
    await pool.query(
      `INSERT INTO api_key (id, tenant_id, business_id, membership_id, role, secret_hash)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [keyId, tenantId, businessId, membershipId, role, hash],
    );
    return key;
  }

  const key = await keyWithRole('owner', true);
  return { tenantId, businessId, environment, key, keyWithRole: (role) => keyWithRole(role) };
}

/** Waits until `check` gives a value, for what jobs do; fails where it gives none for very long. */
export async function eventually<T>(
  check: () => Promise<T | null | undefined | false>,
): Promise<T> {
  const deadline = Date.now() + conditionMs;
  for (;;) {
    const value = await check();
    if (value !== null && value !== undefined && value !== false) return value;
    if (Date.now() > deadline) throw new Error(`not within ${conditionMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

export interface TestPayee {
  readonly beneficiaryId: string;
  readonly bankAccountId: string;
}

/** A compliant person with a usable US account, made through the API. */
export async function makePayee(
  harness: Harness,
  key: string,
  options: { accountNumber?: string; acknowledged?: boolean; postalAddress?: object } = {},
): Promise<TestPayee> {
  const created = await harness.rest('POST', '/v1/beneficiaries', {
    key,
    body: {
      beneficiary_type: 'person',
      email: `payee-${randomUUID()}@example.com`,
      first_name: 'Ada',
      last_name: 'Lovelace',
      country_of_residence: 'US',
      date_of_birth: '1990-04-01',
      acknowledged: options.acknowledged ?? true,
      postal_address: options.postalAddress,
    },
  });
  if (created.status !== 201) throw new Error(`beneficiary: ${created.text}`);
  const beneficiaryId: string = created.body.beneficiary.id;
  const account = await harness.rest('POST', `/v1/beneficiaries/${beneficiaryId}/bank-accounts`, {
    key,
    body: {
      account_holder_name: 'Ada Lovelace',
      country: 'US',
      currency: 'USD',
      routing_code: '021000021',
      account_number: options.accountNumber ?? '000123456789',
    },
  });
  if (account.status !== 201) throw new Error(`bank account: ${account.text}`);
  return { beneficiaryId, bankAccountId: account.body.bank_account.id };
}

/** The body of a payout to a payee. */
export function payoutBody(payee: TestPayee, more: Record<string, unknown> = {}) {
  return {
    beneficiary_id: payee.beneficiaryId,
    bank_account_id: payee.bankAccountId,
    amount_minor: 125_000,
    currency: 'USD',
    purpose_of_payment: 'contractor_payment',
    idempotency_key: randomUUID(),
    ...more,
  };
}
