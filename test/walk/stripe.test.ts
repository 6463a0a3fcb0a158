import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  apiKey,
  financialAccount,
  returnDays,
  stripeWords,
  webhookSecret,
} from '../providers/stripe/subject.ts';
import { startHarness, type Harness } from '../support/harness.ts';
import { providerPayouts, type ProviderPayouts } from './provider-payouts.ts';
import { cutAfter, cutBefore, startLine, type Line } from '../support/provider-kit/line.ts';
import {
  startFakeStripe,
  stripeSignature,
  thinEvent,
  type FakePayment,
  type FakeStripe,
} from '../support/provider-kit/stripe.ts';
import { referenceKey } from '../../src/providers/stripe/wire.ts';

const dayMs = 24 * 60 * 60 * 1_000;

describe('payouts by Stripe', () => {
  let fake: FakeStripe;
  let line: Line;
  let harness: Harness;
  let payouts: ProviderPayouts;

  beforeAll(async () => {
    fake = await startFakeStripe({ apiKey, financialAccount, pageSize: 2 });
    line = await startLine(fake.url);
    harness = await startHarness({
      shipped: true,
      env: {
        ...stripeWords(line.url),
        PROVIDER: 'stripe',
        STRIPE_NETWORKS: 'rtp,ach',
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

  const paymentOf = (payoutId: string): Promise<FakePayment> =>
    payouts.submitted(payoutId, (attemptId) =>
      fake.payments.find(({ metadata }) => metadata?.[referenceKey]?.endsWith(attemptId)),
    );

  let events = 0;

  /** Stripe changes a payment, and posts that it did. */
  async function happens(
    payment: FakePayment,
    change: Partial<FakePayment>,
    status = 200,
  ): Promise<void> {
    Object.assign(payment, change);
    const body = thinEvent(payment, {
      id: `evt_walk_${(events += 1)}`,
      type: 'v2.money_management.outbound_payment.updated',
      created: new Date().toISOString(),
    });
    const signature = stripeSignature(body, webhookSecret, Math.floor(Date.now() / 1_000));
    const answer = await harness.rest('POST', '/provider-webhooks/stripe', {
      body,
      headers: { 'stripe-signature': signature },
    });
    expect(answer.status, answer.text).toBe(status);
  }

  const posted = (daysAgo: number): Partial<FakePayment> => ({
    status: 'posted',
    status_transitions: { posted_at: new Date(Date.now() - daysAgo * dayMs).toISOString() },
  });

  it('leave the account, are settled after the days for returns, and may still come back', async () => {
    const id = await payouts.approved();
    const payment = await paymentOf(id);
    expect(payment).toMatchObject({
      amount: { currency: 'usd', value: 125_000 },
      from: { financial_account: financialAccount },
    });
    await happens(payment, posted(1));
    expect((await payouts.reaches(id, 'disbursed')).provider).toBe('stripe');
    await happens(payment, posted(returnDays + 0.5));
    await payouts.reaches(id, 'settled');
    await happens(payment, {
      status: 'returned',
      status_details: { returned: { reason: 'payout_method_closed' } },
      status_transitions: { returned_at: new Date().toISOString() },
    });
    expect((await payouts.reaches(id, 'returned')).failure_code).toBe('account_closed');
  });

  it('fail with a code', async () => {
    const id = await payouts.approved();
    await happens(await paymentOf(id), {
      status: 'failed',
      status_details: { failed: { reason: 'payout_method_does_not_exist' } },
      status_transitions: { failed_at: new Date().toISOString() },
    });
    expect((await payouts.reaches(id, 'failed')).failure_code).toBe('invalid_account');
  });

  it('are told again where Stripe does not answer what an event asks', async () => {
    const id = await payouts.approved();
    const payment = await paymentOf(id);
    line.next(cutBefore);
    await happens(payment, posted(0), 503);
    await happens(payment, posted(0));
    await payouts.reaches(id, 'disbursed');
  });

  it('are paid once though answers are lost on the way', async () => {
    // The payee is enrolled by two calls, and paid by a third one.
    line.next(cutAfter, cutBefore, cutAfter, cutAfter);
    const id = await payouts.approved();
    const { metadata } = await paymentOf(id);
    const reference = metadata?.[referenceKey];
    const paid = fake.payments.filter((one) => one.metadata?.[referenceKey] === reference);
    expect(paid).toHaveLength(1);
  });
});
