import { receiveProviderEvents } from '../../src/domain/provider-event/receive.ts';
import { DomainError } from '../../src/errors/domain-error.ts';
import { builder } from '../builder.ts';

/** Headers as a map from lower-case names; anything else in the JSON is not a header. */
function headerReader(headers: unknown): (name: string) => string | undefined {
  if (headers === null || typeof headers !== 'object') {
    throw new DomainError('bad_request', { message: 'headers must be an object.' });
  }
  const values = new Map<string, unknown>(Object.entries(headers));
  return (name) => {
    const value = values.get(name.toLowerCase());
    return typeof value === 'string' ? value : undefined;
  };
}

const ofRest = () =>
  new DomainError('forbidden', {
    message: 'Providers post their events to /provider-webhooks/{provider}.',
  });

builder.mutationField('providerEventReceive', (t) =>
  t.idList({
    nullable: true,
    description:
      "Receives what a payout provider posted, one event or several: verifies the signature over the raw bytes, stores each event once and returns the provider's ids of them after the commit. For POST /provider-webhooks/{provider} alone, which bounds what an address may send; forbidden in any other document.",
    args: {
      provider: t.arg.string({ required: true, description: 'Name of the provider.' }),
      rawBody: t.arg.string({ required: true, description: 'The unchanged body, in base64.' }),
      headers: t.arg({
        type: 'JSON',
        required: true,
        description: 'The request headers, by lower-case name.',
      }),
    },
    resolve: async (_root, { provider, rawBody, headers }, context) => {
      if (!context.ownDocument) throw ofRest();
      const events = await receiveProviderEvents(context.services, {
        provider,
        rawBody: Buffer.from(rawBody, 'base64'),
        header: headerReader(headers),
      });
      return events.map(({ eventId }) => eventId);
    },
  }),
);
