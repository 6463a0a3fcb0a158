import { createHmac, timingSafeEqual } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { argv, env, exit, stdin } from 'node:process';
import { fileURLToPath } from 'node:url';

/** rawBody: the request's bytes as a Buffer. now: seconds since 1970. */
export function verify(rawBody, header, secret, now) {
  const match = /^t=([0-9]{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? '');
  if (match === null) return false;
  const [, timestamp, given] = match;
  if (Math.abs(now - Number(timestamp)) > 300) return false;
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest();
  return timingSafeEqual(Buffer.from(given, 'hex'), expected);
}

// node verify.mjs <header> [now] <body, with the secret in WEBHOOK_SECRET
if (realpathSync(argv[1]) === fileURLToPath(import.meta.url)) {
  const chunks = [];
  for await (const chunk of stdin) chunks.push(chunk);
  const now = argv[3] === undefined ? Date.now() / 1000 : Number(argv[3]);
  exit(verify(Buffer.concat(chunks), argv[2], env.WEBHOOK_SECRET ?? '', now) ? 0 : 1);
}
