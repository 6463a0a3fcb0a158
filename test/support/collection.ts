import { jobScope } from '../../src/access/system.ts';
import { prepareCollectionMail } from '../../src/domain/collection/mail.ts';
import type { TestTenant } from './factory.ts';
import type { Harness, RestAnswer } from './harness.ts';

/** A new link of a live request, as its mail would carry it; fails when the request is not live. */
export async function linkOf(
  harness: Pick<Harness, 'services'>,
  tenantId: string,
  requestId: string,
): Promise<string> {
  const { services } = harness;
  const scope = await jobScope(services.pool, tenantId, { type: 'system', name: 'test' });
  const mail = await prepareCollectionMail({ services, scope }, requestId);
  if (mail === null) throw new Error('the request is not live, or its mail is out');
  return mail.token;
}

export interface TestInvite {
  readonly beneficiaryId: string;
  readonly requestId: string;
  readonly token: string;
}

/** Invites one beneficiary over REST, and opens a link to its form; the harness has no SMTP_URL. */
export async function inviteOne(
  harness: Harness,
  tenant: Pick<TestTenant, 'tenantId' | 'key'>,
  invite: Record<string, unknown>,
): Promise<TestInvite> {
  const answer = await harness.rest('POST', '/v1/beneficiaries/collection-invites', {
    key: tenant.key,
    body: { invites: [invite] },
  });
  const [result] = answer.body?.results ?? [];
  if (result?.status !== 'invited') throw new Error(`invite: ${answer.text}`);
  const requestId: string = result.collection_request.id;
  const token = await linkOf(harness, tenant.tenantId, requestId);
  return { beneficiaryId: result.beneficiary_id, requestId, token };
}

/** As if so much time had gone by since the requests of a beneficiary were made. */
export async function ageRequests(
  harness: Pick<Harness, 'database'>,
  beneficiaryId: string,
  interval = '2 minutes',
): Promise<void> {
  await harness.database.pool.query(
    `UPDATE collection_request SET created_at = created_at - $2::interval,
       expires_at = expires_at - $2::interval WHERE beneficiary_id = $1`,
    [beneficiaryId, interval],
  );
}

/** What a person gives for a full_onboarding link, in GraphQL's names. */
export const identity = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  countryOfResidence: 'GB',
  dateOfBirth: '1990-12-10',
  postalAddress: { line1: '12 St James Square', city: 'London', country: 'GB' },
};

export const bankAccount = {
  accountHolderName: 'Ada Lovelace',
  country: 'US',
  currency: 'USD',
  routingCode: '021000021',
  accountNumber: '000123456789',
};

const formFields = 'state scope businessName environment beneficiaryType expiresAt given';

/** The operations of the form over GraphQL, with the token alone. */
export function formCalls(harness: Harness) {
  const run = (query: string, variables: Record<string, unknown>): Promise<RestAnswer> =>
    harness.graphql(undefined, query, variables);
  return {
    open: (token: string) =>
      run(`query ($token: String!) { form: collectionForm(token: $token) { ${formFields} } }`, {
        token,
      }),
    save: (token: string, input: unknown) =>
      run(
        `mutation ($token: String!, $input: CollectionInput!) {
          form: collectionSave(token: $token, input: $input) { ${formFields} }
        }`,
        { token, input },
      ),
    submit: (token: string, input: unknown = null) =>
      run(
        `mutation ($token: String!, $input: CollectionInput) {
          form: collectionSubmit(token: $token, input: $input) { ${formFields} }
        }`,
        { token, input },
      ),
  };
}

/** The code of a GraphQL error, and its details as `field code`; null without an error. */
export function refusalOf(answer: RestAnswer): { code: string; details: string[] } | null {
  const extensions = answer.body.errors?.[0]?.extensions;
  if (extensions === undefined) return null;
  const details = extensions.details as { field: string; code: string }[];
  return { code: extensions.code, details: details.map(({ field, code }) => `${field} ${code}`) };
}

/** A small file that is what its name says. */
export const files = {
  pdf: Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'),
  png: Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]),
    Buffer.from('IHDR'),
    Buffer.alloc(17, 1),
    Buffer.from([0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]),
  ]),
  jpeg: Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 1, 0xff, 0xc0, 0, 4, 1, 1]),
    Buffer.from([0xff, 0xda, 0, 2, 5, 6, 7, 0xff, 0xd9]),
  ]),
} as const;
