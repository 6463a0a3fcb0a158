import { apiVersion } from '../generated/operations.gen.ts';
import type { FedEvent } from './feed.ts';

const utf8 = new TextEncoder();

async function hmac(secret: string, text: string): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', utf8.encode(secret), algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8.encode(text)));
}

const hexOf = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const base64Of = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** A secret of the form of an endpoint's, for as long as the program runs. */
export function newSecret(): string {
  return `whsec_sandbox_${hexOf(crypto.getRandomValues(new Uint8Array(32)))}`;
}

interface SignedDelivery {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** An event as the service posts it: the envelope, and both of its signatures. */
export async function signedDelivery(
  event: FedEvent,
  secret: string,
  now = new Date(),
): Promise<SignedDelivery> {
  const { id, type, occurred_at, sequence, data } = event;
  const created_at = now.toISOString();
  const body = JSON.stringify({
    id,
    type,
    api_version: apiVersion,
    occurred_at,
    created_at,
    sequence,
    data,
  });
  const time = Math.floor(now.getTime() / 1_000);
  const own = await hmac(secret, `${time}.${body}`);
  const standard = await hmac(secret, `${id}.${time}.${body}`);
  return {
    body,
    headers: {
      'Content-Type': 'application/json',
      'X-Service-Signature': `t=${time},v1=${hexOf(own)}`,
      'webhook-id': id,
      'webhook-timestamp': String(time),
      'webhook-signature': `v1,${base64Of(standard)}`,
      'X-Event-Id': id,
      'X-Event-Type': type,
      'X-Delivery-Attempt': '1',
    },
  };
}
