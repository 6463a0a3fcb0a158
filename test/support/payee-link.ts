import { randomUUID } from 'node:crypto';
import { inviteOne, type TestInvite } from './collection.ts';
import type { TestTenant } from './factory.ts';
import type { Harness } from './harness.ts';

/** A link of the collection pages, with the address of its first page. */
export type PayeeLink = TestInvite & { readonly path: string };

interface LinkOptions {
  readonly scope?: 'full_onboarding' | 'bank_details' | 'tax_documents';
  readonly beneficiaryType?: 'person' | 'business';
}

/** How the business that invites knows the payee. */
export const invitedNames = {
  person: { first_name: 'Ada', last_name: 'Lovelace' },
  business: { business_name: 'Analytical Engines Ltd' },
} as const;

/** Invites somebody and opens no mail: the link of the request, as its mail would carry it. */
export async function makePayeeLink(
  harness: Harness,
  tenant: TestTenant,
  { scope = 'full_onboarding', beneficiaryType = 'person' }: LinkOptions = {},
): Promise<PayeeLink> {
  const email = `payee-${randomUUID()}@example.com`;
  const names = invitedNames[beneficiaryType];
  const invite = { email, beneficiary_type: beneficiaryType, scope, ...names };
  const invited = await inviteOne(harness, tenant, invite);
  return { ...invited, path: `/collect/${invited.token}` };
}

/** Ends a request as the business, the payee or time would. */
export async function endRequest(
  { database }: Harness,
  { requestId }: PayeeLink,
  status: 'submitted' | 'canceled' | 'superseded' | 'expired',
): Promise<void> {
  await database.pool.query(
    'UPDATE collection_request SET status = $2, closed_at = now(), draft_ciphertext = NULL WHERE id = $1',
    [requestId, status],
  );
}
