import { beforeAll, expect, test } from 'vitest';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { newId } from '../../src/values/ids.ts';
import { makeTenant, type TestTenant } from '../support/factory.ts';
import { useHarness } from '../support/use-harness.ts';

/* A profile that an operator does not accept: the business reads why, and submits it again. */

const harness = useHarness({ worker: false, env: { LOG_LEVEL: 'silent' } });
let operator: string;
beforeAll(async () => {
  operator = (await issueOperatorKey(harness.database.pool, 'On call')).key;
});

const decline = `mutation ($businessId: ID!, $submittedAt: DateTime, $explanation: String!, $reason: String!) {
  operatorProfileDecline(businessId: $businessId, submittedAt: $submittedAt, explanation: $explanation, reason: $reason) {
    id profileStatus
  }
}`;

const read =
  '{ businessProfile { profileStatus profileSubmittedAt profileDeclineReason profileDeclinedAt } }';

const run = (variables: Record<string, unknown>, key = operator) =>
  harness.graphql(key, decline, {
    explanation: 'The registration number is another company.',
    reason: 'reviewed',
    ...variables,
  });

const codeOf = ({ body }: Awaited<ReturnType<typeof run>>) =>
  body.errors?.[0]?.extensions.code as string | undefined;

async function submit({ key }: TestTenant): Promise<void> {
  const { status, text } = await harness.rest('PUT', '/v1/business/profile', {
    key,
    body: {
      legal_name: 'Example Ltd',
      registration_number: '123',
      country: 'GB',
      website: 'https://example.com',
      industry: 'Software',
      contact_phone: '+44 20 7946 0000',
      address: { line1: '1 Street', city: 'London', postal_code: 'N1 1AA', country: 'GB' },
    },
  });
  if (status >= 300) throw new Error(text);
}

const profileOf = async ({ key }: TestTenant) =>
  (await harness.graphql(key, read)).body.data.businessProfile;

test('a profile is declined once, by however many operators, and the business reads why until it submits another', async () => {
  const tenant = await makeTenant(harness);
  const { businessId } = tenant;
  expect(codeOf(await run({ businessId }))).toBe('conflict');
  await submit(tenant);
  const answers = await Promise.all([1, 2, 3].map(() => run({ businessId })));
  const declined = answers.filter(({ body }) => body.errors === undefined);
  expect(declined).toHaveLength(1);
  expect(answers.flatMap((answer) => codeOf(answer) ?? [])).toEqual(['conflict', 'conflict']);
  expect(await profileOf(tenant)).toEqual({
    profileStatus: 'incomplete',
    profileSubmittedAt: null,
    profileDeclineReason: 'The registration number is another company.',
    profileDeclinedAt: expect.any(String) as string,
  });
  const { rows } = await harness.database.pool.query(
    `SELECT action, detail FROM operator_action WHERE business_id = $1`,
    [businessId],
  );
  expect(rows).toEqual([
    {
      action: 'operatorProfileDecline',
      detail: { explanation: 'The registration number is another company.' },
    },
  ]);
  await submit(tenant);
  expect(await profileOf(tenant)).toMatchObject({
    profileStatus: 'submitted',
    profileDeclineReason: null,
    profileDeclinedAt: null,
  });
});

test('only the profile that was looked at is declined', async () => {
  const tenant = await makeTenant(harness);
  await submit(tenant);
  const { businessId } = tenant;
  const { profileSubmittedAt: submittedAt } = await profileOf(tenant);
  expect(codeOf(await run({ businessId, submittedAt: '2026-01-01T00:00:00Z' }))).toBe('conflict');
  expect(codeOf(await run({ businessId, explanation: ' ' }))).toBe('validation_failed');
  expect(codeOf(await run({ businessId: newId('business') }))).toBe('not_found');
  expect(codeOf(await run({ businessId: 'biz_1' }))).toBe('not_found');
  expect(codeOf(await run({ businessId }, tenant.key))).toBe('forbidden');
  expect((await profileOf(tenant)).profileStatus).toBe('submitted');
  const { body } = await run({ businessId, submittedAt });
  expect(body.data.operatorProfileDecline).toEqual({ id: businessId, profileStatus: 'incomplete' });
});
