import type { Queryable } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import type { FilePayment } from '../../providers/port.ts';
import { openDestinations, type AskedVersion } from '../bank-account/details.ts';
import { findBeneficiaries } from '../beneficiary/store.ts';
import { payeeOf } from '../beneficiary/payee.ts';

/** What a payment is described from. */
export interface PaymentSource extends AskedVersion {
  readonly beneficiaryId: string;
  /** Minor units of `currency`. */
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly purposeOfPayment: string;
}

/** A payment as a file describes it, and the rows that it was described from. */
export interface DescribedPayment {
  readonly payment: FilePayment;
  /** Revision of the beneficiary. */
  readonly revision: number;
  /** Version of the bank account. */
  readonly version: number;
}

/**
 * Describes payments with what is decrypted of payees and accounts, in two statements, in the order given.
 * Null where the payee or the account is not there, or is erased.
 */
export async function describePayments(
  call: Call,
  client: Queryable,
  sources: readonly PaymentSource[],
): Promise<(DescribedPayment | null)[]> {
  const ids = [...new Set(sources.map(({ beneficiaryId }) => beneficiaryId))];
  const payees = await findBeneficiaries(client, call.scope, ids);
  const accounts = await openDestinations(call, client, sources);
  return sources.map(({ beneficiaryId, amountMinor, currency, purposeOfPayment }, index) => {
    const beneficiary = payees.get(beneficiaryId);
    const account = accounts[index] ?? null;
    if (beneficiary === undefined || account === null) return null;
    const { version, destination } = account;
    const payee = payeeOf(call, beneficiary);
    const payment = { payee, destination, amountMinor, currency, purpose: purposeOfPayment };
    return { payment, revision: beneficiary.revision, version };
  });
}
