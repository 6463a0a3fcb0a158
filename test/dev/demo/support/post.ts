import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { isIP } from 'node:net';
import { sign, signatureHeader } from '../../../../src/crypto/signature.ts';

interface Post {
  readonly url: string;
  /** The authority to trust, PEM. */
  readonly ca: string;
  readonly body: string;
  /** The header's value; absent, none is sent. */
  readonly signature?: string;
  /** The address to take for the URL's host. */
  readonly address?: string;
}

/** Posts over TLS, with the certificate checked against `ca` alone; resolves with the status. */
export async function post({
  url,
  ca,
  body,
  signature,
  address = '127.0.0.1',
}: Post): Promise<number> {
  const sent = request(url, {
    method: 'POST',
    ca,
    lookup: (_host, _options, done) => done(null, [{ address, family: isIP(address) }]),
    agent: false,
    headers: signature === undefined ? {} : { [signatureHeader]: signature },
  });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode ?? 0;
}

export const signed = (secret: string, body: string, at = Math.floor(Date.now() / 1_000)): string =>
  sign(secret, at, Buffer.from(body));
