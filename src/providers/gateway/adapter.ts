import { defineAdapter, presentSecrets, type ConnectedProvider } from '../adapter.ts';
import { abilitiesOf, paidScheme } from '../capabilities.ts';
import { jsonAmount } from '../json-amount.ts';
import { ProviderError } from '../port.ts';
import type { ProviderPayout } from '../port.ts';
import { createGatewayClient } from './client.ts';
import type { GatewayAccess } from './client.ts';
import { createSandboxControl } from './control.ts';
import type { SandboxControl } from './control.ts';
import { checkGatewayHead, parseGatewayEvents } from './events.ts';
import { gatewaySettings } from './settings.ts';
import { failureOf } from './verdict.ts';
import {
  nameCheckBody,
  payoutBody,
  recipientBody,
  wireNameCheck,
  wirePayout,
  wirePayoutList,
  wireRecipient,
} from './wire.ts';
import type { WirePayout } from './wire.ts';

export interface Gateway extends ConnectedProvider {
  /** For the simulator alone: no other gateway has these paths. */
  readonly control: SandboxControl;
}

function toProviderPayout(payout: WirePayout): ProviderPayout {
  return {
    providerPayoutId: payout.id,
    reference: payout.reference,
    amountMinor: BigInt(payout.amount_minor),
    currency: payout.currency,
    status: payout.status,
    statusAt: payout.status_at,
    railRef: payout.rail_ref,
    failure: failureOf(payout.failure),
  };
}

/** A failed look-up says nothing about the payment, whatever the cause. */
function asUnknown(error: unknown): ProviderError {
  const message = error instanceof ProviderError ? error.message : 'The look-up failed.';
  return new ProviderError('unknown', 'other', message);
}

/**
 * A provider that speaks the protocol of simulator/README.md over HTTP: the simulator itself, or a
 * gateway in front of a bank.
 */
export function createGateway(access: GatewayAccess): Gateway {
  const client = createGatewayClient(access);
  return {
    name: access.name,
    capabilities: {
      idempotencyWindowMs: 86_400_000,
      // What it pays, its owner knows.
      pays: [paidScheme(null)],
      can: abilitiesOf('enrolls', 'checksNames', 'estimatesArrival'),
    },
    control: createSandboxControl(client),
    close: () => client.close(),

    async enroll(request, signal) {
      const recipient = await client.ask(
        {
          method: 'POST',
          path: '/recipients',
          body: recipientBody(request),
          idempotencyKey: request.idempotencyKey,
          answer: wireRecipient,
        },
        signal,
      );
      // A repeated call may find a recipient that was suspended or closed in the meantime.
      if (recipient.status !== 'active') {
        const code = recipient.status === 'closed' ? 'account_closed' : 'provider_rejected';
        throw new ProviderError('rejected', code, `The recipient is ${recipient.status}.`);
      }
      return { recipientId: recipient.id, reference: recipient.reference };
    },

    async checkName(request, signal) {
      const { code, name_on_file: nameOnFile } = await client.ask(
        {
          method: 'POST',
          path: '/name-checks',
          body: nameCheckBody(request),
          // A gateway that knows no such question has no answer for any account.
          definite: [404, 405],
          answer: wireNameCheck,
        },
        signal,
      );
      return { code, nameOnFile };
    },

    async submit(request, signal) {
      const payout = await client.ask(
        {
          method: 'POST',
          path: '/payouts',
          body: payoutBody(request, jsonAmount(request.amountMinor)),
          idempotencyKey: request.idempotencyKey,
          answer: wirePayout,
        },
        signal,
      );
      return toProviderPayout(payout);
    },

    async lookUp({ reference }, signal) {
      try {
        const list = await client.ask(
          {
            method: 'GET',
            path: `/payouts?reference=${encodeURIComponent(reference)}`,
            answer: wirePayoutList,
          },
          signal,
        );
        return list.data.map(toProviderPayout);
      } catch (error) {
        throw asUnknown(error);
      }
    },

    checkHead: checkGatewayHead,
    parseEvents: async (rawBody, header, now) =>
      parseGatewayEvents(access.webhookSecrets, rawBody, header, now),
  };
}

/** The gateway of the operator, in production. */
export const gatewayAdapter = defineAdapter({
  description: "a service of yours that speaks the simulator's protocol (simulator/README.md).",
  settings: gatewaySettings,
  connect: (name, values) =>
    createGateway({
      name,
      baseUrl: values.PROVIDER_URL,
      apiKey: values.PROVIDER_API_KEY,
      webhookSecrets: presentSecrets(
        values.PROVIDER_WEBHOOK_SECRET,
        values.PROVIDER_WEBHOOK_SECRET_PREVIOUS,
      ),
    }),
});
