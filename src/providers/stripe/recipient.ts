import type Stripe from 'stripe';
import { ProviderError, type Destination, type EnrollRequest, type Payee } from '../port.ts';
import type { Network } from './settings.ts';
import { referenceKey } from './wire.ts';

type AccountParams = Stripe.V2.Core.AccountCreateParams;
type SetupParams = Stripe.V2.MoneyManagement.OutboundSetupIntentCreateParams;
type BankAccount = NonNullable<NonNullable<SetupParams['payout_method_data']>['bank_account']>;

const unpayable = (message: string) => new ProviderError('rejected', 'invalid_account', message);

/**
 * The account as Stripe takes it: an IBAN, a CLABE, or a number with the code of its bank. Throws ProviderError `rejected`
 * for an account that is known by something else.
 */
function bankAccountOf(destination: Destination): BankAccount {
  const { country, currency, iban, clabe, accountNumber, routingCode, swiftBic } = destination;
  const place = { country, currency: currency.toLowerCase() };
  if (iban !== undefined) {
    return {
      ...place,
      account_number: iban,
      ...(swiftBic !== undefined && { swift_code: swiftBic }),
    };
  }
  if (clabe !== undefined) return { ...place, account_number: clabe };
  if (accountNumber === undefined || (routingCode ?? swiftBic) === undefined) {
    throw unpayable(
      'Stripe pays to an IBAN, to a CLABE, or to a number with the code of its bank.',
    );
  }
  return {
    ...place,
    account_number: accountNumber,
    ...(routingCode !== undefined && { routing_number: routingCode.replaceAll('-', '') }),
    ...(swiftBic !== undefined && { swift_code: swiftBic }),
    ...(country === 'US' && { bank_account_type: destination.accountType ?? 'checking' }),
  };
}

/** By which networks an account can be reached; its own first. */
export function networksOf({ country, currency, iban }: Destination): readonly Network[] {
  if (country === 'US' && currency === 'USD') return ['ach', 'rtp', 'fedwire', 'swift'];
  if (country === 'GB' && currency === 'GBP') return ['fps', 'swift'];
  if (iban !== undefined && currency === 'EUR') return ['sepa', 'swift'];
  return ['swift'];
}

const addressOf = ({ address }: Payee) =>
  address && {
    line1: address.line1,
    ...(address.line2 !== undefined && { line2: address.line2 }),
    city: address.city,
    ...(address.state !== undefined && { state: address.state }),
    ...(address.postalCode !== undefined && { postal_code: address.postalCode }),
    country: address.country,
  };

function dateOf({ dateOfBirth }: Payee) {
  if (dateOfBirth === undefined) return undefined;
  const [year = 0, month = 0, day = 0] = dateOfBirth.split('-').map(Number);
  return { year, month, day };
}

function identityOf(payee: Payee, destination: Destination) {
  const address = addressOf(payee);
  const country = payee.country ?? payee.address?.country ?? destination.country;
  if (payee.type === 'business') {
    return {
      country,
      entity_type: 'company',
      business_details: {
        registered_name: payee.businessName ?? destination.accountHolderName,
        ...(address && { address }),
      },
    } as const;
  }
  const birth = dateOf(payee);
  const { firstName, lastName, phone } = payee;
  return {
    country,
    entity_type: 'individual',
    individual: {
      ...(firstName !== undefined && { given_name: firstName }),
      ...(lastName !== undefined && { surname: lastName }),
      ...(birth && { date_of_birth: birth }),
      ...(address && { address }),
      ...(phone !== undefined && { phone }),
    },
  } as const;
}

/** The body that makes a recipient of a payee, who may be paid by the networks of the account. */
export function recipientParams({ payee, destination, reference }: EnrollRequest): AccountParams {
  const requested = networksOf(destination).map(
    (network) => [network, { requested: true }] as const,
  );
  return {
    contact_email: payee.email,
    display_name: destination.accountHolderName,
    identity: identityOf(payee, destination),
    configuration: {
      recipient: { capabilities: { bank_accounts: Object.fromEntries(requested) } },
    },
    metadata: { [referenceKey]: reference },
  };
}

/** The body that gives a recipient an account. Throws ProviderError `rejected` where Stripe cannot pay there. */
export const setupParams = (destination: Destination): SetupParams => ({
  payout_method_data: { type: 'bank_account', bank_account: bankAccountOf(destination) },
  usage_intent: 'payment',
});

/** A recipient and its account in one text: the service keeps one id of a destination. */
export const recipientIdOf = (account: string, payoutMethod: string): string =>
  `${account}:${payoutMethod}`;

/** Takes a recipient's id apart. Throws ProviderError `rejected` for one that is none of Stripe's. */
export function partsOf(recipientId: string): { recipient: string; payoutMethod: string } {
  const [recipient = '', payoutMethod = '', ...more] = recipientId.split(':');
  const isKnown = /^\w+$/.test(recipient) && /^\w+$/.test(payoutMethod) && more.length === 0;
  if (!isKnown) throw unpayable('Stripe has no such recipient.');
  return { recipient, payoutMethod };
}
