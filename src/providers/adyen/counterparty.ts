import anyAscii from 'any-ascii';
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

/** What Adyen takes in names and in addresses is less than its description's schemas say, and more than letters. */
const notInNames = /[^A-Za-z0-9,.;:/\\+&!?@()"' -]/g;
const notInAddresses = /[^A-Za-z0-9.,:;/#&()[\]|\\ -]/g;

/** A text with the characters that Adyen takes: Müller becomes Muller. */
const written = (text: string, excluded: RegExp): string =>
  anyAscii(text.normalize('NFC')).replaceAll(excluded, ' ').replaceAll(/ +/g, ' ').trim();

function nameOf({ accountHolderName }: Destination): string {
  const name = written(accountHolderName, notInNames);
  if (/[A-Za-z0-9]/.test(name)) return name;
  throw unpayable(
    'The name of the account holder cannot be written with the letters that Adyen takes.',
  );
}

const line = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : written(text, notInAddresses);

/** Adyen refuses a shorter town or code, and takes an address without. */
const long = (text: string | undefined): string | undefined =>
  text !== undefined && text.length >= 3 ? text : undefined;

function addressOf({ address }: Payee): object | undefined {
  if (address === undefined) return undefined;
  const { line1, line2, city, state, postalCode, country } = address;
  return {
    line1: line(line1),
    line2: line(line2),
    city: long(line(city)),
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
      fullName: nameOf(destination),
      type: payee.type === 'person' ? 'individual' : 'organization',
      address: addressOf(payee),
    },
    accountIdentification: accountIdentification(destination),
  };
}
