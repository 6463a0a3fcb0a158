import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isApiError, type Input, type Payout, type PayoutClient } from '../../client/src/index.ts';
import { persist } from './persist.ts';
import type { Receiver } from './receiver.ts';
import { untilRefused } from './refused-deliveries.ts';
import type { DemoStep } from './stepper.ts';

/** The event types of a payout that settles. */
const eventTypes = [
  'payout.disbursement_submitted',
  'payout.acknowledged',
  'payout.estimated_arrival_at',
  'payout.disbursed',
] as const;

export interface ScenarioContext {
  /** Has no key yet: the registration gives one. */
  readonly client: PayoutClient;
  readonly receiver: Receiver;
  /** How long a call is repeated while the service does not answer. */
  readonly retryMs: number;
  readonly signal: AbortSignal;
  readonly step: DemoStep;
}

const pollMs = 250;
export const random = (): string => randomBytes(6).toString('hex');

/** Polls until `ask` returns something, or the signal aborts. */
export async function poll<Value>(
  signal: AbortSignal,
  ask: () => Promise<Value | null>,
): Promise<Value> {
  for (;;) {
    const value = await ask();
    if (value !== null) return value;
    await sleep(pollMs, undefined, { signal });
  }
}

export async function register(
  context: ScenarioContext,
): Promise<{ businessId: string; key: string }> {
  let registered = { businessId: '', key: '' };
  await context.step('register a business', async () => {
    // A repetition uses another e-mail address: the key in a lost answer cannot be shown again.
    const { business, api_key: apiKey } = await persist(context, () =>
      context.client.register({
        body: { email: `demo-${random()}@example.com`, company_name: 'Demo Company' },
      }),
    );
    registered = { businessId: business.id, key: apiKey.key };
    return business.id;
  });
  return registered;
}

export async function submitProfile(context: ScenarioContext): Promise<void> {
  await context.step('submit the business profile', async () => {
    const profile = {
      legal_name: 'Demo Company LLC',
      registration_number: '12-3456789',
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
    };
    await persist(context, () => context.client.updateBusinessProfile({ body: profile }));
    return '';
  });
}

export async function waitForFunding({ client, signal, step }: ScenarioContext): Promise<void> {
  await step('wait for test money', async () => {
    const balance = await poll(signal, async () => {
      try {
        const { funding_account: account } = await client.getFundingAccount();
        return account.available_balance_minor > 0 ? account.available_balance_minor : null;
      } catch (error) {
        // There is no account until the job that opens it has run.
        if (isApiError(error, 'FUNDING_DEDICATED_ACCOUNT_NOT_PROVISIONED')) return null;
        throw error;
      }
    });
    return `${balance} minor units`;
  });
}

export async function createBeneficiary(context: ScenarioContext): Promise<string> {
  const { client, step } = context;
  let id = '';
  await step('create a beneficiary', async () => {
    const email = `payee-${random()}@example.com`;
    const person = {
      beneficiary_type: 'person',
      email,
      first_name: 'Ada',
      last_name: 'Example',
      country_of_residence: 'US',
      date_of_birth: '1990-04-01',
      acknowledged: true,
      postal_address: { line1: '1 High Street', city: 'Springfield', country: 'US' },
    } as const;
    const { beneficiary } = await persist(context, async () => {
      try {
        return await client.createBeneficiary({ body: person });
      } catch (error) {
        // An earlier attempt, whose answer was lost, has created it.
        if (!isApiError(error, 'BENEFICIARY_EMAIL_ALREADY_EXISTS')) throw error;
        const { beneficiaries } = await client.listBeneficiaries({ query: { email } });
        const [found] = beneficiaries;
        if (found === undefined) throw error;
        return { beneficiary: found };
      }
    });
    id = beneficiary.id;
    return id;
  });
  return id;
}

const account = {
  account_holder_name: 'Ada Example',
  country: 'US',
  currency: 'USD',
  routing_code: '021000021',
  account_number: '123456789',
  account_type: 'checking',
} as const;

async function addBankAccount(context: ScenarioContext, beneficiaryId: string): Promise<string> {
  const { client, step } = context;
  let id = '';
  await step('register a bank account', async () => {
    const path = { id: beneficiaryId };
    const { bank_account: registered } = await persist(
      context,
      () => client.registerBankAccount({ path, body: account }),
      async () => {
        const { bank_accounts: all } = await client.listBankAccounts({ path });
        const found = all.find(({ last4 }) => last4 === account.account_number.slice(-4));
        return found === undefined ? null : { bank_account: found };
      },
    );
    if (!registered.payout_usable) throw new Error('The bank account is not payout-usable.');
    id = registered.id;
    return id;
  });
  return id;
}

async function enroll(context: ScenarioContext, beneficiaryId: string): Promise<void> {
  const { client, signal, step } = context;
  await step('enroll at the provider', async () => {
    const path = { id: beneficiaryId };
    let { beneficiary } = await persist(context, () => client.enrollBeneficiary({ path }));
    if (beneficiary.enrollment_status === 'pending') {
      beneficiary = await poll(signal, async () => {
        const { beneficiary: now } = await client.getBeneficiary({ path });
        return now.enrollment_status === 'pending' ? null : now;
      });
    }
    const status = beneficiary.enrollment_status ?? 'none';
    if (status !== 'verified') throw new Error(`The enrollment is ${status}, not verified.`);
    return status;
  });
}

export async function subscribe(
  context: ScenarioContext,
  events: ReadonlyArray<EventType>,
): Promise<void> {
  const { client, receiver, step } = context;
  await step('subscribe to webhooks', async () => {
    // A repetition rotates the secret, and the last one counts.
    const { secret } = await persist(context, () =>
      client.registerWebhookSubscription({
        body: { url: receiver.url, enabled_events: [...events] },
      }),
    );
    receiver.setSecret(secret);
    return receiver.url;
  });
}

type EventType = Input<'registerWebhookSubscription'>['body']['enabled_events'][number];

type Destination = Pick<Input<'createPayout'>['body'], 'beneficiary_id' | 'bank_account_id'>;

async function createPayout(context: ScenarioContext, destination: Destination): Promise<string> {
  const { client, step } = context;
  let id = '';
  const create = {
    body: {
      ...destination,
      amount_minor: 125_019,
      currency: 'USD',
      purpose_of_payment: 'contractor_payment',
      external_ref: `demo-${random()}`,
      idempotency_key: `demo-${random()}`,
    },
  } as const;
  await step('create a payout', async () => {
    const { payout } = await client.createPayout(create);
    id = payout.id;
    return id;
  });
  await step('create it again with the same key', async () => {
    const answer = await client.raw('createPayout', create);
    const { payout } = (await answer.json()) as { payout: Payout };
    if (payout.id !== id) throw new Error(`The replay made another payout: ${payout.id}`);
    if (answer.status !== 200 || answer.headers.get('Idempotent-Replayed') !== 'true') {
      throw new Error('The replay lacks the header Idempotent-Replayed: true.');
    }
    return 'replayed, same payout';
  });
  return id;
}

/** The transitions of a payout that settles. */
const goodStates = ['pending_approval', 'approved', 'disbursed', 'settled'];

async function approve({ client, step }: ScenarioContext, payoutId: string): Promise<void> {
  await step('approve the payout', async () => {
    // The client gives the decision an id, so a repetition is answered with what was decided.
    const { payout } = await client.approvePayout({ path: { payoutId } });
    return payout.state;
  });
}

async function waitForState(
  { client, signal, step }: ScenarioContext,
  id: string,
  wanted: 'disbursed' | 'settled',
): Promise<Payout> {
  let payout: Payout | undefined;
  await step(`wait until it is ${wanted}`, async () => {
    payout = await poll(signal, async () => {
      const { payout: now } = await client.getPayout({ path: { payoutId: id } });
      const reached = goodStates.indexOf(now.state);
      if (reached === -1) throw new Error(`The payout became ${now.state}.`);
      return reached >= goodStates.indexOf(wanted) ? now : null;
    });
    return payout.state;
  });
  return payout ?? (await client.getPayout({ path: { payoutId: id } })).payout;
}

async function checkWebhooks(context: ScenarioContext, payoutId: string): Promise<void> {
  const { receiver, step } = context;
  await step('receive all four event types', async () => {
    await untilRefused(context, (signal) => receiver.waitFor(eventTypes, signal));
    const deliveries = receiver.deliveries();
    for (const { event, verification } of deliveries) {
      if (verification !== 'valid') throw new Error(`A webhook's signature is ${verification}.`);
      if (event.data.payout_id !== payoutId) throw new Error('A webhook is about another payout.');
    }
    const distinct = new Set(deliveries.map(({ event }) => event.id));
    return `${deliveries.length} deliveries, ${distinct.size} events, all verified`;
  });
}

async function checkExport(
  { client, step }: ScenarioContext,
  beneficiaryId: string,
  payoutId: string,
): Promise<void> {
  await step('export the transactions', async () => {
    const csv = await client.exportTransactions({ query: { beneficiary_id: beneficiaryId } });
    if (typeof csv !== 'string') throw new Error('The export was put off.');
    const [header = '', ...rows] = csv.split('\r\n').filter((line) => line !== '');
    if (!header.startsWith('payout_id,')) throw new Error(`The CSV header is ${header}`);
    const found = rows.some((row) => row.startsWith(`${payoutId},`) && row.includes(',settled,'));
    if (!found) throw new Error('The export does not show the payout as settled.');
    return `${rows.length} row`;
  });
}

/**
 * Goes from registration to the settled payout, as a business would, and returns the business and
 * the payout. Throws when an answer is not what the interface promises, and the signal's reason when
 * time is up.
 */
export async function runScenario(
  keyless: ScenarioContext,
): Promise<{ readonly businessId: string; readonly payout: Payout }> {
  const { businessId, key } = await register(keyless);
  const context = { ...keyless, client: keyless.client.with({ apiKey: key }) };
  await submitProfile(context);
  await waitForFunding(context);
  const beneficiaryId = await createBeneficiary(context);
  const bankAccountId = await addBankAccount(context, beneficiaryId);
  await enroll(context, beneficiaryId);
  await subscribe(context, eventTypes);
  const destination = { beneficiary_id: beneficiaryId, bank_account_id: bankAccountId };
  const payoutId = await createPayout(context, destination);
  await approve(context, payoutId);
  await waitForState(context, payoutId, 'disbursed');
  const payout = await waitForState(context, payoutId, 'settled');
  await checkWebhooks(context, payoutId);
  await checkExport(context, beneficiaryId, payoutId);
  return { businessId, payout };
}
