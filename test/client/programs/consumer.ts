/*
 * A program of a user of the package, which the test compiles against the built one: what is marked
 * must not compile, all else must.
 */
import {
  createPayoutClient,
  isApiError,
  type ApiError,
  type ErrorCode,
  type Item,
  type Payout,
} from '../../../client/src/index.ts';

const client = createPayoutClient({ baseUrl: 'https://payouts.example.com', apiKey: 'pos_…' });

const body = {
  beneficiary_id: 'ben_1',
  bank_account_id: 'bac_1',
  amount_minor: 1_000,
  currency: 'EUR',
  purpose_of_payment: 'invoice_payment',
} as const;

/** A create has a payout, a dry run may have none, and which it is may be known only when it runs. */
export async function creates(dryRun: boolean): Promise<Payout | null> {
  const created: Payout = (await client.createPayout({ body })).payout;
  const tried = await client.createPayout({ body: { ...body, dry_run: true } });
  const isTried: true = tried.dry_run;
  const either = await client.createPayout({ body: { ...body, dry_run: dryRun } });
  return isTried ? (either.payout ?? tried.payout ?? created) : null;
}

/** A row of a list has its type. */
export async function states(): Promise<Payout['state'][]> {
  const found: Payout['state'][] = [];
  for await (const payout of client.all('listPayouts', { query: { limit: 100 } })) {
    const row: Item<'listPayouts'> = payout;
    found.push(row.state);
  }
  return found;
}

/** A code that was asked about is known; without one, all of them are possible. */
export function explain(error: unknown): string {
  if (isApiError(error, 'conflict', 'not_found')) {
    const code: 'conflict' | 'not_found' = error.code;
    return code;
  }
  if (!isApiError(error)) return 'another error';
  const known: ApiError<ErrorCode> = error;
  return known.details.map(({ field }) => field).join();
}

/** What must not compile. */
export function mistakes(): void {
  // @ts-expect-error An id is required.
  void client.getPayout();
  // @ts-expect-error The name of the id is another.
  void client.getPayout({ path: { id: 'pay_1' } });
  // @ts-expect-error A misspelt field.
  void client.createPayout({ body: { ...body, amount: 1 } });
  // @ts-expect-error A field is missing.
  void client.createPayout({ body: { currency: 'EUR' } });
  // @ts-expect-error There is no such state.
  void client.listPayouts({ query: { state: ['paid'] } });
  // @ts-expect-error That list has no pages.
  client.all('listPurposes');
  // @ts-expect-error There is no such code.
  isApiError(null, 'no_such_code');
  // @ts-expect-error A row in bulk has its own key.
  void client.createPayoutsInBulk({ body: { payouts: [body] } });
}
