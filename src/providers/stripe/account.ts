import { z } from 'zod';
import { ProviderError } from '../port.ts';
import type { Ask } from './client.ts';

const amount = z.object({ value: z.int(), currency: z.string().regex(/^[a-z]{3}$/) });

const financialAccount = z.object({
  id: z.string(),
  livemode: z.boolean(),
  status: z.string(),
  balance: z.object({ available: z.record(z.string(), amount) }),
});

/** What can be paid from an account, as `EUR` and minor units. */
export interface HeldBalance {
  readonly currency: string;
  readonly availableMinor: bigint;
}

/** Asks for the financial account. Throws ProviderError where the key does not open it, or it does not pay. */
export async function readAccount(
  ask: Ask,
  { id, live }: { readonly id: string; readonly live: boolean },
  signal: AbortSignal | undefined,
): Promise<readonly HeldBalance[]> {
  const path = `/v2/money_management/financial_accounts/${id}`;
  const said = await ask(financialAccount, { path }, signal);
  if (said.livemode !== live) {
    throw new ProviderError('unknown', 'other', "The financial account is of Stripe's other mode.");
  }
  if (said.status !== 'open') {
    throw new ProviderError('unknown', 'other', `The financial account is ${said.status}.`);
  }
  return Object.values(said.balance.available).map(({ value, currency }) => ({
    currency: currency.toUpperCase(),
    availableMinor: BigInt(value),
  }));
}
