import { randomUUID } from 'node:crypto';
import { newUlid } from '../../../src/values/ulid.ts';
import { eventually } from '../../support/factory.ts';
import { type Address, type Answer, type Caller, createCaller } from './client.ts';

export interface Payee {
  readonly beneficiary_id: string;
  readonly bank_account_id: string;
  readonly currency: string;
}

function expectStatus(answer: Answer, what: string, ...statuses: readonly number[]): Answer {
  if (statuses.includes(answer.status)) return answer;
  throw new Error(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
}

/** Registers a business with a funded sandbox, and returns a caller with its key. */
export async function registerBusiness(address: Address): Promise<Caller> {
  const nobody = createCaller(address, null);
  const registered = await nobody('POST', '/v1/registration', {
    email: `chaos.${randomUUID()}@gmail.com`,
    company_name: 'Chaos Company',
  });
  const key: string = expectStatus(registered, 'registration', 201).body.api_key.key;
  const call = createCaller(address, key);
  const profile = await call('PUT', '/v1/business/profile', {
    legal_name: 'Chaos Company LLC',
    registration_number: '1234567',
    country: 'US',
    address: {
      line1: '1 Market Street',
      city: 'San Francisco',
      state: 'CA',
      postal_code: '94105',
      country: 'US',
    },
    website: 'https://www.example.com',
    industry: 'software',
    contact_phone: '+14155550100',
  });
  expectStatus(profile, 'profile', 200);
  await eventually(async () => {
    const { body } = await call('GET', '/v1/funding/account');
    return body.funding_account?.available_balance_minor > 0;
  });
  return call;
}

/** Accounts in Germany with the endings of the sandbox bank. */
const ibans = {
  '3000': 'DE89370400440532013000',
  '0001': 'DE67370400440532010001',
  '0002': 'DE40370400440532010002',
};

async function addPayeeWith(
  call: Caller,
  account: Readonly<Record<string, string>> & { readonly currency: string },
): Promise<Payee> {
  const email = `payee.${randomUUID()}@example.com`;
  const made = await call('POST', '/v1/beneficiaries', {
    beneficiary_type: 'person',
    email,
    first_name: 'Ada',
    last_name: 'Lovelace',
    country_of_residence: 'US',
    date_of_birth: '1990-04-01',
    acknowledged: true,
    postal_address: { line1: '1 High Street', city: 'Example', country: 'DE' },
  });
  const beneficiaryId: string = expectStatus(made, 'beneficiary', 201).body.beneficiary.id;
  const added = await call('POST', `/v1/beneficiaries/${beneficiaryId}/bank-accounts`, {
    account_holder_name: 'Ada Lovelace',
    ...account,
  });
  expectStatus(added, 'bank account', 201);
  return {
    beneficiary_id: beneficiaryId,
    bank_account_id: added.body.bank_account.id,
    currency: account.currency,
  };
}

/** A payee in dollars whose account number has the ending that tells the simulator what becomes of payouts. */
export function addPayee(call: Caller, ending = '6789'): Promise<Payee> {
  return addPayeeWith(call, {
    country: 'US',
    currency: 'USD',
    routing_code: '021000021',
    account_number: `00012345${ending}`,
  });
}

/** The same in euro. */
export function addEuroPayee(call: Caller, ending: keyof typeof ibans): Promise<Payee> {
  return addPayeeWith(call, { country: 'DE', currency: 'EUR', iban: ibans[ending] });
}

/** A payee in dinars, which have three decimals, who is paid from an account in another currency. */
export function addDinarPayee(call: Caller): Promise<Payee> {
  return addPayeeWith(call, {
    country: 'DE',
    currency: 'KWD',
    iban: 'DE89370400440532013000',
    swift_bic: 'COBADEFFXXX',
  });
}

/** The same in crowns of Iceland, which have none. */
export function addCrownPayee(call: Caller): Promise<Payee> {
  return addPayeeWith(call, {
    country: 'IS',
    currency: 'ISK',
    iban: 'IS140159260076545510730339',
    swift_bic: 'NBIIISREXXX',
  });
}

/** Amounts with all of their digits, each another one. */
const amounts = { made: 0 };

function nextAmount(): number {
  amounts.made += 1;
  return 1_962 + 37 * amounts.made;
}

/** Creates a payout under a key of its own; 200 only when an earlier try had made it already. */
async function createPayout(
  call: Caller,
  payee: Payee,
  options: { auto: boolean; amountMinor?: number },
): Promise<string> {
  const created = await call('POST', '/v1/payouts', {
    ...payee,
    amount_minor: options.amountMinor ?? nextAmount(),
    purpose_of_payment: 'contractor_payment',
    validator_strategy: options.auto ? 'auto' : 'manual',
    idempotency_key: randomUUID(),
  });
  expectStatus(created, 'payout', ...(created.repeated ? [200, 201] : [201]));
  return created.body.payout.id;
}

/** Approves a payout by a decision with an id of its own, so that a repetition is a replay. */
async function approvePayout(call: Caller, payoutId: string): Promise<void> {
  const decided = await call('POST', `/v1/payouts/${payoutId}/decisions`, {
    decision_id: newUlid(),
    status: 'approved',
  });
  expectStatus(decided, 'decision', ...(decided.repeated ? [200, 201] : [201]));
}

/** Creates a payout and has it approved, by a decision or by itself. */
export async function pay(
  call: Caller,
  payee: Payee,
  options: { auto: boolean; amountMinor?: number },
): Promise<string> {
  const id = await createPayout(call, payee, options);
  if (!options.auto) await approvePayout(call, id);
  return id;
}
