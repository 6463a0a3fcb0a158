import { Router } from 'express';
import { Context } from '../schema/context.ts';
import { prepareDocument } from '../schema/prepared/document.ts';
import { readBytes } from './http/body.ts';
import { failureFromGraphql } from './http/envelope.ts';
import { facts, sendFailure, type RestParts } from './route/handler.ts';

const eventLimit = 256 * 1024;

/**
 * Inbound events of providers. The body is handed on as raw bytes, since the signature is over them.
 * The answer is 200 only after the events are committed; otherwise the provider repeats them.
 */
export function createProviderWebhooks(parts: RestParts): Router {
  const document = prepareDocument(`
    mutation ReceiveProviderEvent($provider: String!, $rawBody: String!, $headers: JSON!) {
      providerEventReceive(provider: $provider, rawBody: $rawBody, headers: $headers)
    }`);
  const router = Router();
  router.post('/:provider', async (request, response) => {
    const { requestId: id, clientAddress, allowance } = facts(response);
    facts(response).route = '/provider-webhooks/:provider';
    const variables = {
      provider: request.params.provider,
      rawBody: (await readBytes(request, eventLimit)).toString('base64'),
      headers: request.headers,
    };
    const context = new Context(parts.services, null, { id, clientAddress, allowance });
    const result = await parts.run(document, variables, context);
    const [error] = result.errors ?? [];
    if (error === undefined) response.json({ received: true });
    else sendFailure(parts.services, response, failureFromGraphql(error));
  });
  return router;
}
