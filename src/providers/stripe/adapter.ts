import { defineAdapter, presentSecrets, type ConnectedProvider } from '../adapter.ts';
import { abilitiesOf } from '../capabilities.ts';
import type { Turn } from '../http-caller.ts';
import { ProviderError, ProviderEventRefused, type ProviderPayout } from '../port.ts';
import { readAccount } from './account.ts';
import { createStripeClient } from './client.ts';
import { checkStripeHead, eventsOf, subjectOf, type EventAccess } from './events.ts';
import { paidBy, type StripeReach } from './reach.ts';
import { findPayments, paymentParams, paymentsPath, verifyHolder } from './payment.ts';
import type { PaymentAccess } from './payment.ts';
import { partsOf, recipientIdOf, recipientParams, setupParams } from './recipient.ts';
import { stripeSettings } from './settings.ts';
import { unreadable } from './verdict.ts';
import { meaningOf, outboundPayment, paymentOf, recipient, setupIntent } from './wire.ts';
import type { OutboundPayment } from './wire.ts';

const stripeUrl = 'https://api.stripe.com';

const dayMs = 24 * 60 * 60 * 1000;

/** Stripe promises 30 days for version 2; an hour is kept for a clock that goes wrong. */
const idempotencyWindowMs = 30 * dayMs - 60 * 60 * 1000;

interface StripeAccess extends EventAccess, PaymentAccess, StripeReach {
  readonly name: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly turn: Turn | undefined;
  /** Whether networks or verifications are chosen by the account of each payment. */
  readonly byAccount: boolean;
}

/** Stripe's Global Payouts, by version 2 of its API: payments from one financial account to recipients' bank accounts. */
function createStripe(access: StripeAccess): ConnectedProvider {
  const { apiKey, webhookSecrets, live, returnDays } = access;
  const secrets = [apiKey, ...webhookSecrets];
  const { ask, close } = createStripeClient({ ...access, secrets });

  function toProviderPayout(said: OutboundPayment): ProviderPayout {
    const payment = paymentOf(said);
    if (payment === null || said.livemode !== live) throw unreadable(200);
    const { unclear, ...told } = meaningOf(said, returnDays, Date.now());
    const railRef = said.tracking_details?.bank_account?.trace_id ?? null;
    return { ...payment, ...told, railRef, ...(unclear !== null && { unclear }) };
  }

  return {
    name: access.name,
    capabilities: {
      idempotencyWindowMs,
      ...(access.byAccount && { accountWithPayment: true }),
      pays: paidBy(access),
      can: abilitiesOf(
        'enrolls',
        'estimatesArrival',
        ...(access.verifyCountries.length > 0 ? (['checksNames'] as const) : []),
      ),
    },

    async enroll(request, signal) {
      const { destination, idempotencyKey, reference } = request;
      const setup = setupParams(destination);
      const account = {
        path: '/v2/core/accounts',
        key: idempotencyKey,
        body: recipientParams(request),
      };
      const made = await ask(recipient, account, signal);
      if (made.livemode !== live) throw unreadable(200);
      const intent = await ask(
        setupIntent,
        {
          path: '/v2/money_management/outbound_setup_intents',
          key: `${idempotencyKey}.account`,
          body: setup,
          context: made.id,
        },
        signal,
      );
      if (intent.payout_method === undefined) throw unreadable(200);
      return { recipientId: recipientIdOf(made.id, intent.payout_method.id), reference };
    },

    async submit(request, signal) {
      const unverified = paymentParams(access, request);
      const verified = await verifyHolder(ask, access, request, signal);
      const body =
        verified === null ? unverified : { ...unverified, recipient_verification: verified };
      const question = { path: paymentsPath, key: request.idempotencyKey, body };
      return toProviderPayout(await ask(outboundPayment, question, signal));
    },

    async lookUp({ reference, recipientId }, signal) {
      try {
        const { recipient: to } = partsOf(recipientId);
        return (await findPayments(ask, { reference, to }, signal)).map(toProviderPayout);
      } catch (error) {
        const message = error instanceof ProviderError ? error.message : 'The look-up failed.';
        throw new ProviderError('unknown', 'other', message);
      }
    },

    async prove(signal) {
      const account = { id: access.financialAccount, live };
      const held = await readAccount(ask, account, signal);
      const amounts = held.map(
        ({ currency, availableMinor }) => `${currency} ${String(availableMinor)}`,
      );
      return [
        `The key opens the financial account ${account.id} in ${live ? 'live' : 'test'} mode, which is open.`,
        `It has, in minor units: ${amounts.join(', ') || 'nothing'}.`,
      ];
    },

    checkHead: checkStripeHead,

    async parseEvents(rawBody, header, now, signal) {
      const subject = await subjectOf(access, rawBody, header, now);
      if (subject === null) return [];
      const { eventId, paymentId } = subject;
      try {
        const said = await ask(outboundPayment, { path: `${paymentsPath}/${paymentId}` }, signal);
        return eventsOf(access, eventId, said, now);
      } catch {
        throw new ProviderEventRefused(503, 'The payment of the event cannot be read now.');
      }
    },

    close,
  };
}

/** Stripe, in its test or its live mode. */
export const stripeAdapter = defineAdapter({
  description: "Stripe's Global Payouts (docs/stripe.md).",
  settings: stripeSettings,
  ownAccounts: 'STRIPE_',
  connect(name, values, pace) {
    const {
      STRIPE_ENVIRONMENT: environment,
      STRIPE_API_KEY: apiKey,
      STRIPE_TEST_URL: standIn,
    } = values;
    if (apiKey.split('_')[1] !== environment) {
      throw new Error('STRIPE_API_KEY: is a key of the other mode, test or live');
    }
    if (environment === 'live' && standIn !== null) {
      throw new Error('STRIPE_TEST_URL: not with STRIPE_ENVIRONMENT=live');
    }
    return createStripe({
      name,
      live: environment === 'live',
      baseUrl: standIn ?? stripeUrl,
      apiKey,
      turn: pace(values.STRIPE_CALLS_PER_SECOND),
      financialAccount: values.STRIPE_FINANCIAL_ACCOUNT,
      networks: values.STRIPE_NETWORKS,
      currencies: values.STRIPE_CURRENCIES,
      countries: values.STRIPE_COUNTRIES,
      verifyCountries: values.STRIPE_VERIFY_COUNTRIES ?? [],
      statementDescriptor: values.STRIPE_STATEMENT_DESCRIPTOR,
      byAccount: values.STRIPE_NETWORKS !== null || values.STRIPE_VERIFY_COUNTRIES !== null,
      returnDays: values.STRIPE_RETURN_DAYS,
      webhookSecrets: presentSecrets(
        values.STRIPE_WEBHOOK_SECRET,
        values.STRIPE_WEBHOOK_SECRET_PREVIOUS,
      ),
    });
  },
});
