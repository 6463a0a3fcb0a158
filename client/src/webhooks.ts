import type { Webhooks } from './generated/types.gen.ts';

/**
 * An event as it is delivered: `type` tells which fields `data` has. A newer service may send types and
 * fields that are not here; ignore them.
 */
export type WebhookEvent = Webhooks['body'];

type HeaderValue = string | readonly string[] | undefined;

export interface WebhookDelivery {
  /** The bytes as they came. A body that was parsed and serialised again has other bytes. */
  readonly body: Uint8Array | ArrayBuffer | string;
  /** A `Headers`, or an object with names in any case, as Node and Express have it. */
  readonly headers: Headers | Readonly<Record<string, HeaderValue>>;
  /**
   * The subscription's `secret` or `standard_webhooks_secret`; several while you replace one. Either
   * spelling verifies either header.
   */
  readonly secret: string | readonly string[];
  /** How far the signature's time may be from this clock, in either direction; 300 by default. */
  readonly toleranceSeconds?: number;
  /** Seconds since 1970; the clock's by default. */
  readonly now?: number;
}

/** A delivery is not to be trusted: answer it with 4xx and do nothing else. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly reason: 'unsigned' | 'malformed' | 'expired' | 'mismatch' | 'not_an_event';

  constructor(reason: WebhookError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

interface Signed {
  readonly timestamp: number;
  /** What is signed before the body. */
  readonly prefix: string;
  readonly signatures: readonly Uint8Array<ArrayBuffer>[];
}

const utf8 = new TextEncoder();

/** Text that is one byte a character, as `atob` gives it. */
const bytesOf = (binary: string) => Uint8Array.from(binary, (char) => char.charCodeAt(0));

/** Not by its class: a library may bring a Headers of its own. */
const isHeaders = (headers: WebhookDelivery['headers']): headers is Headers =>
  typeof headers.get === 'function';

function headerOf(headers: WebhookDelivery['headers'], name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : found?.[0];
}

function readOwn(header: string): Signed {
  const match = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header);
  if (match === null) {
    throw new WebhookError('malformed', 'X-Service-Signature is not of the form t=…,v1=….');
  }
  const [, time = '', hex = ''] = match;
  const signature = Uint8Array.from({ length: 32 }, (_, i) =>
    Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16),
  );
  return { timestamp: Number(time), prefix: `${time}.`, signatures: [signature] };
}

function readStandard(id: string, time: string, header: string): Signed {
  const all = header.split(' ').map((one) => /^v1,([A-Za-z0-9+/]{43}=)$/.exec(one)?.[1]);
  const signatures = all.flatMap((base64) => (base64 === undefined ? [] : [bytesOf(atob(base64))]));
  if (!/^\d{1,12}$/.test(time) || signatures.length === 0) {
    throw new WebhookError('malformed', 'webhook-signature is not of the form v1,….');
  }
  return { timestamp: Number(time), prefix: `${id}.${time}.`, signatures };
}

function readSignature(headers: WebhookDelivery['headers']): Signed {
  const own = headerOf(headers, 'x-service-signature');
  if (own !== undefined) return readOwn(own);
  const [id, time, standard] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => headerOf(headers, name),
  );
  if (id === undefined || time === undefined || standard === undefined) {
    throw new WebhookError('unsigned', 'The delivery carries no signature.');
  }
  return readStandard(id, time, standard);
}

/** The key of either spelling: `whsec_<env>_<random>` as it is, or `whsec_` and the key in base64. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  if (secret === '') throw new TypeError('The secret is empty.');
  const base64 = /^whsec_((?:[A-Za-z0-9+/]{4})+|[A-Za-z0-9+/]+={1,2})$/.exec(secret)?.[1];
  return base64 === undefined ? utf8.encode(secret) : bytesOf(atob(base64));
}

async function isSignedWith(secret: string, signed: Signed, body: Uint8Array): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', keyOf(secret), algorithm, false, ['verify']);
  const prefix = utf8.encode(signed.prefix);
  const message = new Uint8Array(prefix.length + body.length);
  message.set(prefix);
  message.set(body, prefix.length);
  for (const signature of signed.signatures) {
    // Compares in constant time.
    if (await crypto.subtle.verify('HMAC', key, signature, message)) return true;
  }
  return false;
}

function parseEvent(body: Uint8Array): WebhookEvent {
  try {
    const event: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (typeof event === 'object' && event !== null && 'id' in event && 'type' in event) {
      return event as WebhookEvent;
    }
  } catch {
    // Answered below, as any other body that is no event.
  }
  throw new WebhookError('not_an_event', 'The body is signed and holds no event.');
}

function toBytes(body: WebhookDelivery['body']): Uint8Array {
  if (typeof body === 'string') return utf8.encode(body);
  return body instanceof Uint8Array ? body : new Uint8Array(body);
}

/**
 * The event of a delivery whose signature is right and fresh: that of `X-Service-Signature`, or without
 * it that of Standard Webhooks. It may still be one that you have seen: skip an `id` that you have
 * stored. Throws WebhookError.
 */
export async function verifyWebhook({
  body,
  headers,
  secret,
  toleranceSeconds = 300,
  now = Date.now() / 1_000,
}: WebhookDelivery): Promise<WebhookEvent> {
  const signed = readSignature(headers);
  if (Math.abs(now - signed.timestamp) > toleranceSeconds) {
    throw new WebhookError('expired', 'The signature is too far from the time of this clock.');
  }
  const bytes = toBytes(body);
  for (const one of typeof secret === 'string' ? [secret] : secret) {
    if (await isSignedWith(one, signed, bytes)) return parseEvent(bytes);
  }
  throw new WebhookError('mismatch', 'The signature is not that of the secret.');
}
