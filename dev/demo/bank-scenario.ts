import type { Payout } from '../../client/src/index.ts';
import { persist } from './persist.ts';
import { untilRefused } from './refused-deliveries.ts';
import {
  createBeneficiary,
  poll,
  random,
  register,
  submitProfile,
  subscribe,
  waitForFunding,
  type ScenarioContext,
} from './scenario.ts';

/**
 * What is paid: to Germany in a pain.001 of SEPA, to the United States in a Nacha file, and in currencies without
 * decimals and with three in files of their own.
 */
const payments = [
  { country: 'DE', currency: 'EUR', iban: 'DE89370400440532013000', amount_minor: 84_019 },
  { country: 'DE', currency: 'EUR', iban: 'DE02120300000000202051', amount_minor: 1_999 },
  {
    country: 'IS',
    currency: 'ISK',
    iban: 'IS140159260076545510730339',
    swift_bic: 'NBIIISREXXX',
    amount_minor: 84_019,
  },
  {
    country: 'DE',
    currency: 'KWD',
    iban: 'DE89370400440532013000',
    swift_bic: 'COBADEFFXXX',
    amount_minor: 19_999,
  },
  {
    country: 'US',
    currency: 'USD',
    routing_code: '021000021',
    account_number: '123456789',
    account_type: 'checking',
    amount_minor: 125_019,
  },
  {
    country: 'US',
    currency: 'USD',
    routing_code: '031300012',
    account_number: '987654321',
    account_type: 'savings',
    amount_minor: 99_907,
  },
] as const;

/**
 * The accounts, and what each pays. Crowns are paid from the account in euro, which the bank exchanges, and dinars from
 * the account of that number in dinars.
 */
const accounts = [
  { currency: 'EUR', furtherCurrencies: [], pays: ['EUR'] },
  { currency: 'EUR', furtherCurrencies: ['KWD'], pays: ['ISK', 'KWD'] },
  { currency: 'USD', furtherCurrencies: [], pays: ['USD'] },
] as const;

/** What is told of each payout on its way through a file. */
const eventTypes = ['payout.disbursement_submitted', 'payout.disbursed', 'payout.settled'] as const;

const inCurrency = (currency: string) => payments.filter((one) => one.currency === currency);

type Graphql = <Data>(
  query: string,
  variables?: Readonly<Record<string, unknown>>,
) => Promise<Data>;

/** One operation; what is set up for a bank has no REST route. */
function graphqlOf({ baseUrl, signal }: BankContext, key: string): Graphql {
  return async (query, variables = {}) => {
    const response = await fetch(`${baseUrl}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
      signal,
    });
    // The shape is what the query asks for, and errors stand beside it.
    const { data, errors } = (await response.json()) as { data: unknown; errors?: unknown };
    if (errors !== undefined || !response.ok) throw new Error(`GraphQL: ${JSON.stringify(errors)}`);
    return data as never;
  };
}

/** Connects the accounts to the sandbox bank, and lets each pay what is in its currencies. */
async function connectBank({ step }: BankContext, graphql: Graphql): Promise<void> {
  await step('connect to the sandbox bank', async () => {
    const routes = [];
    for (const { currency, furtherCurrencies, pays } of accounts) {
      const { sandboxBankConnect: connection } = await graphql<{
        sandboxBankConnect: { id: string };
      }>(
        `
          mutation ($input: SandboxBankInput!) {
            sandboxBankConnect(input: $input) {
              id
            }
          }
        `,
        {
          input: {
            name: `Account for ${pays.join(' and ')}`,
            currency,
            furtherCurrencies,
            debtorName: 'Demo Company LLC',
            // The file closes when it is full, and not only at the cut-off.
            maxPayments: inCurrency(pays[0]).length,
            returnBankDays: 1,
          },
        },
      );
      routes.push(...pays.map((paid) => ({ currency: paid, connectionId: connection.id })));
    }
    await graphql(
      `
        mutation ($routes: [PayoutRouteInput!]!) {
          sandboxRoutesReplace(version: 0, routes: $routes) {
            version
          }
        }
      `,
      { routes },
    );
    return [...new Set(routes.map(({ connectionId }) => connectionId))].join(', ');
  });
}

/** Payees with their accounts, and an approved payout for each. */
async function orderPayouts(context: BankContext): Promise<string[]> {
  const { client, step } = context;
  const ids: string[] = [];
  for (const { amount_minor: amount, ...destination } of payments) {
    const beneficiaryId = await createBeneficiary(context);
    await step(`pay ${amount} minor units of ${destination.currency}`, async () => {
      const { bank_account: account } = await persist(context, () =>
        client.registerBankAccount({
          path: { id: beneficiaryId },
          body: { account_holder_name: 'Ada Example', ...destination },
        }),
      );
      const { payout } = await client.createPayout({
        body: {
          beneficiary_id: beneficiaryId,
          bank_account_id: account.id,
          amount_minor: amount,
          currency: destination.currency,
          purpose_of_payment: 'contractor_payment',
          external_ref: `demo-${random()}`,
          idempotency_key: `demo-${random()}`,
        },
      });
      await client.approvePayout({ path: { payoutId: payout.id } });
      ids.push(payout.id);
      return payout.id;
    });
  }
  return ids;
}

interface File {
  readonly fileName: string;
  readonly paymentCount: number;
  readonly sentAt: string | null;
}

/** A file closes when the clock finds it full, so this takes up to a minute. */
async function waitForFiles({ signal, step }: BankContext, graphql: Graphql): Promise<void> {
  await step('wait until the files have left', async (tell) => {
    const files = await poll(signal, async () => {
      const { bankBatches } = await graphql<{ bankBatches: { edges: { node: File }[] } }>(`
        query {
          bankBatches(first: 10) {
            edges {
              node {
                fileName
                paymentCount
                sentAt
              }
            }
          }
        }
      `);
      const sent = bankBatches.edges
        .map(({ node }) => node)
        .filter(({ sentAt }) => sentAt !== null);
      const count = sent.reduce((sum, { paymentCount }) => sum + paymentCount, 0);
      tell(`${count} of ${payments.length} payments have left; a full file leaves within a minute`);
      return count === payments.length ? sent : null;
    });
    return files.map((file) => `${file.fileName} (${file.paymentCount} payments)`).join(', ');
  });
}

async function waitForAll(
  context: BankContext,
  ids: readonly string[],
  wanted: readonly string[],
): Promise<Payout[]> {
  const { client, step } = context;
  let payouts: Payout[] = [];
  await step(`wait until all are ${wanted[0] ?? ''}`, async (tell) => {
    const ask = async (): Promise<Payout[] | null> => {
      const found = await Promise.all(
        ids.map(async (payoutId) => (await client.getPayout({ path: { payoutId } })).payout),
      );
      const lost = found.find(({ state }) => ['failed', 'returned', 'canceled'].includes(state));
      if (lost !== undefined) throw new Error(`The payout ${lost.id} became ${lost.state}.`);
      const there = found.filter(({ state }) => wanted.includes(state));
      tell(`${there.length} of ${found.length}; the bank's answers are fetched once a minute`);
      return there.length === found.length ? found : null;
    };
    payouts = await untilRefused(context, (signal) => poll(signal, ask));
    return `${payouts.length} payouts`;
  });
  return payouts;
}

/** An account at the sandbox bank begins with ten million. */
const firstBalanceMinor = 1_000_000_000;

/** The bank's closing balance is what the funding account holds. */
async function readStatement({ client, signal, step }: BankContext): Promise<void> {
  const paid = inCurrency('USD').reduce((sum, one) => sum + one.amount_minor, 0);
  await step('read the closing balance', async (tell) => {
    tell("the bank's statement is fetched once a minute");
    const balance = await poll(signal, async () => {
      const { funding_account: account } = await client.getFundingAccount();
      const { available_balance_minor: held } = account;
      return held === firstBalanceMinor - paid ? held : null;
    });
    return `${balance} minor units, as the statement says`;
  });
}

async function checkWebhooks(context: BankContext, ids: readonly string[]): Promise<void> {
  const { receiver, step } = context;
  await step('receive their signed webhooks', async (tell) => {
    const wanted = ids.flatMap((id) => eventTypes.map((type) => `${type} ${id}`));
    await untilRefused(context, async (signal) => {
      await poll(signal, () => {
        const told = new Set(
          receiver.deliveries().map(({ event }) => `${event.type} ${String(event.data.payout_id)}`),
        );
        const come = wanted.filter((one) => told.has(one)).length;
        tell(`${come} of ${wanted.length}`);
        return Promise.resolve(come === wanted.length ? true : null);
      });
    });
    const deliveries = receiver.deliveries();
    const wrong = deliveries.find(({ verification }) => verification !== 'valid');
    if (wrong !== undefined) throw new Error(`A webhook's signature is ${wrong.verification}.`);
    return `${deliveries.length} deliveries, all verified`;
  });
}

type BankContext = ScenarioContext & { readonly baseUrl: string };

/**
 * Pays SEPA and US payouts through the sandbox bank, in files, from the registration to the settled payouts and the
 * statement. Returns the business and the last payout. Throws as `runScenario` does.
 */
export async function runBankScenario(
  keyless: BankContext,
): Promise<{ readonly businessId: string; readonly payout: Payout }> {
  const { businessId, key } = await register(keyless);
  const context = { ...keyless, client: keyless.client.with({ apiKey: key }) };
  await submitProfile(context);
  await waitForFunding(context);
  await subscribe(context, eventTypes);
  const graphql = graphqlOf(context, key);
  await connectBank(context, graphql);
  const ids = await orderPayouts(context);
  await waitForFiles(context, graphql);
  await waitForAll(context, ids, ['disbursed', 'settled']);
  const payouts = await waitForAll(context, ids, ['settled']);
  await checkWebhooks(context, ids);
  await readStatement(context);
  const payout = payouts.at(-1);
  if (payout === undefined) throw new Error('Nothing was paid.');
  return { businessId, payout };
}
