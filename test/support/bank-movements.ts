import type { Movement, Shown } from './bank-answers.ts';
import type { Sent } from './bank-inbox.ts';

/** The day on which everything is booked that says no other. */
export const day = '2026-11-30';

/** What a bank shows of the account in dollars that the tests connect. */
export const shown = (movements: readonly Movement[], more: Partial<Shown> = {}): Shown => ({
  account: '000123456789',
  currency: 'USD',
  day,
  movements,
  ...more,
});

/** The debit of a payment. */
export const debit = (
  { payout, attempt }: Pick<Sent, 'payout' | 'attempt'>,
  more: Partial<Movement> = {},
): Movement => ({ direction: 'debit', amount: '1250.00', payout, attempt, ...more });

/** A credit that gives a payment back, two days later. */
export const back = (
  one: Pick<Sent, 'payout' | 'attempt'>,
  more: Partial<Movement> = {},
): Movement => debit(one, { direction: 'credit', returned: 'AC04', day: '2026-12-02', ...more });
