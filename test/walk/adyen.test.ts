import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import {
  adyenFolder,
  adyenMissing,
  adyenWords,
  apiKey,
  balanceAccountId,
  webhookLogin,
} from '../providers/adyen/subject.ts';
import { startHarness, type Harness } from '../support/harness.ts';
import { providerPayouts, type ProviderPayouts } from './provider-payouts.ts';
import {
  adyenHeaders,
  adyenWebhook,
  readAdyenDescriptions,
  startFakeAdyen,
  type AdyenDescriptions,
  type FakeAdyen,
  type FakeTransfer,
  type Happening,
} from '../support/provider-kit/adyen.ts';
import { cutAfter, cutBefore, startLine, type Line } from '../support/provider-kit/line.ts';

it.runIf(adyenMissing !== null)(`payouts by Adyen: ${adyenMissing ?? ''}`, ({ skip }) => skip());

describe.runIf(adyenMissing === null)('payouts by Adyen', () => {
  let descriptions: AdyenDescriptions;
  let fake: FakeAdyen;
  let line: Line;
  let harness: Harness;
  let payouts: ProviderPayouts;

  beforeAll(async () => {
    descriptions = readAdyenDescriptions(adyenFolder);
    fake = await startFakeAdyen(descriptions, { apiKey, balanceAccountId, pageSize: 2 });
    line = await startLine(fake.url);
    harness = await startHarness({
      shipped: true,
      env: {
        ...adyenWords(line.url),
        PROVIDER: 'adyen',
        ADYEN_CURRENCIES: 'EUR,USD',
        PROVIDER_RETRY_DELAYS: '1',
      },
    });
    payouts = await providerPayouts(harness);
  });
  afterAll(async () => {
    await harness.close();
    await line.close();
    expect(fake.violations).toEqual([]);
    await fake.close();
  });

  const transferOf = (payoutId: string): Promise<FakeTransfer> =>
    payouts.submitted(payoutId, (attemptId) =>
      fake.transfers.find(({ reference }) => reference.endsWith(attemptId)),
    );

  async function post(transfer: FakeTransfer, happening: Omit<Happening, 'at'>): Promise<void> {
    const at = new Date().toISOString();
    const body = adyenWebhook(
      descriptions,
      {
        id: transfer.id,
        reference: transfer.reference,
        amount: transfer.amount,
        balanceAccount: { id: balanceAccountId },
      },
      { ...happening, at },
    );
    const headers = adyenHeaders(body, webhookLogin);
    const answer = await harness.rest('POST', '/provider-webhooks/adyen', { body, headers });
    expect(answer.status, answer.text).toBe(200);
  }

  const credited = {
    status: 'booked',
    sequenceNumber: 4,
    tracking: { type: 'confirmation', status: 'credited' },
  } as const;

  it('are settled, in whichever order and however often Adyen tells of them', async () => {
    const id = await payouts.approved();
    const transfer = await transferOf(id);
    expect(transfer).toMatchObject({
      amount: { currency: 'USD', value: 125_000 },
      counterparty: { bankAccount: { accountHolder: { fullName: 'Ada Lovelace' } } },
    });
    await post(transfer, credited);
    await post(transfer, { status: 'booked', sequenceNumber: 3 });
    await post(transfer, { status: 'authorised', sequenceNumber: 2 });
    await post(transfer, credited);
    expect((await payouts.reaches(id, 'settled')).provider).toBe('adyen');
  });

  it('come back after they were settled', async () => {
    const id = await payouts.approved();
    const transfer = await transferOf(id);
    await post(transfer, credited);
    await payouts.reaches(id, 'settled');
    const reason = 'counterpartyAccountClosed';
    await post(transfer, { status: 'returned', reason, sequenceNumber: 5 });
    expect((await payouts.reaches(id, 'returned')).failure_code).toBe('account_closed');
  });

  it('fail with a code, and wait where Adyen says what nobody knows', async () => {
    const id = await payouts.approved();
    const transfer = await transferOf(id);
    await post(transfer, { status: 'chargeback', sequenceNumber: 2 });
    const reason = 'counterpartyAccountNotFound';
    await post(transfer, { status: 'failed', reason, sequenceNumber: 3 });
    expect((await payouts.reaches(id, 'failed')).failure_code).toBe('invalid_account');
  });

  it('are paid once though answers are lost on the way', async () => {
    line.next(cutBefore, cutAfter, cutAfter);
    const id = await payouts.approved();
    const transfer = await transferOf(id);
    expect(fake.transfers.filter(({ reference }) => reference === transfer.reference)).toHaveLength(
      1,
    );
  });

  it('are led there in what the account pays in alone', async () => {
    const { key } = await issueOperatorKey(harness.database.pool, 'Ada');
    const replace = (currency: string) =>
      harness.graphql(
        key,
        `mutation { operatorRoutesReplace(businessId: "${payouts.tenant.businessId}", version: 0, reason: "Test",
          routes: [{ provider: "adyen", currency: "${currency}" }]) { version } }`,
      );
    const refused = await replace('SEK');
    expect(refused.text).toContain('routes[0].currency');
    expect((await replace('EUR')).text).not.toContain('errors');
  });
});
