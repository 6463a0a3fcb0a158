import { createHmac } from 'node:crypto';

/**
 * The same key as libraries of Standard Webhooks take it: `whsec_` and the key's bytes in base64, which
 * they decode. The key is the whole secret as it is shown, as for our own header (docs/webhooks.md).
 * @param secret as it is shown, `whsec_<env>_<random>`
 */
export function standardSecret(secret: string): string {
  return `whsec_${Buffer.from(secret).toString('base64')}`;
}

/**
 * The headers of a delivery by standardwebhooks.com: HMAC-SHA256 of `<id>.<unix_ts>.<rawBody>` in
 * base64. No message of this form has the form of our own header, `<unix_ts>.<rawBody>`, so one key
 * serves both.
 * @param id of the event, the same on every attempt
 * @param timestamp seconds since 1970
 */
export function standardHeaders(
  secret: string,
  id: string,
  timestamp: number,
  rawBody: Uint8Array,
): Record<string, string> {
  const mac = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(rawBody);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${mac.digest('base64')}`,
  };
}
