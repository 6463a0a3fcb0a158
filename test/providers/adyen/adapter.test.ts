import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConnectedProvider } from '../../../src/providers/adapter.ts';
import { adyenAdapter } from '../../../src/providers/adyen/adapter.ts';
import { reasonMeanings, statusMeanings } from '../../../src/providers/adyen/meanings.ts';
import { fromAdyen, toAdyen } from '../../../src/providers/adyen/money.ts';
import { transfer } from '../../../src/providers/adyen/wire.ts';
import { guardProvider, type UnclearStatus } from '../../../src/providers/guard.ts';
import type { Destination, ProviderEvent } from '../../../src/providers/port.ts';
import { makeReference } from '../../../src/providers/reference.ts';
import {
  adyenHeaders,
  readAdyenDescriptions,
  startFakeAdyen,
  type FakeAdyen,
} from '../../support/provider-kit/adyen.ts';
import { altered, startLine } from '../../support/provider-kit/line.ts';
import { patience } from '../../support/patience.ts';
import { idBoundary, newId } from '../../../src/values/ids.ts';
import { refusalOf, type SignedEvent } from '../conformance/subject.ts';
import { enrollRequest, submitRequest } from '../support.ts';
import {
  adyenFolder,
  adyenMissing,
  adyenValues,
  apiKey,
  balanceAccountId,
  connectAdyen,
  posted,
  webhookLogin as login,
} from './subject.ts';

const now = 1_800_000_000;

function read(
  provider: Pick<ConnectedProvider, 'parseEvents'>,
  { rawBody, headers }: SignedEvent,
): Promise<readonly ProviderEvent[]> {
  return provider.parseEvents(rawBody, (name) => headers[name.toLowerCase()], now);
}

it.runIf(adyenMissing !== null)(`tests of Adyen: ${adyenMissing ?? ''}`, ({ skip }) => skip());

describe('the settings of Adyen', () => {
  it('do not let a live key reach a stand-in', () => {
    const values = { ...adyenValues('http://127.0.0.1:9'), ADYEN_ENVIRONMENT: 'live' };
    expect(() => adyenAdapter.connect('adyen', values)).toThrow('ADYEN_TEST_URL');
  });
});

describe('money of Adyen', () => {
  it.each([
    ['EUR', 1250n, 1250],
    ['JPY', 1250n, 1250],
    ['KWD', 1250n, 1250],
    ['CLP', 1250n, 125_000],
    ['ISK', 1n, 100],
    ['IDR', 125_000n, 1250],
    ['CVE', 100n, 1],
  ] as const)('is counted in its own minor units of %s', (currency, ours, theirs) => {
    expect(toAdyen(ours, currency)).toBe(theirs);
    expect(fromAdyen(theirs, currency)).toBe(ours);
  });

  it('is never rounded', () => {
    expect(() => toAdyen(125_001n, 'IDR')).toThrow('without decimal places');
    expect(() => toAdyen(2n ** 53n / 50n, 'CLP')).toThrow('outside');
    expect(fromAdyen(125_001, 'ISK')).toBeNull();
  });
});

describe.runIf(adyenMissing === null)('the adapter of Adyen', () => {
  const descriptions = adyenMissing === null ? readAdyenDescriptions(adyenFolder) : null;
  const given = () => {
    if (descriptions === null) throw new Error('no descriptions');
    return descriptions;
  };
  let fake: FakeAdyen;
  let provider: ConnectedProvider;
  beforeAll(async () => {
    fake = await startFakeAdyen(given(), { apiKey, balanceAccountId, pageSize: 2 });
    provider = connectAdyen(fake.url);
  });
  afterAll(async () => {
    expect(fake.violations).toEqual([]);
    await provider.close();
    await fake.close();
  });

  it.each([
    ['status', statusMeanings],
    ['reason', reasonMeanings],
  ] as const)('knows every %s of the descriptions, and no other', (field, meanings) => {
    const { transfers, notifications } = given();
    for (const document of [transfers, notifications]) {
      const { properties } = document.schema('TransferData') as {
        properties: Record<string, { enum: string[] }>;
      };
      expect(Object.keys(meanings).toSorted()).toEqual(properties[field]?.enum.toSorted());
    }
  });

  it('waits and tells a person where a status is new or undocumented, and never fails for it', async () => {
    const told: UnclearStatus[] = [];
    const line = await startLine(fake.url);
    const connected = connectAdyen(line.url);
    const guarded = guardProvider(connected, {
      timeoutMs: 60_000,
      breaker: { failures: 9, coolDownMs: 1 },
      onUnclear: (one) => void told.push(one),
    });
    for (const status of ['paidOut', 'chargeback']) {
      const request = payment(iban);
      line.next(altered((json) => Object.assign(json as object, { status })));
      const { reference } = request;
      const answer = await guarded.submit(request, patience());
      expect(answer).toMatchObject({ status: 'processing', failure: null });
      expect(told.pop()).toEqual({ provider: 'adyen', reference, status });
    }
    const chargeback = posted(given(), {}, { status: 'chargeback', sequenceNumber: 9 });
    const [event] = await read(guarded, chargeback);
    expect(event).toMatchObject({ type: 'acknowledged', failure: null });
    expect(told.pop()?.status).toBe('chargeback');
    await connected.close();
    await line.close();
  });

  it('reads every transfer that the descriptions show', () => {
    const operations = given().transfers.operations.filter(({ id }) => id.endsWith('-transfers'));
    const values = operations.flatMap(({ answers }) =>
      Object.values(answers).flatMap((examples) => examples.map(({ value }) => value)),
    );
    expect(values.length).toBeGreaterThan(8);
    for (const value of values) {
      const all = (value as { data?: unknown[] }).data ?? [value];
      for (const one of all) expect(transfer.safeParse(one).error).toBeUndefined();
    }
  });

  it('takes every webhook that the description shows, and tells of its own payments alone', async () => {
    const bodies = given().notifications.webhooks.flatMap(({ examples }) =>
      examples.map(({ value }) => Buffer.from(JSON.stringify(value))),
    );
    const events = await Promise.all(
      bodies.map((rawBody) => read(provider, { rawBody, headers: adyenHeaders(rawBody, login) })),
    );
    expect(
      events
        .flat()
        .map((event): string => event.type)
        .toSorted(),
    ).toEqual(['acknowledged', 'acknowledged', 'disbursed']);
  });

  it.each([
    ['another account', { balanceAccount: { id: 'BA00000000000000000000099' } }],
    ['money that comes in', { direction: 'incoming' }],
    ['money that stays at Adyen', { category: 'internal' }],
  ])('leaves out a webhook about %s', async (_what, change) => {
    const { rawBody } = posted(given());
    const body = JSON.parse(rawBody.toString()) as { data: object };
    const other = Buffer.from(JSON.stringify({ ...body, data: { ...body.data, ...change } }));
    expect(await read(provider, { rawBody: other, headers: adyenHeaders(other, login) })).toEqual(
      [],
    );
  });

  it('takes nothing of the other platform, nor with another login', async () => {
    const { rawBody } = posted(given());
    const live = Buffer.from(rawBody.toString().replace('"test"', '"live"'));
    const refused = (body: Buffer, with_: typeof login) =>
      refusalOf(() => read(provider, { rawBody: body, headers: adyenHeaders(body, with_) }));
    expect(await refused(live, login)).toBe(401);
    expect(await refused(rawBody, { ...login, password: 'another-password' })).toBe(401);
    expect(await refused(rawBody, { ...login, username: 'another' })).toBe(401);
  });

  it.each([
    ['disbursed', { tracking: { type: 'confirmation', status: 'accepted' } }],
    ['settled', { tracking: { type: 'confirmation', status: 'credited' } }],
    ['held', { status: 'authorised', tracking: { type: 'internalReview', status: 'pending' } }],
    ['acknowledged', { status: 'pendingApproval' }],
    ['failed', { status: 'cancelled', reason: 'cancelled' }],
    ['failed', { status: 'failed', tracking: { type: 'internalReview', status: 'failed' } }],
  ] as const)('tells that a payment is %s by %j', async (type, change) => {
    const [event] = await read(provider, posted(given(), { type: 'disbursed' }, change));
    expect(event).toMatchObject({ type });
  });

  it('tells when the money is expected, beside what the status means', async () => {
    const estimatedArrivalTime = '2026-11-23T10:00:00Z';
    const tracking = { type: 'estimation', estimatedArrivalTime };
    const events = await read(provider, posted(given(), { type: 'disbursed' }, { tracking }));
    expect(events).toMatchObject([
      { type: 'disbursed', eventId: '6JKRLZ8LOT47J7RY.3' },
      { type: 'estimated', expectedDeliveryDate: estimatedArrivalTime },
    ]);
    expect(events[1]?.eventId).not.toBe(events[0]?.eventId);
  });

  it('tells its events apart by their number, which stays when they are sent again', async () => {
    const ids = await Promise.all(
      [3, 4, 3].map(
        async (sequenceNumber) =>
          (await read(provider, posted(given(), {}, { sequenceNumber })))[0]?.eventId,
      ),
    );
    expect(ids).toEqual(['6JKRLZ8LOT47J7RY.3', '6JKRLZ8LOT47J7RY.4', '6JKRLZ8LOT47J7RY.3']);
  });

  it.each(Object.entries(accounts))('pays to an account of the kind %s', async (type, account) => {
    const request = payment(account.destination);
    await provider.submit(request, patience());
    expect(fake.transfers.at(-1)).toMatchObject({
      reference: request.reference,
      amount: { currency: account.destination.currency, value: 1250 },
      categoryData: { priority: type === 'numberAndBic' ? 'crossBorder' : 'regular' },
      counterparty: { bankAccount: { accountIdentification: { type, ...account.shown } } },
    });
  });

  it('has room for every key and reference of the service', async () => {
    const idempotencyKey = newId('disbursementAttempt');
    const reference = makeReference(newId('tenant'), idempotencyKey);
    const said = await provider.submit({ ...payment(iban), idempotencyKey, reference }, patience());
    expect(said.reference).toBe(reference);
  });

  it('writes names and addresses with the letters that Adyen takes', async () => {
    const account = payment({ ...iban, accountHolderName: 'Jürgen Großmann <CEO>' }).account;
    const address = { line1: 'Straße 1*', city: 'Köln', postalCode: '50667', country: 'DE' };
    const payee = { ...account.payee, address };
    await provider.submit({ ...payment(iban), account: { ...account, payee } }, patience());
    expect(fake.transfers.at(-1)).toMatchObject({
      counterparty: {
        bankAccount: {
          accountHolder: {
            fullName: 'Jurgen Grossmann CEO',
            address: { line1: 'Strasse 1', city: 'Koln', postalCode: '50667', country: 'DE' },
          },
        },
      },
    });
    const nobody = { ...iban, accountHolderName: '***' };
    const enrolling = provider.enroll({ ...enrollRequest(), destination: nobody });
    await expect(enrolling).rejects.toMatchObject({ verdict: 'rejected', code: 'invalid_account' });
  });

  it('knows nothing of a payment that is older than what Adyen lists', async () => {
    const [old, recent] = [190, 170].map((days) =>
      idBoundary('disbursementAttempt', Date.now() - days * 24 * 60 * 60 * 1000),
    );
    const lookUp = (id = '') =>
      provider.lookUp({ reference: makeReference('ten_1', id), recipientId: 'enr_1' }, patience());
    expect(await lookUp(recent)).toEqual([]);
    await expect(lookUp(old)).rejects.toMatchObject({ verdict: 'unknown' });
  });

  it('ends a list of pages that goes in circles', async () => {
    const line = await startLine(fake.url);
    const connected = connectAdyen(line.url);
    const circle = altered((json) =>
      Object.assign(json as object, { _links: { next: { href: 'https://x.test/?cursor=Mg' } } }),
    );
    line.next(circle, circle, circle);
    await expect(
      connected.lookUp({ reference: 'any', recipientId: 'enr_1' }, patience()),
    ).rejects.toMatchObject({ verdict: 'unknown' });
    expect(line.arrived()).toBe(2);
    await connected.close();
    await line.close();
  });
});

const holder = { accountHolderName: 'Ada Byron' };
const iban: Destination = {
  ...holder,
  country: 'DE',
  currency: 'EUR',
  iban: 'DE02120300000000202051',
};
const accounts: Record<string, { destination: Destination; shown: object }> = {
  iban: { destination: iban, shown: { iban: iban.iban } },
  usLocal: {
    destination: {
      ...holder,
      country: 'US',
      currency: 'USD',
      accountNumber: '123456789',
      routingCode: '011000138',
      accountType: 'savings',
    },
    shown: { accountNumber: '123456789', routingNumber: '011000138', accountType: 'savings' },
  },
  ukLocal: {
    destination: {
      ...holder,
      country: 'GB',
      currency: 'GBP',
      accountNumber: '12345678',
      routingCode: '12-34-56',
    },
    shown: { accountNumber: '12345678', sortCode: '123456' },
  },
  numberAndBic: {
    destination: {
      ...holder,
      country: 'JP',
      currency: 'USD',
      accountNumber: '123456789',
      swiftBic: 'BOTKJPJT',
    },
    shown: { accountNumber: '123456789', bic: 'BOTKJPJT' },
  },
};

function payment(destination: Destination) {
  const { currency } = destination;
  const { payee } = enrollRequest();
  return { ...submitRequest('enr_1'), currency, account: { payee, destination } };
}
