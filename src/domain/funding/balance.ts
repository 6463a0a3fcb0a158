import { z } from 'zod';
import { DomainError } from '../../errors/domain-error.ts';
import { maximumAmountMinor } from '../../values/money.ts';
import { isCurrency } from '../../reference/currencies.ts';

/** Amount and currency have an error code of their own, so their shape is open here. */
export const balanceInput = z.strictObject({
  availableBalanceMinor: z.union([z.number(), z.bigint(), z.string()]),
  currency: z.string(),
});
export type BalanceInput = z.input<typeof balanceInput>;

/** A reported balance in minor units of `currency`. */
export interface Balance {
  readonly minor: bigint;
  readonly currency: string;
}

/**
 * Checks a balance. Unlike an amount that is paid, it may be zero. Strings and fractions are refused,
 * never converted. Throws INVALID_MONEY.
 */
export function toBalance({ availableBalanceMinor: value, currency }: BalanceInput): Balance {
  if (typeof value === 'string' || (typeof value === 'number' && !Number.isInteger(value))) {
    throw invalidMoney('available_balance_minor must be an integer number of minor units.');
  }
  if (value < 0 || value > maximumAmountMinor) {
    throw invalidMoney(`available_balance_minor must be from 0 to ${maximumAmountMinor}.`);
  }
  if (!isCurrency(currency)) {
    throw invalidMoney('currency must be an active ISO 4217 currency code.');
  }
  return { minor: BigInt(value), currency };
}

function invalidMoney(message: string): DomainError {
  return new DomainError('INVALID_MONEY', { message });
}
