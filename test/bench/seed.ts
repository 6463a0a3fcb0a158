import { randomUUID } from 'node:crypto';
import { makeTenant } from '../support/factory.ts';
import type { BenchStack } from './stack.ts';

/** A funded tenant's calls of the API. */
export interface BenchClient {
  readonly key: string;
  readonly tenantId: string;
  readonly businessId: string;
  /** Posts a body and resolves with the answer; throws what is refused. */
  call(path: string, body: object): Promise<Record<string, { id: string }>>;
}

export interface BenchSeed extends Omit<BenchClient, 'call'> {
  /** Body of a payout, but for its idempotency key. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** A funded tenant without payees. */
export async function makeClient(stack: BenchStack): Promise<BenchClient> {
  const { key, tenantId, businessId } = await makeTenant({ database: stack });
  return {
    key,
    tenantId,
    businessId,
    async call(path, body) {
      const answer = await fetch(stack.baseUrl + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(await answer.text());
      return (await answer.json()) as Record<string, { id: string }>;
    },
  };
}

/** A payee with an account of its own, made through the API: the body of a payout to it, but for its key. */
export async function addAccount(client: BenchClient): Promise<Readonly<Record<string, unknown>>> {
  const { beneficiary } = await client.call('/v1/beneficiaries', {
    beneficiary_type: 'person',
    email: `${randomUUID()}@example.com`,
    first_name: 'Ada',
    last_name: 'Lovelace',
    country_of_residence: 'US',
    date_of_birth: '1990-04-01',
    acknowledged: true,
  });
  const owner = beneficiary?.id ?? '';
  const account = await client.call(`/v1/beneficiaries/${owner}/bank-accounts`, {
    account_holder_name: 'Ada Lovelace',
    country: 'US',
    currency: 'USD',
    routing_code: '021000021',
    account_number: '000123456789',
  });
  return {
    beneficiary_id: owner,
    bank_account_id: account['bank_account']?.id,
    amount_minor: 125_000,
    currency: 'USD',
    purpose_of_payment: 'contractor_payment',
  };
}

/** A funded tenant with one payee, made through the API. */
export async function seed(stack: BenchStack): Promise<BenchSeed> {
  const client = await makeClient(stack);
  const { key, tenantId, businessId } = client;
  return { key, tenantId, businessId, body: await addAccount(client) };
}
