import type Stripe from 'stripe';
import { jsonAmount } from '../json-amount.ts';
import { ProviderError, type SubmitRequest } from '../port.ts';
import type { Ask } from './client.ts';
import { countedOtherwise } from './reach.ts';
import { networksOf, partsOf } from './recipient.ts';
import type { Network } from './settings.ts';
import { unreadable } from './verdict.ts';
import { paymentList, referenceKey, verification, type OutboundPayment } from './wire.ts';

/** The path of outbound payments. */
export const paymentsPath = '/v2/money_management/outbound_payments';

const pageSize = 100;

/** As many pages as nobody's payments fill: a list that goes in circles ends here. */
const mostPages = 100;

/** How payments are made. */
export interface PaymentAccess {
  readonly financialAccount: string;
  readonly networks: readonly Network[] | null;
  readonly verifyCountries: readonly string[];
  readonly statementDescriptor: string | null;
}

type PaymentParams = Stripe.V2.MoneyManagement.OutboundPaymentCreateParams;

/** The body of an outbound payment, field by field, so that nothing else is sent. Throws ProviderError `rejected`. */
export function paymentParams(
  { financialAccount, networks, statementDescriptor }: PaymentAccess,
  { amountMinor, currency, recipientId, reference, purpose, account }: SubmitRequest,
): PaymentParams {
  if (countedOtherwise.includes(currency)) {
    throw new ProviderError(
      'rejected',
      'provider_rejected',
      `Nothing is paid in ${currency} by Stripe.`,
    );
  }
  const { recipient: to, payoutMethod } = partsOf(recipientId);
  const code = currency.toLowerCase();
  const reached = account === undefined ? [] : networksOf(account.destination);
  const preferred = (networks ?? []).filter((network) => reached.includes(network));
  return {
    amount: { value: jsonAmount(amountMinor), currency: code },
    from: { financial_account: financialAccount, currency: code },
    to: {
      recipient: to,
      payout_method: payoutMethod,
      currency: code,
      ...(preferred.length > 0 && {
        payout_method_options: { bank_account: { preferred_networks: preferred } },
      }),
    },
    description: purpose,
    metadata: { [referenceKey]: reference },
    // The business tells its payees itself.
    recipient_notification: { setting: 'none' },
    ...(statementDescriptor !== null && { statement_descriptor: statementDescriptor }),
  };
}

/**
 * Has Stripe compare the holder's name with that of the bank. Returns the verification's id, or null where Stripe does not
 * ask for one. Throws ProviderError `rejected` where the names differ.
 */
export async function verifyHolder(
  ask: Ask,
  { verifyCountries }: PaymentAccess,
  request: SubmitRequest,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const { recipientId, idempotencyKey, account } = request;
  const country = account?.destination.country ?? '';
  if (!verifyCountries.includes(country)) return null;
  const { recipient: to, payoutMethod } = partsOf(recipientId);
  const path = '/v2/money_management/recipient_verifications';
  const body = { recipient: to, payout_method: payoutMethod };
  const made = await ask(verification, { path, key: `${idempotencyKey}.name`, body }, signal);
  if (made.match_result === 'match') return made.id;
  if (made.match_result !== 'unavailable') {
    const message = `Stripe says ${made.match_result} of the name of the account's holder.`;
    throw new ProviderError('rejected', 'name_mismatch', message);
  }
  // The bank answers no such question, and Stripe wants to hear that it is known.
  const acknowledged = {
    path: `${path}/${made.id}/acknowledge`,
    key: `${idempotencyKey}.seen`,
    body: {},
  };
  return (await ask(verification, acknowledged, signal)).id;
}

/** All payments to a recipient that have our reference: Stripe does not search by it. */
export async function findPayments(
  ask: Ask,
  { reference, to }: { reference: string; to: string },
  signal: AbortSignal | undefined,
): Promise<OutboundPayment[]> {
  const query = new URLSearchParams({ recipient: to, limit: String(pageSize) });
  const found: OutboundPayment[] = [];
  for (let page = 0; page < mostPages; page += 1) {
    const said = await ask(paymentList, { path: `${paymentsPath}?${query}` }, signal);
    found.push(...said.data.filter(({ metadata }) => metadata?.[referenceKey] === reference));
    if (said.next_page_url == null) return found;
    // Only its cursor is taken: the key goes to no other host.
    const cursor = new URL(said.next_page_url, 'https://api.stripe.com').searchParams.get('page');
    if (cursor === null || cursor === query.get('page')) throw unreadable(200);
    query.set('page', cursor);
  }
  throw new ProviderError('unknown', 'other', 'Stripe tells of more pages than can be true.');
}
