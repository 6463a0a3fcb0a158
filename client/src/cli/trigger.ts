import type { PayoutClient } from '../client.ts';
import { newKey } from '../key.ts';
import { UsageError } from './words.ts';

/** Destinations whose endings the sandbox knows. */
const accounts = { settles: '000123456789', fails: '000123450001', returns: '000123450002' };

interface Payee {
  readonly beneficiary_id: string;
  readonly bank_account_id: string;
}

async function payee(client: PayoutClient, account_number = accounts.settles): Promise<Payee> {
  const { beneficiary } = await client.createBeneficiary({
    body: {
      beneficiary_type: 'person',
      email: `trigger-${newKey()}@example.com`.toLowerCase(),
      first_name: 'Ada',
      last_name: 'Lovelace',
      country_of_residence: 'US',
      date_of_birth: '1990-12-10',
      acknowledged: true,
    },
  });
  const { bank_account } = await client.registerBankAccount({
    path: { id: beneficiary.id },
    body: {
      account_holder_name: 'Ada Lovelace',
      country: 'US',
      currency: 'USD',
      routing_code: '021000021',
      account_number,
    },
  });
  return { beneficiary_id: beneficiary.id, bank_account_id: bank_account.id };
}

/** A payout of its own, and its id. */
async function payout(client: PayoutClient, account?: string): Promise<string> {
  const created = await client.createPayout({
    body: {
      ...(await payee(client, account)),
      amount_minor: 1_000,
      currency: 'USD',
      purpose_of_payment: 'other',
      idempotency_key: newKey(),
    },
  });
  return created.payout.id;
}

async function approved(client: PayoutClient, account?: string): Promise<string> {
  const payoutId = await payout(client, account);
  await client.approvePayout({ path: { payoutId } });
  return payoutId;
}

async function simulated(client: PayoutClient, ...events: ('hold' | 'release')[]): Promise<string> {
  const payoutId = await payout(client);
  for (const event of events) await client.simulatePayout({ path: { payoutId }, body: { event } });
  return payoutId;
}

/** What makes an event happen in the sandbox; gives the id of what it is about. */
type Trigger = (client: PayoutClient) => Promise<string>;

const settles: Trigger = (client) => approved(client);

const triggers: Readonly<Record<string, Trigger>> = {
  'webhook.test': async (client) => (await client.testWebhookSubscription()).delivery.event_id,
  'payout.created': (client) => payout(client),
  'payout.approved': settles,
  'payout.rejected': async (client) => {
    const payoutId = await payout(client);
    await client.rejectPayout({
      path: { payoutId },
      body: { reasons: [{ message: 'Triggered from the command line.' }] },
    });
    return payoutId;
  },
  'payout.canceled': async (client) => {
    const payoutId = await payout(client);
    await client.cancelPayout({ path: { payoutId } });
    return payoutId;
  },
  'payout.held': (client) => simulated(client, 'hold'),
  'payout.released': (client) => simulated(client, 'hold', 'release'),
  'payout.disbursement_submitted': settles,
  'payout.acknowledged': settles,
  'payout.estimated_arrival_at': settles,
  'payout.disbursed': settles,
  'payout.settled': settles,
  'payout.failed': (client) => approved(client, accounts.fails),
  'payout.returned': (client) => approved(client, accounts.returns),
  'beneficiary.created': async (client) => (await payee(client)).beneficiary_id,
  'beneficiary.ready': async (client) => (await payee(client)).beneficiary_id,
  'beneficiary.changed': async (client) => {
    const { beneficiary_id: id } = await payee(client);
    await client.updateBeneficiary({ path: { id }, body: { nickname: 'Ada' } });
    return id;
  },
  'beneficiary.archived': async (client) => {
    const { beneficiary_id: id } = await payee(client);
    await client.archiveBeneficiary({ path: { id } });
    return id;
  },
  'bank_account.verified': async (client) => (await payee(client)).bank_account_id,
};

export const triggered = Object.keys(triggers);

/** Makes an event happen to data of its own. Throws UsageError for one that it cannot cause. */
export async function trigger(client: PayoutClient, type: string): Promise<string> {
  const cause = triggers[type];
  if (cause === undefined) {
    throw new UsageError(`${type} cannot be triggered. These can: ${triggered.join(', ')}.`);
  }
  return cause(client);
}
