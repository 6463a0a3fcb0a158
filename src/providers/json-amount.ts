import { ProviderError } from './port.ts';

/** JSON numbers are exact up to 2^53 - 1 only, and an amount must not be sent rounded. */
export function jsonAmount(amountMinor: bigint): number {
  if (amountMinor < 1n || amountMinor > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new ProviderError(
      'rejected',
      'provider_rejected',
      'The amount is outside what the provider takes.',
    );
  }
  return Number(amountMinor);
}
