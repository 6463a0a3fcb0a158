import { ProviderError, type Destination, type Payee, type PaidAccount } from '../port.ts';

const unpayable = (message: string) => new ProviderError('rejected', 'invalid_account', message);

/** The account in one of Adyen's forms. Throws ProviderError `rejected` where it has none of them. */
export function accountIdentification(destination: Destination): Readonly<Record<string, string>> {
  const { country, accountNumber, routingCode, iban, swiftBic } = destination;
  if (iban !== undefined) return { type: 'iban', iban };
  if (accountNumber !== undefined && routingCode !== undefined && country === 'US') {
    const accountType = destination.accountType ?? 'checking';
    return { type: 'usLocal', accountNumber, routingNumber: routingCode, accountType };
  }
  if (accountNumber !== undefined && routingCode !== undefined && country === 'GB') {
    return { type: 'ukLocal', accountNumber, sortCode: routingCode.replaceAll('-', '') };
  }
  if (accountNumber !== undefined && swiftBic !== undefined) {
    return { type: 'numberAndBic', accountNumber, bic: swiftBic };
  }
  throw unpayable(
    'Adyen pays to an IBAN, to an account in the United States or the United Kingdom, or to a number with a BIC.',
  );
}

/** Adyen refuses a shorter town or code, and takes an address without. */
const long = (text: string | undefined): string | undefined =>
  text !== undefined && text.length >= 3 ? text : undefined;

function addressOf({ address }: Payee): object | undefined {
  if (address === undefined) return undefined;
  const { line1, line2, city, state, postalCode, country } = address;
  return {
    line1,
    line2,
    city: long(city),
    stateOrProvince: country === 'US' || country === 'CA' ? state : undefined,
    // Adyen takes the five digits alone.
    postalCode: long(country === 'US' ? postalCode?.slice(0, 5) : postalCode),
    country,
  };
}

/** Who is paid, as a transfer says it. Throws ProviderError `rejected` where Adyen cannot pay there. */
export function bankAccountOf({ payee, destination }: PaidAccount): object {
  return {
    accountHolder: {
      fullName: destination.accountHolderName,
      type: payee.type === 'person' ? 'individual' : 'organization',
      address: addressOf(payee),
    },
    accountIdentification: accountIdentification(destination),
  };
}
