import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Payout, read, shapes, UnexpectedAnswer } from './answers.ts';
import { type Answer, type Client, errorCode } from './client.ts';
import type { Receiver } from './receiver.ts';

/** The event types of a payout that settles. */
const eventTypes = [
  'payout.disbursement_submitted',
  'payout.acknowledged',
  'payout.estimated_arrival_at',
  'payout.disbursed',
] as const;

export interface ScenarioContext {
  readonly client: Client;
  readonly receiver: Receiver;
  readonly signal: AbortSignal;
  /** Runs, times and shows one step; the text that it returns is shown beside it. */
  readonly step: (title: string, run: () => Promise<string>) => Promise<void>;
}

const pollMs = 250;
const random = (): string => randomBytes(6).toString('hex');

/** Polls until `ask` returns something, or the signal aborts. */
async function poll<Value>(signal: AbortSignal, ask: () => Promise<Value | null>): Promise<Value> {
  for (;;) {
    const value = await ask();
    if (value !== null) return value;
    await sleep(pollMs, undefined, { signal });
  }
}

async function register({ client, step }: ScenarioContext): Promise<string> {
  let businessId = '';
  await step('register a business', async () => {
    const answer = await client.call({
      method: 'POST',
      path: '/v1/registration',
      // A retry uses another e-mail address: the key in a lost answer cannot be shown again.
      body: () => ({ email: `demo-${random()}@example.com`, company_name: 'Demo Company' }),
    });
    const { business, api_key } = read(answer, 'Registration', [201], shapes.registration);
    client.authenticate(api_key.key);
    businessId = business.id;
    return businessId;
  });
  return businessId;
}

async function submitProfile({ client, step }: ScenarioContext): Promise<void> {
  await step('submit the business profile', async () => {
    const answer = await client.call({
      method: 'PUT',
      path: '/v1/business/profile',
      body: {
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
      },
    });
    if (answer.status !== 200) throw new UnexpectedAnswer('Business profile', answer);
    return '';
  });
}

async function waitForFunding({ client, signal, step }: ScenarioContext): Promise<void> {
  await step('wait for test money', async () => {
    const balance = await poll(signal, async () => {
      const answer = await client.call({ method: 'GET', path: '/v1/funding/account' });
      // There is no account until the job that opens it has run.
      if (errorCode(answer) === 'FUNDING_DEDICATED_ACCOUNT_NOT_PROVISIONED') return null;
      const { funding_account } = read(answer, 'Funding account', [200], shapes.funding);
      const { available_balance_minor } = funding_account;
      return available_balance_minor > 0 ? available_balance_minor : null;
    });
    return `${balance} minor units`;
  });
}

async function findBeneficiary(client: Client, email: string): Promise<string> {
  const path = `/v1/beneficiaries?email=${encodeURIComponent(email)}`;
  const answer = await client.call({ method: 'GET', path });
  const [found] = read(answer, 'Beneficiary list', [200], shapes.beneficiaries).beneficiaries;
  if (found === undefined) throw new UnexpectedAnswer('Beneficiary list', answer);
  return found.id;
}

async function createBeneficiary({ client, step }: ScenarioContext): Promise<string> {
  let id = '';
  await step('create a beneficiary', async () => {
    const email = `payee-${random()}@example.com`;
    const answer = await client.call({
      method: 'POST',
      path: '/v1/beneficiaries',
      body: {
        beneficiary_type: 'person',
        email,
        first_name: 'Ada',
        last_name: 'Example',
        country_of_residence: 'US',
        date_of_birth: '1990-04-01',
        acknowledged: true,
      },
    });
    // An earlier attempt, whose answer was lost, has created it.
    id =
      errorCode(answer) === 'BENEFICIARY_EMAIL_ALREADY_EXISTS'
        ? await findBeneficiary(client, email)
        : read(answer, 'Beneficiary', [201], shapes.beneficiary).beneficiary.id;
    return id;
  });
  return id;
}

const accountNumber = '123456789';

/** Stands in for a lost answer when the account exists already. */
async function recoverBankAccount(client: Client, path: string): Promise<Answer | null> {
  const answer = await client.call({ method: 'GET', path });
  const { bank_accounts } = read(answer, 'Bank account list', [200], shapes.bankAccounts);
  const found = bank_accounts.find(({ last4 }) => last4 === accountNumber.slice(-4));
  if (found === undefined) return null;
  return { ...answer, status: 201, text: JSON.stringify({ bank_account: found }) };
}

async function addBankAccount(context: ScenarioContext, beneficiaryId: string): Promise<string> {
  const { client, step } = context;
  let id = '';
  await step('register a bank account', async () => {
    const path = `/v1/beneficiaries/${beneficiaryId}/bank-accounts`;
    const answer = await client.call({
      method: 'POST',
      path,
      body: {
        account_holder_name: 'Ada Example',
        country: 'US',
        currency: 'USD',
        routing_code: '021000021',
        account_number: accountNumber,
        account_type: 'checking',
      },
      recover: () => recoverBankAccount(client, path),
    });
    const { bank_account } = read(answer, 'Bank account', [201], shapes.bankAccount);
    if (!bank_account.payout_usable) throw new Error('The bank account is not payout-usable.');
    id = bank_account.id;
    return id;
  });
  return id;
}

async function enroll(context: ScenarioContext, beneficiaryId: string): Promise<void> {
  const { client, signal, step } = context;
  await step('enroll at the provider', async () => {
    const path = `/v1/beneficiaries/${beneficiaryId}`;
    const asked = await client.call({ method: 'POST', path: `${path}/enroll`, body: {} });
    let { beneficiary } = read(asked, 'Enrollment', [200, 202], shapes.beneficiary);
    if (beneficiary.enrollment_status === 'pending') {
      beneficiary = await poll(signal, async () => {
        const answer = await client.call({ method: 'GET', path });
        const now = read(answer, 'Beneficiary', [200], shapes.beneficiary).beneficiary;
        return now.enrollment_status === 'pending' ? null : now;
      });
    }
    const status = beneficiary.enrollment_status ?? 'none';
    if (status !== 'verified') throw new Error(`The enrollment is ${status}, not verified.`);
    return status;
  });
}

async function subscribe({ client, receiver, step }: ScenarioContext): Promise<void> {
  await step('subscribe to webhooks', async () => {
    const answer = await client.call({
      method: 'POST',
      path: '/v1/webhook-subscriptions',
      body: { url: receiver.url, enabled_events: eventTypes },
    });
    // 200 when a retry rotated the secret, because the answer of the first attempt was lost.
    const { secret } = read(answer, 'Subscription', [201, 200], shapes.subscription);
    receiver.setSecret(secret);
    return receiver.url;
  });
}

async function createPayout(context: ScenarioContext, destination: object): Promise<string> {
  const { client, step } = context;
  let id = '';
  const create = {
    method: 'POST',
    path: '/v1/payouts',
    body: {
      ...destination,
      amount_minor: 125_000,
      currency: 'USD',
      purpose_of_payment: 'contractor_payment',
      external_ref: `demo-${random()}`,
      idempotency_key: `demo-${random()}`,
    },
  } as const;
  await step('create a payout', async () => {
    const answer = await client.call(create);
    // 200 when an earlier attempt, whose answer was lost, has created it.
    const statuses = answer.attempts === 1 ? [201] : [201, 200];
    id = read(answer, 'Payout', statuses, shapes.payout).payout.id;
    return id;
  });
  await step('create it again with the same key', async () => {
    const answer = await client.call(create);
    const { payout } = read(answer, 'Replay', [200], shapes.payout);
    if (payout.id !== id) throw new Error(`The replay made another payout: ${payout.id}`);
    if (answer.headers.get('Idempotent-Replayed') !== 'true') {
      throw new Error('The replay lacks the header Idempotent-Replayed: true.');
    }
    return 'replayed, same payout';
  });
  return id;
}

async function getPayout(client: Client, id: string): Promise<Payout> {
  const answer = await client.call({ method: 'GET', path: `/v1/payouts/${id}` });
  return read(answer, 'Payout', [200], shapes.payout).payout;
}

/** The transitions of a payout that settles. */
const goodStates = ['pending_approval', 'approved', 'disbursed', 'settled'];

async function approve({ client, step }: ScenarioContext, id: string): Promise<void> {
  await step('approve the payout', async () => {
    const path = `/v1/payouts/${id}/approve`;
    const answer = await client.call({ method: 'POST', path, body: {} });
    if (answer.status === 409 && answer.attempts > 1) {
      // An earlier attempt may have approved it, and the payout may have moved on since.
      const { state } = await getPayout(client, id);
      if (goodStates.indexOf(state) > 0) return state;
    }
    return read(answer, 'Approval', [200], shapes.payout).payout.state;
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
      const now = await getPayout(client, id);
      const reached = goodStates.indexOf(now.state);
      if (reached === -1) throw new Error(`The payout became ${now.state}.`);
      return reached >= goodStates.indexOf(wanted) ? now : null;
    });
    return payout.state;
  });
  return payout ?? getPayout(client, id);
}

async function checkWebhooks(context: ScenarioContext, payoutId: string): Promise<void> {
  const { receiver, signal, step } = context;
  await step('receive all four event types', async () => {
    await receiver.waitFor(eventTypes, signal);
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
    const path = `/v1/reporting/transactions/export?beneficiary_id=${beneficiaryId}`;
    const answer = await client.call({ method: 'GET', path });
    if (answer.status !== 200) throw new UnexpectedAnswer('Export', answer);
    const [header = '', ...rows] = answer.text.split('\r\n').filter((line) => line !== '');
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
  context: ScenarioContext,
): Promise<{ readonly businessId: string; readonly payout: Payout }> {
  const businessId = await register(context);
  await submitProfile(context);
  await waitForFunding(context);
  const beneficiaryId = await createBeneficiary(context);
  const bankAccountId = await addBankAccount(context, beneficiaryId);
  await enroll(context, beneficiaryId);
  await subscribe(context);
  const destination = { beneficiary_id: beneficiaryId, bank_account_id: bankAccountId };
  const payoutId = await createPayout(context, destination);
  await approve(context, payoutId);
  await waitForState(context, payoutId, 'disbursed');
  const payout = await waitForState(context, payoutId, 'settled');
  await checkWebhooks(context, payoutId);
  await checkExport(context, beneficiaryId, payoutId);
  return { businessId, payout };
}
