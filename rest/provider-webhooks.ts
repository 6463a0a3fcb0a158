import { Router, type Request, type Response } from 'express';
import { Context } from '../schema/context.ts';
import { prepareDocument } from '../schema/prepared/document.ts';
import {
  createProviderEventGate,
  type ProviderEventGate,
} from '../src/access/rate-limit/provider-events.ts';
import { DomainError } from '../src/errors/domain-error.ts';
import { isId } from '../src/values/ids.ts';
import type { Services } from '../src/process/services.ts';
import { readBytes, type UploadPace } from './http/body.ts';
import { failureFromGraphql } from './http/envelope.ts';
import { HttpError } from './http/http-error.ts';
import { facts, sendFailure, type RestParts } from './route/handler.ts';

const eventLimit = 256 * 1024;

/** Providers send from data centres: a body takes milliseconds, and a place is kept for it meanwhile. */
const bodySeconds = 5;

/** Who sends nothing loses the place after two looks, a second each, which is before those that wait are turned away. */
const bodyPace: UploadPace = { bytesPerSecond: 5_000, afterSeconds: 1.5 };

/**
 * Throws what the head alone tells: not_found for the provider, unauthorized for its signature. Of a connection the secret
 * is in the database, so its head is judged with the body.
 */
function checkHead({ providers }: Services, request: Request): void {
  const name = String(request.params['provider']);
  if (isId('bankConnection', name)) return;
  const provider = providers.byName(name);
  if (provider === null) throw new DomainError('not_found');
  const now = Math.floor(Date.now() / 1_000);
  const wrong = provider.checkHead((name) => request.get(name), now);
  if (wrong !== null) throw new DomainError('unauthorized', { message: wrong });
}

/** The bytes of an event. One that is late, cut short or too large counts as a wrong signature does. */
async function readEvent(
  gate: ProviderEventGate,
  request: Request,
  clientAddress: string,
): Promise<Buffer> {
  const read = async () => {
    try {
      return await readBytes(request, eventLimit, bodySeconds, bodyPace);
    } catch (error) {
      if (error instanceof HttpError || error instanceof DomainError) gate.failed(clientAddress);
      throw error;
    }
  };
  return gate.body(clientAddress, read);
}

/**
 * Inbound events of providers. What the head says is judged before the body is read, and the body is handed on as raw
 * bytes, since the signature is over them. The answer is 200 only after the events are committed; otherwise the
 * provider repeats them.
 */
export function createProviderWebhooks(parts: RestParts): Router {
  const { services } = parts;
  const document = prepareDocument(`
    mutation ReceiveProviderEvent($provider: String!, $rawBody: String!, $headers: JSON!) {
      providerEventReceive(provider: $provider, rawBody: $rawBody, headers: $headers)
    }`);
  const gate = createProviderEventGate(services);

  async function receive(request: Request, response: Response, bytes: Buffer): Promise<void> {
    const { requestId: id, clientAddress, allowance } = facts(response);
    const variables = {
      provider: request.params['provider'],
      rawBody: bytes.toString('base64'),
      headers: request.headers,
    };
    const context = new Context(services, null, {
      id,
      clientAddress,
      allowance,
      ownDocument: true,
    });
    const result = await parts.run(document, variables, context);
    const [error] = result.errors ?? [];
    const failure = error === undefined ? null : failureFromGraphql(error);
    if (failure?.code === 'unauthorized') gate.failed(clientAddress);
    else gate.proved(clientAddress);
    if (failure === null) response.json({ received: true });
    else sendFailure(services, response, failure);
  }

  const router = Router();
  router.post('/:provider', async (request, response) => {
    facts(response).route = '/provider-webhooks/:provider';
    const { clientAddress, reportLimit } = facts(response);
    gate.admit(clientAddress, reportLimit);
    checkHead(services, request);
    await receive(request, response, await readEvent(gate, request, clientAddress));
  });
  return router;
}
