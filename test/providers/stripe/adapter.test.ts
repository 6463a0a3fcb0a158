import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type Stripe from 'stripe';
import type { z } from 'zod';
import type { ConnectedProvider } from '../../../src/providers/adapter.ts';
import type { Destination, SubmitRequest } from '../../../src/providers/port.ts';
import { stripeAdapter } from '../../../src/providers/stripe/adapter.ts';
import { failedMeanings, returnedMeanings } from '../../../src/providers/stripe/meanings.ts';
import { networksOf } from '../../../src/providers/stripe/recipient.ts';
import { meaningOf, outboundPayment, referenceKey } from '../../../src/providers/stripe/wire.ts';
import {
  otherName,
  startFakeStripe,
  stripeSignature,
  thinEvent,
  unansweredName,
  type FakePayment,
  type FakeStripe,
} from '../../support/provider-kit/stripe.ts';
import { patience } from '../../support/patience.ts';
import { refusalOf } from '../conformance/subject.ts';
import { enrollRequest, submitRequest } from '../support.ts';
import {
  apiKey,
  connectStripe,
  financialAccount,
  returnDays,
  stripeValues,
  webhookSecret,
} from './subject.ts';

// Whatever Stripe's type permits in an answer is read.
const said = (payment: FakePayment): z.input<typeof outboundPayment> => payment;

type Details = Stripe.V2.MoneyManagement.OutboundPayment.StatusDetails;
/** The names of an open enumeration, without "any other text". */
type Named<Reason> = Reason extends string ? (string extends Reason ? never : Reason) : never;

const now = 1_800_000_000;
const at = (seconds: number): string => new Date(seconds * 1_000).toISOString();
const day = 24 * 60 * 60;

const amount = { value: 1250, currency: 'usd' };
const payment = (more: Partial<FakePayment> = {}): FakePayment => ({
  id: 'obp_given',
  object: 'v2.money_management.outbound_payment',
  amount,
  cancelable: false,
  created: at(now - 10 * day),
  from: { debited: amount, financial_account: financialAccount },
  livemode: false,
  metadata: { [referenceKey]: 'ten_1.dat_1' },
  recipient_notification: { setting: 'none' },
  statement_descriptor: 'STRIPE',
  status: 'processing',
  to: { credited: amount, recipient: 'acct_0' },
  ...more,
});

const means = (more: Partial<FakePayment>) =>
  meaningOf(outboundPayment.parse(said(payment(more))), returnDays, now * 1_000);

describe('the settings of Stripe', () => {
  it.each([
    ['STRIPE_API_KEY', { STRIPE_ENVIRONMENT: 'live' }],
    ['STRIPE_API_KEY', { STRIPE_API_KEY: 'rk_live_0123456789' }],
    ['STRIPE_TEST_URL', { STRIPE_ENVIRONMENT: 'live', STRIPE_API_KEY: 'sk_live_0123456789' }],
  ])('do not mix test and live: %s', (named, change) => {
    const values = { ...stripeValues('http://127.0.0.1:9'), ...change };
    expect(() => stripeAdapter.connect('stripe', values)).toThrow(named);
  });
});

describe('what Stripe says of a payment', () => {
  it('has a meaning for each reason of its types', () => {
    const failed: Record<
      Named<NonNullable<Details['failed']>['reason']>,
      string
    > = failedMeanings as never;
    const returned: Record<
      Named<NonNullable<Details['returned']>['reason']>,
      string
    > = returnedMeanings as never;
    expect(Object.keys({ ...failed, ...returned })).not.toContain('undefined');
    for (const [reason, code] of Object.entries(failed)) {
      const told = means({ status: 'failed', status_details: { failed: { reason } } });
      expect(told).toMatchObject({ status: 'failed', failure: { code }, unclear: null });
    }
    for (const [reason, code] of Object.entries(returned)) {
      const told = means({ status: 'returned', status_details: { returned: { reason } } });
      expect(told).toMatchObject({ status: 'returned', failure: { code }, unclear: null });
    }
  });

  it.each([
    ['processing', {}, 'processing'],
    ['processing', { status_details: { processing: { reason: 'under_review' } } }, 'held'],
    ['posted', { status_transitions: { posted_at: at(now - 6 * day) } }, 'disbursed'],
    ['posted', { status_transitions: { posted_at: at(now - 7 * day) } }, 'settled'],
    ['canceled', {}, 'failed'],
    ['failed', { status_details: { failed: { reason: 'something_new' } } }, 'failed'],
    ['returned', {}, 'returned'],
  ] as const)('%s with %j is %s', (status, more, told) => {
    expect(means({ status, ...more })).toMatchObject({ status: told, unclear: null });
  });

  it('settles at the end of the days for returns, whenever it is asked', () => {
    const postedAt = at(now - 9 * day);
    const told = means({ status: 'posted', status_transitions: { posted_at: postedAt } });
    expect(told.statusAt).toBe(at(now - 2 * day));
  });

  it('waits with a status that is new, and tells a person', () => {
    const told = means({ status: 'teleported' as FakePayment['status'] });
    expect(told).toMatchObject({ status: 'processing', failure: null, unclear: 'teleported' });
  });
});

const destination = (
  country: string,
  currency: string,
  more: Partial<Destination>,
): Destination => ({
  accountHolderName: 'Ada Byron',
  country,
  currency,
  ...more,
});
const german = destination('DE', 'EUR', { iban: 'DE02120300000000202051' });
const british = destination('GB', 'GBP', { accountNumber: '31926819', routingCode: '60-16-13' });

describe('the adapter of Stripe', () => {
  let fake: FakeStripe;
  let provider: ConnectedProvider;
  beforeAll(async () => {
    fake = await startFakeStripe({ apiKey, financialAccount, pageSize: 2 });
    provider = connectStripe(fake.url, {
      STRIPE_NETWORKS: ['fps', 'sepa', 'rtp'],
      STRIPE_VERIFY_COUNTRIES: ['GB'],
      STRIPE_STATEMENT_DESCRIPTOR: 'EXAMPLE',
    });
  });
  afterAll(async () => {
    await provider.close();
    await fake.close();
    expect(fake.violations).toEqual([]);
  });

  async function pay(to: Destination, more: Partial<SubmitRequest> = {}) {
    const request = { ...enrollRequest(), destination: to };
    const { recipientId } = await provider.enroll(request, patience());
    const account = { payee: request.payee, destination: to };
    const asked = { ...submitRequest(recipientId), currency: to.currency, account, ...more };
    return { asked, paid: provider.submit(asked, patience()) };
  }

  it.each([
    ['an IBAN', german],
    ['a number with a sort code', british],
    ['a CLABE', destination('MX', 'MXN', { clabe: '032180000118359719' })],
    [
      'a number with a BIC',
      destination('JP', 'JPY', { accountNumber: '1234567', swiftBic: 'BOTKJPJT' }),
    ],
    [
      'a business in the United States',
      destination('US', 'USD', { accountNumber: '000123456789', routingCode: '110000000' }),
    ],
  ])('pays to %s', async (_what, to) => {
    const { asked, paid } = await pay(to);
    expect(await paid).toMatchObject({
      status: 'processing',
      currency: to.currency,
      amountMinor: 1250n,
    });
    expect(fake.payments.at(-1)?.metadata).toEqual({ [referenceKey]: asked.reference });
    expect(fake.payments.at(-1)?.statement_descriptor).toBe('EXAMPLE');
  });

  it('enrolls a business as a company', async () => {
    const request = enrollRequest();
    const { email } = request.payee;
    const payee = { type: 'business', businessName: 'Byron Ltd', email } as const;
    const { recipientId } = await provider.enroll({ ...request, payee }, patience());
    expect(recipientId).toMatch(/^acct_\d+:usba_\d+$/);
  });

  it('names of the preferred networks those that reach the account', () => {
    expect(networksOf(german)).toEqual(['sepa', 'swift']);
    expect(networksOf(british)).toEqual(['fps', 'swift']);
  });

  it('pays only whom the bank knows by this name, where Stripe has to ask', async () => {
    const named = (accountHolderName: string) => ({ ...british, accountHolderName });
    const before = fake.payments.length;
    const other = await pay(named(`${otherName} Byron`));
    await expect(other.paid).rejects.toMatchObject({ verdict: 'rejected', code: 'name_mismatch' });
    expect(fake.payments).toHaveLength(before);
    const unanswered = await pay(named(`${unansweredName} Byron`));
    expect(await unanswered.paid).toMatchObject({ status: 'processing' });
    // The same key again asks neither the bank nor the payee twice.
    expect(await provider.submit(unanswered.asked, patience())).toEqual(await unanswered.paid);
    expect(fake.payments).toHaveLength(before + 1);
  });

  it('pays in no currency that Stripe counts in a way of its own', async () => {
    const { paid } = await pay(german, { currency: 'ISK' });
    await expect(paid).rejects.toMatchObject({ verdict: 'rejected' });
  });

  it('believes no answer of the other mode', async () => {
    const { asked, paid } = await pay(german);
    const { providerPayoutId } = await paid;
    const live = fake.payments.find(({ id }) => id === providerPayoutId);
    if (live === undefined) throw new Error('it was not paid');
    live.livemode = true;
    await expect(provider.lookUp(asked, patience())).rejects.toMatchObject({ verdict: 'unknown' });
  });

  describe('events', () => {
    const event = (about: FakePayment, change: object = {}) => {
      const body = JSON.stringify({
        ...(JSON.parse(
          thinEvent(about, {
            id: 'evt_1',
            type: 'v2.money_management.outbound_payment.updated',
            created: at(now),
          }),
        ) as object),
        ...change,
      });
      return provider.parseEvents(
        Buffer.from(body),
        () => stripeSignature(body, webhookSecret, now),
        now,
      );
    };
    const kept = (more: Partial<FakePayment>): FakePayment => {
      const made = payment({ id: `obp_kept_${fake.payments.length}`, ...more });
      fake.payments.push(made);
      return made;
    };

    it('tell what the payment is when it is asked, with its trace and its arrival', async () => {
      const about = kept({
        expected_arrival_date: at(now + day),
        tracking_details: {
          status: 'supported',
          type: 'bank_account',
          bank_account: { trace_id: 'T7' },
        },
      });
      expect(await event(about)).toMatchObject([
        { type: 'acknowledged', providerPayoutId: about.id, railRef: 'T7' },
        { type: 'estimated', expectedDeliveryDate: at(now + day) },
      ]);
    });

    it('about other money, and of other kinds, tell nothing', async () => {
      expect(await event(kept({ metadata: {} }))).toEqual([]);
      const from = { debited: amount, financial_account: 'fa_other' };
      expect(await event(kept({ from }))).toEqual([]);
      expect(await event(payment(), { type: 'v2.core.account.updated' })).toEqual([]);
      expect(await event(payment(), { related_object: null })).toEqual([]);
    });

    it('of the other mode are refused', async () => {
      expect(await refusalOf(() => event(kept({}), { livemode: true }))).toBe(401);
    });

    it('are sent again where Stripe does not tell of the payment', async () => {
      expect(await refusalOf(() => event(payment({ id: 'obp_nobody' })))).toBe(503);
    });
  });
});
