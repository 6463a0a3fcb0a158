import { makeTenant } from '../support/factory.ts';
import type { BenchStack } from './stack.ts';

export interface BenchSeed {
  readonly key: string;
  readonly tenantId: string;
  readonly businessId: string;
  /** Body of a payout, but for its idempotency key. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** A funded tenant with one payee, made through the API. */
export async function seed(stack: BenchStack): Promise<BenchSeed> {
  const tenant = await makeTenant({ database: stack });
  const call = async (path: string, body: object): Promise<Record<string, { id: string }>> => {
    const answer = await fetch(stack.baseUrl + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as Record<string, { id: string }>;
  };
  const { beneficiary } = await call('/v1/beneficiaries', {
    beneficiary_type: 'person',
    email: 'bench@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    country_of_residence: 'US',
    date_of_birth: '1990-04-01',
    acknowledged: true,
  });
  const owner = beneficiary?.id ?? '';
  const account = await call(`/v1/beneficiaries/${owner}/bank-accounts`, {
    account_holder_name: 'Ada Lovelace',
    country: 'US',
    currency: 'USD',
    routing_code: '021000021',
    account_number: '000123456789',
  });
  return {
    key: tenant.key,
    tenantId: tenant.tenantId,
    businessId: tenant.businessId,
    body: {
      beneficiary_id: owner,
      bank_account_id: account['bank_account']?.id,
      amount_minor: 125_000,
      currency: 'USD',
      purpose_of_payment: 'contractor_payment',
    },
  };
}
