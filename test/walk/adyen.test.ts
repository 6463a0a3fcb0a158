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
import {
  eventually,
  makePayee,
  makeTenant,
  payoutBody,
  type TestTenant,
} from '../support/factory.ts';
import { startHarness, type Harness } from '../support/harness.ts';
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
  let tenant: TestTenant;

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
    tenant = await makeTenant(harness, { environment: 'production' });
  });
  afterAll(async () => {
    await harness.close();
    await line.close();
    expect(fake.violations).toEqual([]);
    await fake.close();
  });

  async function approvedPayout(): Promise<string> {
    const { key } = tenant;
    const body = payoutBody(await makePayee(harness, key));
    const { payout } = (await harness.rest('POST', '/v1/payouts', { key, body })).body;
    const approved = await harness.rest('POST', `/v1/payouts/${payout.id}/approve`, { key });
    expect(approved.status, approved.text).toBe(200);
    return payout.id as string;
  }

  async function transferOf(payoutId: string): Promise<FakeTransfer> {
    return eventually(async () => {
      const { rows } = await harness.database.pool.query<{ id: string }>(
        "SELECT id FROM disbursement_attempt WHERE payout_id = $1 AND status = 'submitted'",
        [payoutId],
      );
      const [attempt] = rows;
      return attempt && fake.transfers.find(({ reference }) => reference.endsWith(attempt.id));
    });
  }

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

  const reaches = (payoutId: string, state: string) =>
    eventually(async () => {
      const { body } = await harness.rest('GET', `/v1/payouts/${payoutId}`, { key: tenant.key });
      return body.payout.state === state && body.payout;
    });

  const credited = {
    status: 'booked',
    sequenceNumber: 4,
    tracking: { type: 'confirmation', status: 'credited' },
  } as const;

  it('are settled, in whichever order and however often Adyen tells of them', async () => {
    const id = await approvedPayout();
    const transfer = await transferOf(id);
    expect(transfer).toMatchObject({
      amount: { currency: 'USD', value: 125_000 },
      counterparty: { bankAccount: { accountHolder: { fullName: 'Ada Lovelace' } } },
    });
    await post(transfer, credited);
    await post(transfer, { status: 'booked', sequenceNumber: 3 });
    await post(transfer, { status: 'authorised', sequenceNumber: 2 });
    await post(transfer, credited);
    expect((await reaches(id, 'settled')).provider).toBe('adyen');
  });

  it('come back after they were settled', async () => {
    const id = await approvedPayout();
    const transfer = await transferOf(id);
    await post(transfer, credited);
    await reaches(id, 'settled');
    const reason = 'counterpartyAccountClosed';
    await post(transfer, { status: 'returned', reason, sequenceNumber: 5 });
    expect((await reaches(id, 'returned')).failure_code).toBe('account_closed');
  });

  it('fail with a code, and wait where Adyen says what nobody knows', async () => {
    const id = await approvedPayout();
    const transfer = await transferOf(id);
    await post(transfer, { status: 'chargeback', sequenceNumber: 2 });
    const reason = 'counterpartyAccountNotFound';
    await post(transfer, { status: 'failed', reason, sequenceNumber: 3 });
    expect((await reaches(id, 'failed')).failure_code).toBe('invalid_account');
  });

  it('are paid once though answers are lost on the way', async () => {
    line.next(cutBefore, cutAfter, cutAfter);
    const id = await approvedPayout();
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
        `mutation { operatorRoutesReplace(businessId: "${tenant.businessId}", version: 0, reason: "Test",
          routes: [{ provider: "adyen", currency: "${currency}" }]) { version } }`,
      );
    const refused = await replace('SEK');
    expect(refused.text).toContain('routes[0].currency');
    expect((await replace('EUR')).text).not.toContain('errors');
  });
});
