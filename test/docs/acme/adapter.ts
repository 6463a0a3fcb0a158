import type { z } from 'zod';
import { signatureHeader, verify, verifyHead } from '../../../src/crypto/signature.ts';
import { defineAdapter, presentSecrets } from '../../../src/providers/adapter.ts';
import { abilitiesOf, paidScheme } from '../../../src/providers/capabilities.ts';
import { jsonAmount } from '../../../src/providers/json-amount.ts';
import { createHttpCaller } from '../../../src/providers/http-caller.ts';
import { ProviderError, ProviderEventRefused } from '../../../src/providers/port.ts';
import { acmeSettings } from './settings.ts';
import * as wire from './wire.ts';

interface Question {
  readonly path: string;
  readonly key?: string;
  readonly body?: object;
  readonly signal: AbortSignal | undefined;
}

/** Only a readable refusal is a definite no: a bare 4xx may come from a proxy on the way. */
function errorOf(status: number, answer: unknown): ProviderError {
  const said = wire.error.safeParse(answer);
  if (status === 429) return new ProviderError('retry', 'other', 'Acme is rate limiting.');
  if (status !== 422 || !said.success) {
    return new ProviderError('unknown', 'other', `Acme answered ${status}.`);
  }
  const { code, message } = said.data.error;
  if (code === 'compliance_hold') return new ProviderError('held', 'compliance_rejected', message);
  const ours = code === 'bank_rejected' ? 'invalid_account' : 'provider_rejected';
  return new ProviderError('rejected', ours, message);
}

export const acmeAdapter = defineAdapter({
  description: 'Acme Payments.',
  settings: acmeSettings,
  connect(name, values) {
    const { ACME_URL: url, ACME_API_KEY: apiKey } = values;
    const secrets = presentSecrets(values.ACME_WEBHOOK_SECRET, values.ACME_WEBHOOK_SECRET_PREVIOUS);
    const caller = createHttpCaller(url, [apiKey, ...secrets]);

    async function ask<Answer>(shape: z.ZodType<Answer>, question: Question): Promise<Answer> {
      const { path, key, body, signal } = question;
      const method = body === undefined ? 'GET' : 'POST';
      const headers = {
        authorization: `Bearer ${apiKey}`,
        ...(key !== undefined && { 'idempotency-key': key }),
      };
      const { status, json } = await caller.send({ method, path, headers, body }, signal);
      if (status < 200 || status > 299) throw errorOf(status, json);
      const said = shape.safeParse(json);
      if (said.success) return said.data;
      throw new ProviderError('unknown', 'other', 'The answer of Acme could not be read.');
    }

    return {
      name,
      capabilities: {
        idempotencyWindowMs: 24 * 60 * 60 * 1000,
        pays: [paidScheme(null, { currencies: ['EUR', 'USD'] })],
        can: abilitiesOf('enrolls'),
      },

      async enroll({ idempotencyKey: key, reference, payee, destination }, signal) {
        const body = {
          reference,
          payee: { type: payee.type, email: payee.email },
          destination: {
            account_holder_name: destination.accountHolderName,
            country: destination.country,
            currency: destination.currency,
            account_number: destination.accountNumber,
          },
        };
        const said = await ask(wire.recipient, { path: '/recipients', key, body, signal });
        return { recipientId: said.id, reference: said.reference };
      },

      async submit(request, signal) {
        const body = {
          reference: request.reference,
          recipient_id: request.recipientId,
          amount_minor: jsonAmount(request.amountMinor),
          currency: request.currency,
          purpose: request.purpose,
        };
        return ask(wire.payout, { path: '/payouts', key: request.idempotencyKey, body, signal });
      },

      async lookUp({ reference }, signal) {
        const path = `/payouts?reference=${encodeURIComponent(reference)}`;
        try {
          return (await ask(wire.payouts, { path, signal })).data;
        } catch {
          // It tells nothing of the payment, whatever stopped it.
          throw new ProviderError('unknown', 'other', 'The look-up failed.');
        }
      },

      checkHead(header, now) {
        const fresh = verifyHead(header(signatureHeader), now) === 'fresh';
        return fresh ? null : 'The event has no signature of the last minutes.';
      },

      async parseEvents(rawBody, header, now) {
        const signature = header(signatureHeader);
        if (!secrets.some((secret) => verify(secret, signature, rawBody, now) === 'valid')) {
          throw new ProviderEventRefused(401, 'The signature of the event is not valid.');
        }
        try {
          return [wire.event.parse(JSON.parse(rawBody.toString('utf8')))];
        } catch {
          throw new ProviderEventRefused(400, 'The event has an unknown shape.');
        }
      },

      close: () => caller.close(),
    };
  },
});
