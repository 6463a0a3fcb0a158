import { randomBytes } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { readKey } from './running.ts';

const profile = {
  legal_name: 'Demo Business Inc.',
  registration_number: '1234567',
  country: 'US',
  address: {
    line1: '1 Market Street',
    city: 'San Francisco',
    state: 'CA',
    postal_code: '94105',
    country: 'US',
  },
  website: 'https://www.example.com',
  industry: 'software',
  contact_phone: '+14155550100',
};

/**
 * The API key of a demo business in the sandbox: the one in `file` while it still authenticates,
 * else that of a business registered now, over HTTP as any business does it. Submitting the
 * profile funds its sandbox wallet.
 *
 * @param registered is awaited before the profile is submitted, since a proof of the address gives it back
 * @throws Error with the answer when the service refuses
 */
export async function sandboxKey(
  baseUrl: string,
  file: string,
  registered?: (key: string) => Promise<unknown>,
): Promise<string> {
  const known = readKey(file);
  if (known !== null && (await authenticates(baseUrl, known))) return known;
  const registration = await send(baseUrl, 'POST', '/v1/registration', {
    // A free-mail address: a company's domain would belong to the first who registers with it.
    email: `demo.business.${randomBytes(4).toString('hex')}@gmail.com`,
    company_name: 'Demo Business',
    first_name: 'Demo',
    last_name: 'Owner',
    country: 'US',
  });
  const { key } = (registration as { api_key: { key: string } }).api_key;
  await registered?.(key);
  await send(baseUrl, 'PUT', '/v1/business/profile', profile, key);
  // Last, so that an interrupted run registers again instead of keeping a key without a wallet.
  // Whoever waits for the file never reads half of it.
  const draft = `${file}.new`;
  await writeFile(draft, `${key}\n`, { mode: 0o600 });
  await rename(draft, file);
  return key;
}

async function authenticates(baseUrl: string, key: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${baseUrl}/v1/funding/account`, { headers });
  await response.body?.cancel();
  return response.status !== 401;
}

async function send(
  baseUrl: string,
  method: string,
  path: string,
  body: unknown,
  key?: string,
): Promise<unknown> {
  const response = await fetch(`${baseUrl}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}
