import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fieldErrors } from '../../src/values/field-errors.ts';
import {
  country,
  currencyCode,
  dateTime,
  email,
  externalRef,
  httpsUrl,
  idempotencyKey,
  isoDate,
  knownCurrency,
  metadata,
  optionalText,
  phone,
  postalAddress,
  postalAddressWire,
  reasonMessage,
  text,
  ulid,
  url,
} from '../../src/values/fields.ts';

function faults(schema: z.ZodType, input: unknown): string[] {
  const result = schema.safeParse(input);
  if (result.success) return [];
  return fieldErrors(result.error, input).map(({ field, code }) => `${field}: ${code}`);
}

/** The one code with which a lone value is refused, or null. */
function code(schema: z.ZodType, value: unknown): string | null {
  return (
    faults(z.strictObject({ f: schema }), { f: value })
      .join()
      ?.replace('f: ', '') || null
  );
}

describe('text', () => {
  it('trims', () => {
    expect(text().parse(' \n Ada  Lovelace\t')).toBe('Ada  Lovelace');
  });

  it.each([
    ['', 'too_short'],
    ['   ', 'too_short'],
    ['a\u0000', 'invalid_format'],
    ['a\nb', 'invalid_format'],
    ['a\u007fb', 'invalid_format'],
    ['a\u0085b', 'invalid_format'],
    ['a\u202eb', 'invalid_format'],
    ['a\u2028b', 'invalid_format'],
    ['\u200d', 'too_short'],
    ['\u2060\u3164\u00ad', 'too_short'],
    ['a\ud800b', 'invalid_format'],
    ['a'.repeat(256), 'too_long'],
    ['😀'.repeat(256), 'too_long'],
    [1, 'invalid_type'],
    [null, 'invalid_type'],
    [undefined, 'required'],
  ])('refuses %j as %s', (value, expected) => {
    expect(code(text(), value)).toBe(expected);
  });

  it('counts characters, not units, and leaves other scripts alone', () => {
    for (const value of [
      'a'.repeat(255),
      '😀'.repeat(255),
      'محمد\u200cعلی',
      '山田 太郎',
      "O'Brien",
    ]) {
      expect(text().parse(value)).toBe(value);
    }
  });

  it('never throws and never lets a control character or a longer text through', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (value) => {
        const result = text(10).safeParse(value);
        if (!result.success) return;
        expect([...result.data].length).toBeLessThanOrEqual(10);
        expect(result.data).not.toMatch(/\p{Cc}/u);
        expect(result.data).toBe(value.trim());
      }),
    );
  });

  it('publishes its lengths', () => {
    expect(z.toJSONSchema(text(128))).toMatchObject({ minLength: 1, maxLength: 128 });
  });

  it('may be absent or null where optional', () => {
    const schema = z.strictObject({ f: optionalText() });
    expect(schema.parse({})).toEqual({});
    expect(schema.parse({ f: null })).toEqual({ f: null });
    expect(faults(schema, { f: '' })).toEqual(['f: too_short']);
  });

  it('has the lengths of the contract', () => {
    expect(code(externalRef, 'a'.repeat(128))).toBeNull();
    expect(code(externalRef, 'a'.repeat(129))).toBe('too_long');
    expect(code(idempotencyKey, 'a'.repeat(255))).toBeNull();
    expect(code(idempotencyKey, 'a'.repeat(256))).toBe('too_long');
    expect(code(reasonMessage, 'a'.repeat(1_000))).toBeNull();
    expect(code(reasonMessage, 'a'.repeat(1_001))).toBe('too_long');
  });
});

describe('email', () => {
  it.each([
    ['ada@example.com'],
    ['Ada.Lovelace+x@mail.example.co.uk'],
    ["o'brien@example.com"],
    ['ada@bücher.de'],
    ['ada@xn--bcher-kva.de'],
    [`${'a'.repeat(64)}@example.com`],
    ['_ada-1@1und1.de'],
  ])('takes %s', (address) => {
    expect(email.parse(` ${address} `)).toBe(address);
  });

  it.each([
    ['ada'],
    ['ada@'],
    ['@example.com'],
    ['a@b@example.com'],
    ['ada@localhost'],
    ['ada@[127.0.0.1]'],
    ['ada@127.0.0.1'],
    ['ada@exa mple.com'],
    ['.ada@example.com'],
    ['ada..b@example.com'],
    ['ada.@example.com'],
    ['"ada b"@example.com'],
    ['ada@-example.com'],
    ['ada@example..com'],
    ['ada@example.com.'],
    ['ada@ex%61mple.com'],
    ['Ada <ada@example.com>'],
    [`${'a'.repeat(65)}@example.com`],
  ])('refuses %s', (address) => {
    expect(code(email, address)).toBe('invalid_format');
  });

  it('is at most 254 characters', () => {
    const domain = `${'a'.repeat(60)}.`.repeat(4);
    expect(code(email, `ada@${domain}com`)).toBe(null);
    expect(code(email, `adalovelace@${domain}com`)).toBe('too_long');
  });
});

describe('phone', () => {
  it.each(['+1 202 555 0100', '(020) 7946-0123', '12345', '+49/30.123456', ' 55501 '])(
    'takes %s',
    (number) => {
      expect(code(phone, number)).toBeNull();
      expect(number.trim()).toMatch(new RegExp(phone.meta()?.['pattern'] as string));
    },
  );

  it.each([
    ['xx', 'invalid_format'],
    ['1234', 'invalid_format'],
    ['(+) -./', 'invalid_format'],
    ['+1 202 CALL NOW', 'invalid_format'],
    ['٠١٢٣٤٥', 'invalid_format'],
    ['', 'too_short'],
    ['1'.repeat(33), 'too_long'],
  ])('refuses %j', (number, expected) => {
    expect(code(phone, number)).toBe(expected);
  });
});

describe('codes, dates and addresses', () => {
  it.each([
    [country, 'DE', null],
    [country, ' DE ', null],
    [country, 'de', 'invalid_value'],
    [country, 'ZZ', 'invalid_value'],
    [country, 'DEU', 'invalid_value'],
    [currencyCode, 'EUR', null],
    [currencyCode, 'ABC', null],
    [currencyCode, 'eur', 'invalid_format'],
    [currencyCode, 'EURO', 'invalid_format'],
    [knownCurrency, 'EUR', null],
    [knownCurrency, 'ABC', 'invalid_value'],
    [isoDate, '1990-02-28', null],
    [isoDate, '2000-02-29', null],
    [isoDate, '1990-02-29', 'invalid_format'],
    [isoDate, '1990-2-28', 'invalid_format'],
    [isoDate, '1990-13-01', 'invalid_format'],
    [isoDate, '1990-01-01T00:00:00Z', 'invalid_format'],
    [isoDate, '1899-12-31', 'invalid_value'],
    [isoDate, '9999-01-01', 'invalid_value'],
    [isoDate, new Date().toISOString().slice(0, 10), null],
    [dateTime, '2026-11-01T10:00:00Z', null],
    [dateTime, '2026-11-01T10:00:00.123456+05:30', null],
    [dateTime, '2026-11-01T10:00:00', 'invalid_format'],
    [dateTime, '2026-02-30T10:00:00Z', 'invalid_format'],
    [dateTime, '2026-11-01', 'invalid_format'],
    [dateTime, '0000-01-01T00:00:00Z', 'invalid_value'],
    [dateTime, '9999-12-31T23:59:59-12:00', 'invalid_value'],
    [dateTime, '2026-11-01T10:00:00+15:59', null],
    [dateTime, '2026-11-01T10:00:00+16:00', 'invalid_value'],
    [dateTime, '2026-11-01T10:00:00-23:59', 'invalid_value'],
    [url, 'http://example.com/a?b=c', null],
    [url, 'ftp://example.com', 'invalid_format'],
    [url, 'https:example.com', 'invalid_format'],
    [url, 'https://user:secret@example.com', 'invalid_format'],
    [url, 'https://exa mple.com', 'invalid_format'],
    [url, 'javascript:alert(1)', 'invalid_format'],
    [url, `https://example.com/${'a'.repeat(255)}`, 'too_long'],
    [httpsUrl, 'https://example.com:8443/hook', null],
    [httpsUrl, 'http://example.com', 'invalid_format'],
    [ulid, '01ARZ3NDEKTSV4RRFFQ69G5FAV', null],
    [ulid, '81ARZ3NDEKTSV4RRFFQ69G5FAV', 'invalid_format'],
    [ulid, '01ARZ3NDEKTSV4RRFFQ69G5FA', 'invalid_format'],
    [ulid, '01ARZ3NDEKTSV4RRFFQ69G5FAU', 'invalid_format'],
  ])('case %#: %s of %s', (schema, value, expected) => {
    expect(code(schema, value)).toBe(expected);
  });

  it('knows both namings of a postal address', () => {
    const rest = { line1: '1 St', city: 'London', country: 'GB', state: null };
    expect(postalAddress.parse({ ...rest, postalCode: 'N1' })).toEqual({
      ...rest,
      postalCode: 'N1',
    });
    expect(postalAddressWire.parse({ ...rest, postal_code: 'N1' })).toEqual({
      ...rest,
      postal_code: 'N1',
    });
    expect(faults(postalAddressWire, { postalCode: 'N1', country: 'XY' })).toEqual([
      'line1: required',
      'city: required',
      'country: invalid_value',
      'postalCode: unknown_field',
    ]);
  });
});

describe('metadata', () => {
  const keys = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [n, 'v']));

  it('takes 20 keys of 40 characters with values of 500, empty ones too', () => {
    expect(metadata.parse(keys(20))).toEqual(keys(20));
    const wide = { ['k'.repeat(40)]: 'v'.repeat(500), empty: '', constructor: 'c', toString: 't' };
    expect(metadata.parse(wide)).toEqual(wide);
  });

  it.each([
    [keys(21), ['f: too_long']],
    [{ ['k'.repeat(41)]: 'v' }, [`f.${'k'.repeat(41)}: too_long`]],
    [{ '': 'v' }, ['f.: too_short']],
    [{ 'a\nb': 'v' }, ['f.a\nb: invalid_format']],
    [{ a: 'v'.repeat(501) }, ['f.a: too_long']],
    [{ a: 1 }, ['f.a: invalid_type']],
    [{ a: { b: 'c' } }, ['f.a: invalid_type']],
    [[], ['f: invalid_type']],
    ['text', ['f: invalid_type']],
  ])('refuses case %#', (value, expected) => {
    expect(faults(z.strictObject({ f: metadata }), { f: value })).toEqual(expected);
  });

  it('refuses __proto__ instead of losing it', () => {
    const input: unknown = JSON.parse('{"f":{"__proto__":{"polluted":"yes"}}}');
    expect(faults(z.strictObject({ f: metadata }), input)).toContain('f.__proto__: unknown_field');
  });

  it('may be absent and is described as an object of strings', () => {
    const schema = z.strictObject({ f: metadata.optional() });
    expect(schema.parse({})).toEqual({});
    expect(z.toJSONSchema(schema, { io: 'input' }).properties?.['f']).toMatchObject({
      type: 'object',
      maxProperties: 20,
      additionalProperties: { type: 'string', maxLength: 500 },
    });
  });
});

describe('fieldErrors', () => {
  const row = z.strictObject({
    amount_minor: z.int().min(1).max(10),
    mode: z.enum(['partial', 'atomic']).optional(),
    reasons: z.array(text()).min(1).max(2).optional(),
  });
  const body = z.strictObject({ payouts: z.array(row) });

  it.each([
    [{ amount_minor: 0 }, ['payouts[1].amount_minor: too_small']],
    [{ amount_minor: 11 }, ['payouts[1].amount_minor: too_large']],
    [{ amount_minor: 1.5 }, ['payouts[1].amount_minor: invalid_type']],
    [{ amount_minor: '1' }, ['payouts[1].amount_minor: invalid_type']],
    [{ amount_minor: null }, ['payouts[1].amount_minor: invalid_type']],
    [{}, ['payouts[1].amount_minor: required']],
    [{ amount_minor: 1, mode: 'x' }, ['payouts[1].mode: invalid_value']],
    [{ amount_minor: 1, reasons: [] }, ['payouts[1].reasons: too_short']],
    [{ amount_minor: 1, reasons: ['a', 'b', 'c'] }, ['payouts[1].reasons: too_long']],
    [{ amount_minor: 1, reasons: ['a', ''] }, ['payouts[1].reasons[1]: too_short']],
    [
      { amount_minor: 1, x: 1, constructor: 2 },
      ['payouts[1].x: unknown_field', 'payouts[1].constructor: unknown_field'],
    ],
    ['row', ['payouts[1]: invalid_type']],
  ])('names the path and the code of %j', (second, expected) => {
    expect(faults(body, { payouts: [{ amount_minor: 1 }, second] })).toEqual(expected);
  });

  it('reports __proto__ as an unknown field and pollutes nothing', () => {
    const input: unknown = JSON.parse(
      '{"payouts":[],"__proto__":{"polluted":true},"constructor":1}',
    );
    expect(faults(body, input)).toEqual(['__proto__: unknown_field', 'constructor: unknown_field']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('tells a missing enum value from a wrong one', () => {
    const schema = z.strictObject({ type: z.enum(['person', 'business']) });
    expect(faults(schema, {})).toEqual(['type: required']);
    expect(faults(schema, { type: 'robot' })).toEqual(['type: invalid_value']);
    expect(faults(schema, Object.create({ type: 'inherited' }))).toEqual(['type: required']);
  });

  it('finds missing strings also without the input', () => {
    const result = z.strictObject({ a: text(), b: text() }).safeParse({ b: null });
    expect(fieldErrors(result.error ?? new z.ZodError([])).map((e) => e.code)).toEqual([
      'required',
      'invalid_type',
    ]);
  });

  it('takes the code that a refinement names', () => {
    const schema = z
      .strictObject({ acknowledged: z.boolean(), identity_pending: z.boolean() })
      .check((ctx) => {
        for (const field of ['acknowledged', 'identity_pending']) {
          const params = { code: 'mutually_exclusive' };
          ctx.issues.push({ code: 'custom', path: [field], params, input: ctx.value });
        }
      });
    expect(faults(schema, { acknowledged: true, identity_pending: true })).toEqual([
      'acknowledged: mutually_exclusive',
      'identity_pending: mutually_exclusive',
    ]);
  });

  it('explains a union by the branch that came nearest', () => {
    const schema = z.strictObject({
      invites: z.array(
        z.union([
          z.strictObject({ beneficiary_id: text() }),
          z.strictObject({ email, beneficiary_type: z.enum(['person']) }),
        ]),
      ),
    });
    const input = { invites: [{ email: 'nobody', beneficiary_type: 'person' }] };
    expect(faults(schema, input)).toEqual(['invites[0].email: invalid_format']);
  });

  it('stops at a hundred entries and cuts long keys', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, n]));
    expect(faults(z.strictObject({}), many)).toHaveLength(100);
    expect(faults(z.strictObject({}), { ['k'.repeat(9_999)]: 1 })).toEqual([
      `${'k'.repeat(64)}: unknown_field`,
    ]);
  });

  it('never repeats a refused value', () => {
    const schema = z.strictObject({ email, dob: isoDate, country, type: z.enum(['person']) });
    const secret = 'canary-4929';
    const input = { email: secret, dob: secret, country: secret, type: secret };
    const result = schema.safeParse(input);
    const errors = fieldErrors(result.error ?? new z.ZodError([]), input);
    expect(errors).toHaveLength(4);
    expect(JSON.stringify(errors)).not.toContain(secret);
  });
});
