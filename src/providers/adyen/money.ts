import { jsonAmount } from '../json-amount.ts';
import { ProviderError } from '../port.ts';

/**
 * How many digits more Adyen's minor unit has than that of ISO 4217. Adyen counts in the others as ISO does
 * (docs.adyen.com, Currency codes and minor units).
 */
const furtherDigits: Readonly<Record<string, number>> = { CLP: 2, ISK: 2, CVE: -2, IDR: -2 };

/**
 * An amount as Adyen counts it. Throws ProviderError `rejected` where Adyen has no such amount.
 * @param amountMinor minor units of ISO 4217
 */
export function toAdyen(amountMinor: bigint, currency: string): number {
  const digits = furtherDigits[currency] ?? 0;
  if (digits >= 0) return jsonAmount(amountMinor * 10n ** BigInt(digits));
  const unit = 10n ** BigInt(-digits);
  if (amountMinor % unit !== 0n) {
    const message = `Adyen pays ${currency} without decimal places.`;
    throw new ProviderError('rejected', 'provider_rejected', message);
  }
  return jsonAmount(amountMinor / unit);
}

/** Minor units of ISO 4217, or null for an amount that has none. */
export function fromAdyen(value: number, currency: string): bigint | null {
  const digits = furtherDigits[currency] ?? 0;
  if (digits <= 0) return BigInt(value) * 10n ** BigInt(-digits);
  const unit = 10n ** BigInt(digits);
  return BigInt(value) % unit === 0n ? BigInt(value) / unit : null;
}
