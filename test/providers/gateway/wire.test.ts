import { describe, expect, it } from 'vitest';
import { sign, signatureHeader } from '../../../src/crypto/signature.ts';
import { ProviderEventRefused } from '../../../src/providers/port.ts';
import { parseGatewayEvents } from '../../../src/providers/gateway/events.ts';
import { recipientBody, wirePayout } from '../../../src/providers/gateway/wire.ts';

const secret = 'whsec_of_the_provider';
const now = 1_800_000_000;

function read(body: Buffer) {
  const signature = sign(secret, now, body);
  return parseGatewayEvents(
    [secret],
    body,
    (name) => (name === signatureHeader ? signature : undefined),
    now,
  );
}

const event = (more: object = {}, data: object = {}) => ({
  id: 'evt_1',
  occurred_at: '2026-11-21T10:00:00.000Z',
  type: 'payout.estimated',
  ...more,
  data: {
    payout_id: 'po_1',
    reference: 'dat_1',
    amount_minor: 1250,
    currency: 'EUR',
    rail_ref: null,
    expected_delivery_date: '2026-11-23T00:00:00Z',
    failure: null,
    ...data,
  },
});
const readJson = (body: object) => read(Buffer.from(JSON.stringify(body)));
const readEvent = (more?: object, data?: object) => readJson(event(more, data))[0];

describe('an event of the provider', () => {
  it('is read though its texts cannot be stored as they are', () => {
    const failure = { code: 'bank\0_rejected', message: `no\0 \ud800${'x'.repeat(2_000)}` };
    const told = readEvent({ type: 'payout.failed' }, { failure, rail_ref: 'r\0\udc00' });
    const message = `no \ufffd${'x'.repeat(996)}`;
    expect(told).toMatchObject({
      failure: { code: 'invalid_account', message },
      railRef: 'r\ufffd',
    });
  });

  it.each(['soon', '1969-12-31T23:59:59Z', '2200-01-01T00:00:00Z'])(
    'counts with an estimate that makes no sense, without it: %s',
    (date) => {
      expect(readEvent({}, { expected_delivery_date: date })).toMatchObject({
        type: 'estimated',
        expectedDeliveryDate: null,
      });
    },
  );

  it.each([
    ['a time out of range', { occurred_at: '1969-12-31T23:59:59Z' }, {}],
    ['a time far ahead', { occurred_at: '2200-01-01T00:00:00Z' }, {}],
    ['an id with a space', { id: 'evt 1' }, {}],
    ['a reference with a NUL', {}, { reference: 'dat_1\0' }],
    ['a payment without an id', {}, { payout_id: '' }],
    ['an id of 256 characters', {}, { payout_id: 'x'.repeat(256) }],
  ])('is refused for %s', (_what, more, data) => {
    expect(() => readEvent(more, data)).toThrow(ProviderEventRefused);
  });

  it('comes with others in one body, in their order', () => {
    const events = ['evt_2', 'evt_1', 'evt_3'].map((id) => event({ id }));
    const told = readJson({ events });
    expect(told.map(({ eventId }) => eventId)).toEqual(['evt_2', 'evt_1', 'evt_3']);
    expect(told[0]).toEqual({ ...readEvent(), eventId: 'evt_2' });
  });

  it.each([
    ['none', []],
    ['one that is refused', [event(), event({ id: 'evt 2' })]],
    ['more than a hundred', Array.from({ length: 101 }, () => event())],
  ])('is refused with all others of its body where there are %s', (_what, events) => {
    expect(() => readJson({ events })).toThrow(ProviderEventRefused);
  });

  it('is refused where its bytes are no UTF-8, signed or not', () => {
    const body = Buffer.from(JSON.stringify(event({}, { rail_ref: 'r?' })));
    body[body.lastIndexOf('?')] = 0xff;
    expect(() => read(body)).toThrow('not JSON');
  });
});

it('takes no status of a payment that it does not know', () => {
  const payment = {
    id: 'po_1',
    reference: 'dat_1',
    amount_minor: 1250,
    currency: 'EUR',
    status_at: '2026-11-21T10:00:00.000Z',
    rail_ref: null,
    failure: null,
  };
  expect(wirePayout.safeParse({ ...payment, status: 'settled' }).success).toBe(true);
  expect(wirePayout.safeParse({ ...payment, status: 'reversed' }).success).toBe(false);
});

it('tells the provider everything of a payee and a destination, under its own names', () => {
  const text = (name: string) => `the ${name}`;
  const body = recipientBody({
    idempotencyKey: 'enr_1',
    reference: 'ten_1.enr_1',
    payee: {
      type: 'business',
      firstName: text('first name'),
      lastName: text('last name'),
      businessName: text('business name'),
      email: text('email'),
      phone: text('phone'),
      country: 'DE',
      dateOfBirth: '1990-01-02',
      taxNumber: text('tax number'),
      address: {
        line1: text('line 1'),
        line2: text('line 2'),
        city: text('city'),
        state: text('state'),
        postalCode: text('postal code'),
        country: 'AT',
      },
    },
    destination: {
      accountHolderName: text('holder'),
      country: 'MX',
      currency: 'MXN',
      accountNumber: text('account number'),
      routingCode: text('routing code'),
      iban: text('iban'),
      swiftBic: text('bic'),
      clabe: text('clabe'),
      pixKey: text('pix key'),
      bankName: text('bank'),
      accountType: 'savings',
    },
  });
  expect(body).toEqual({
    reference: 'ten_1.enr_1',
    payee: {
      type: 'business',
      first_name: 'the first name',
      last_name: 'the last name',
      business_name: 'the business name',
      email: 'the email',
      phone: 'the phone',
      country: 'DE',
      date_of_birth: '1990-01-02',
      tax_number: 'the tax number',
      address: {
        line1: 'the line 1',
        line2: 'the line 2',
        city: 'the city',
        state: 'the state',
        postal_code: 'the postal code',
        country: 'AT',
      },
    },
    destination: {
      account_holder_name: 'the holder',
      country: 'MX',
      currency: 'MXN',
      account_number: 'the account number',
      routing_code: 'the routing code',
      iban: 'the iban',
      swift_bic: 'the bic',
      clabe: 'the clabe',
      pix_key: 'the pix key',
      bank_name: 'the bank',
      account_type: 'savings',
    },
  });
});
