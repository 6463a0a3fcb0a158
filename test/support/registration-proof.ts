import { randomUUID } from 'node:crypto';
import { prepareProofMail } from '../../src/domain/business/registration-proof-store.ts';
import { emailKey } from '../../src/values/fields.ts';
import type { Harness, RestAnswer } from './harness.ts';

/** The token of the newest link of an address, as its mail would carry it; null where there is nothing to prove. */
export async function proofToken(
  { services }: Pick<Harness, 'services'>,
  email: string,
): Promise<string | null> {
  const { rows } = await services.pool.query<{ id: string }>(
    'SELECT id FROM registration_proof WHERE email_key = $1 ORDER BY id DESC LIMIT 1',
    [emailKey(email)],
  );
  const [found] = rows;
  const prepared = found === undefined ? null : await prepareProofMail(services.pool, found.id);
  return prepared?.token ?? null;
}

interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const asPage = async (response: Response): Promise<Page> => ({
  status: response.status,
  headers: response.headers,
  text: await response.text(),
});

/** The page of a link, as a browser or a scanner of mails opens it. */
export async function openProofPage({ baseUrl }: Pick<Harness, 'baseUrl'>, token: string) {
  return asPage(await fetch(`${baseUrl}/registration/${token}`));
}

/** Presses the button of the page. */
export async function pressProof(
  { baseUrl }: Pick<Harness, 'baseUrl'>,
  token: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = { 'sec-fetch-site': 'same-origin' },
): Promise<Page> {
  const body = new URLSearchParams(fields);
  return asPage(await fetch(`${baseUrl}/registration/${token}`, { method: 'POST', body, headers }));
}

/** A company's domain that nobody has. */
export const company = (): string => `company-${randomUUID()}.com`;

export const codeOf = ({ body }: RestAnswer): string | undefined =>
  body.error?.code ?? body.errors?.[0].extensions.code;

export function tryRegister(
  harness: Pick<Harness, 'rest'>,
  email: string,
  name = 'Engines',
): Promise<RestAnswer> {
  const body = { email, company_name: name, first_name: 'Eve' };
  return harness.rest('POST', '/v1/registration', { body });
}

/** A business that is registered over REST, and not proven. */
export interface Registered {
  readonly businessId: string;
  readonly userId: string;
  readonly membershipId: string;
  readonly keyId: string;
  readonly key: string;
}

export async function register(
  harness: Pick<Harness, 'rest'>,
  email: string,
  name?: string,
): Promise<Registered> {
  const answer = await tryRegister(harness, email, name);
  if (answer.status !== 201) throw new Error(`registration: ${answer.text}`);
  const { business, user, membership, api_key } = answer.body;
  return {
    businessId: business.id,
    userId: user.id,
    membershipId: membership.id,
    keyId: api_key.id,
    key: api_key.key,
  };
}

/** As `proofToken`, of an address that has something to prove. */
export async function tokenOf(harness: Pick<Harness, 'services'>, email: string): Promise<string> {
  const token = await proofToken(harness, email);
  if (token === null) throw new Error(`nothing to prove for ${email}`);
  return token;
}

/** Whether a key works, also once what the process remembers of it is over. */
export async function keyWorks({ rest }: Pick<Harness, 'rest'>, key: string): Promise<boolean> {
  const answer = await rest('GET', '/v1/business/profile', { key });
  if (answer.status === 401) return false;
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  return (await rest('GET', '/v1/business/profile', { key })).status === 200;
}

/** What a business claims, and whether that is proven. */
export async function claimsOf({ database }: Pick<Harness, 'database'>, businessId: string) {
  const { rows } = await database.pool.query<{
    domain: string | null;
    address: string | null;
    proven: boolean;
  }>(
    `SELECT email_domain AS domain, registrant_email_key AS address,
       registration_proven_at IS NOT NULL AS proven FROM business WHERE id = $1`,
    [businessId],
  );
  return rows[0];
}
