import { isPurposeOfPayment } from '../../reference/purposes.ts';
import type { Destination, FilePayment, PostalAddress } from '../port.ts';
import type { Agent, BankAddress, CreditTransfer } from './iso20022/write-types.ts';
import type { AchCredit } from './nacha/write-types.ts';

/** The address of a payee as banks take it: its free lines, and the parts that they ask for by name. */
function addressOf(address: PostalAddress | undefined): BankAddress | undefined {
  if (address === undefined) return undefined;
  const lines = [address.line1, address.line2].filter((line) => line !== undefined);
  return {
    lines,
    postalCode: address.postalCode,
    town: address.city,
    region: address.state,
    country: address.country,
  };
}

/** A routing code is the sort code of a British bank and the ABA number of an American one. */
function agentOf({ country, routingCode, swiftBic }: Destination): Agent | undefined {
  if (routingCode === undefined && swiftBic === undefined) return undefined;
  return {
    bic: swiftBic,
    sortCode: country === 'GB' ? routingCode : undefined,
    abaNumber: country === 'US' ? routingCode : undefined,
  };
}

/** The payment as a pain.001 describes it. The payee is named as the account is. */
export function creditTransferOf(
  payment: FilePayment,
  ids: Pick<CreditTransfer, 'payoutId' | 'attemptId' | 'uetr' | 'message'>,
): CreditTransfer {
  const { payee, destination, amountMinor, purpose } = payment;
  return {
    ...ids,
    amountMinor,
    creditor: { name: destination.accountHolderName, address: addressOf(payee.address) },
    account: { iban: destination.iban, number: destination.accountNumber },
    bank: agentOf(destination),
    purpose: isPurposeOfPayment(purpose) ? purpose : undefined,
  };
}

/** The payment as an entry of a Nacha file describes it. */
export function achCreditOf(
  payment: FilePayment,
  ids: Pick<AchCredit, 'payoutId' | 'sequence' | 'reference' | 'identification'>,
): AchCredit {
  const { payee, destination, amountMinor } = payment;
  return {
    ...ids,
    amountMinor,
    payee: payee.type,
    name: destination.accountHolderName,
    account: {
      routingNumber: destination.routingCode ?? '',
      number: destination.accountNumber ?? '',
      type: destination.accountType ?? 'checking',
    },
  };
}
