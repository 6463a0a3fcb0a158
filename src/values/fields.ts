import { domainToASCII } from 'node:url';
import { z } from 'zod';
import { isCountry } from '../reference/countries.ts';
import { isCurrency } from '../reference/currencies.ts';

/*
 * The field types that REST contracts and domain inputs share. Objects built from
 * them are strict (`z.strictObject`): an unknown key, `__proto__` included, is an error.
 *
 * Lengths are checked by hand and published with `.meta`, because zod counts UTF-16 units while
 * JSON Schema, and so the OpenAPI document, counts characters.
 */

/**
 * What no string may hold: control characters and Unicode's own line ends; direction overrides, with which a
 * name can be shown to an approver as another; and lone surrogates, which PostgreSQL refuses inside JSON.
 */
function hasForbiddenCharacters(value: string): boolean {
  return /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(value) || !value.isWellFormed();
}

/** Whether a reader sees anything of it: joiners and blanks of every kind alone are no name. */
const isVisible = (value: string): boolean =>
  /[^\p{Default_Ignorable_Code_Point}\p{Cf}\p{Z}]/u.test(value);

type Problem =
  | { readonly code: 'too_short'; readonly minimum: number }
  | { readonly code: 'too_long'; readonly maximum: number }
  | { readonly code: 'invalid_format' | 'invalid_value'; readonly message: string };

function charactersProblem(value: string, minimum: number, maximum: number): Problem | null {
  if (hasForbiddenCharacters(value)) {
    const message = 'Must not hold control characters, direction overrides or lone surrogates.';
    return { code: 'invalid_format', message };
  }
  // A character is one or two units, so most strings are judged without counting.
  if (value.length > maximum && (value.length > 2 * maximum || [...value].length > maximum)) {
    return { code: 'too_long', maximum };
  }
  const tooShort = value.length < minimum || (minimum > 0 && !isVisible(value));
  return tooShort ? { code: 'too_short', minimum } : null;
}

function toIssue(problem: Problem, input: string): z.core.$ZodRawIssue {
  switch (problem.code) {
    case 'too_short': {
      const { minimum } = problem;
      return { code: 'too_small', origin: 'string', minimum, inclusive: true, input };
    }
    case 'too_long': {
      const { maximum } = problem;
      return { code: 'too_big', origin: 'string', maximum, inclusive: true, input };
    }
    case 'invalid_format':
    case 'invalid_value':
      return { code: 'custom', params: { code: problem.code }, message: problem.message, input };
  }
}

/** A trimmed string; `rule` adds to the general ones and runs only when they hold. */
function checkedText(
  minimum: number,
  maximum: number,
  rule: (value: string) => Problem | null = () => null,
): z.ZodString {
  return z
    .string()
    .trim()
    .check((ctx) => {
      const problem = charactersProblem(ctx.value, minimum, maximum) ?? rule(ctx.value);
      if (problem !== null) ctx.issues.push(toIssue(problem, ctx.value));
    })
    .meta({ minLength: minimum, maxLength: maximum });
}

function badFormat(holds: boolean, message: string): Problem | null {
  return holds ? null : { code: 'invalid_format', message };
}

function badValue(holds: boolean, message: string): Problem | null {
  return holds ? null : { code: 'invalid_value', message };
}

/** A required string: trimmed, without control characters, 1 to `maximum` characters. */
export function text(maximum = 255): z.ZodString {
  return checkedText(1, maximum);
}

/** As `text`, but may be absent or null. The two stay apart: on an update null clears the field. */
export function optionalText(maximum = 255): z.ZodOptional<z.ZodNullable<z.ZodString>> {
  return text(maximum).nullish();
}

const localPart = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const asciiDomain =
  /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;

/**
 * The domain of an e-mail address in lower-case ASCII (an internationalised one as punycode), or
 * null where there is none that could receive mail from the internet: IP literals, single labels.
 */
export function emailDomain(address: string): string | null {
  const raw = address.slice(address.lastIndexOf('@') + 1);
  // domainToASCII reads a URL host, which may hold more than a domain: percent escapes, brackets.
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(raw)) return null;
  const ascii = domainToASCII(raw);
  return asciiDomain.test(ascii) ? ascii : null;
}

function isEmail(address: string): boolean {
  const at = address.lastIndexOf('@');
  const local = address.slice(0, Math.max(at, 0));
  return local.length <= 64 && localPart.test(local) && emailDomain(address) !== null;
}

const phonePattern = '^[ +()./-]*(?:[0-9][ +()./-]*){5,}$';
const phoneForm = new RegExp(phonePattern);

/** A telephone number as people write it: at least five digits, 32 characters at most. */
export const phone = checkedText(1, 32, (value) =>
  badFormat(
    phoneForm.test(value),
    'Must be a telephone number: five digits at least, spaces and the characters + ( ) - . /',
  ),
).meta({ minLength: 5, maxLength: 32, pattern: phonePattern, examples: ['+1 202 555 0100'] });

/** The form in which e-mail addresses are compared: in lower case, the domain in ASCII. */
export function emailKey(address: string): string {
  const local = address.slice(0, address.lastIndexOf('@')).toLowerCase();
  return `${local}@${emailDomain(address) ?? ''}`;
}

/** An address that mail can be sent to: RFC 5321's lengths, no quoted local part, no IP literal. */
export const email = checkedText(3, 254, (value) =>
  badFormat(isEmail(value), 'Must be an e-mail address.'),
).meta({ format: 'email' });

/** An ISO 3166-1 alpha-2 country code, in upper case. */
export const country = checkedText(1, 255, (value) =>
  badValue(isCountry(value), 'Must be an ISO 3166-1 alpha-2 country code.'),
).meta({ minLength: 2, maxLength: 2, pattern: '^[A-Z]{2}$', examples: ['DE'] });

const currencyShape = { minLength: 3, maxLength: 3, pattern: '^[A-Z]{3}$', examples: ['EUR'] };

/** The shape of a currency code only: whether a payout's currency exists is `INVALID_MONEY`'s. */
export const currencyCode = checkedText(1, 255, (value) =>
  badFormat(/^[A-Z]{3}$/.test(value), 'Must be three upper-case letters.'),
).meta(currencyShape);

/** An active ISO 4217 currency, for fields that carry no amount, such as a bank account's. */
export const knownCurrency = checkedText(1, 255, (value) =>
  badValue(isCurrency(value), 'Must be an active ISO 4217 currency code.'),
).meta(currencyShape);

/** A real calendar date `YYYY-MM-DD`, from 1900 to today (UTC): a date of birth. */
export const isoDate = checkedText(1, 255, (value) => {
  if (!z.core.regexes.date.test(value)) return badFormat(false, 'Must be a date YYYY-MM-DD.');
  const today = new Date().toISOString().slice(0, 10);
  return badValue(value >= '1900-01-01' && value <= today, 'Must be from 1900-01-01 to today.');
}).meta({ minLength: 10, maxLength: 10, format: 'date' });

const dateTimePattern = z.core.regexes.datetime({ offset: true });
const earliest = Date.parse('1900-01-01T00:00:00Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');

/** Offsets that PostgreSQL refuses. No place on earth has one of more than 14 hours. */
const farOffset = /[+-](?:1[6-9]|2\d):\d\d$/;

/** An ISO 8601 date-time with `Z` or an offset. The bounds keep it a four-digit year in UTC too. */
export const dateTime = checkedText(1, 255, (value) => {
  const at = dateTimePattern.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(at)) return badFormat(false, 'Must be an ISO 8601 date-time with an offset.');
  if (farOffset.test(value)) return badValue(false, 'Must have an offset of less than 16 hours.');
  return badValue(at >= earliest && at <= latest, 'Must be from the year 1900 to 9999.');
}).meta({ format: 'date-time' });

function isUrl(value: string, schemes: RegExp): boolean {
  const parsed = schemes.test(value) && !/[\s\\]/.test(value) ? URL.parse(value) : null;
  // A password in a URL would end in logs and answers.
  return parsed !== null && parsed.username === '' && parsed.password === '';
}

/** An absolute http or https URL without credentials. */
export const url = checkedText(1, 255, (value) =>
  badFormat(isUrl(value, /^https?:\/\//i), 'Must be an http or https URL without credentials.'),
).meta({ format: 'uri' });

/** An absolute https URL without credentials. Where it may point is the webhook guard's rule. */
export const httpsUrl = checkedText(1, 255, (value) =>
  badFormat(isUrl(value, /^https:\/\//i), 'Must be an https URL without credentials.'),
).meta({ format: 'uri' });

/** A colour `#rrggbb`; upper case is taken and stored in lower case. */
export const brandColor = checkedText(1, 255, (value) =>
  badFormat(/^#[0-9a-f]{6}$/i.test(value), 'Must be a colour #rrggbb in hexadecimal.'),
)
  .toLowerCase()
  .meta({ minLength: 7, maxLength: 7, pattern: '^#[0-9A-Fa-f]{6}$', examples: ['#0f5b57'] });

/** Where somebody can ask: an e-mail address or an https URL. */
export const supportContact = checkedText(1, 255, (value) =>
  badFormat(
    isEmail(value) || isUrl(value, /^https:\/\//i),
    'Must be an e-mail address or an https URL without credentials.',
  ),
).meta({ examples: ['help@example.com', 'https://example.com/help'] });

/** The caller's own reference of a payout. */
export const externalRef = text(128);

/** An idempotency key, 1 to 255 characters. */
export const idempotencyKey = text(255);

/** The message of a decision's reason. */
export const reasonMessage = text(1_000);

/** A ULID, 26 characters; one whose time part overflows 48 bits is refused. */
export const ulid = checkedText(1, 255, (value) =>
  badFormat(z.core.regexes.ulid.test(value), 'Must be a ULID.'),
).meta({ minLength: 26, maxLength: 26, pattern: '^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}$' });

const metadataKey = z
  .string()
  .check((ctx) => {
    const problem = charactersProblem(ctx.value, 1, 40);
    if (problem !== null) ctx.issues.push(toIssue(problem, ctx.value));
  })
  .meta({ minLength: 1, maxLength: 40 });

/**
 * zod's records leave out this one key without a word, and losing data silently is worse than
 * refusing it.
 */
function refuseProto(value: unknown, ctx: z.core.ParsePayload): unknown {
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__')) {
    const input = value as Record<string, unknown>;
    ctx.issues.push({ code: 'unrecognized_keys', keys: ['__proto__'], input });
  }
  return value;
}

/** Free key-value pairs: at most 20, keys to 40 characters, string values to 500. */
export const metadata = z.preprocess(
  refuseProto,
  z
    .record(metadataKey, checkedText(0, 500))
    .check((ctx) => {
      if (Object.keys(ctx.value).length <= 20) return;
      const input = ctx.value;
      ctx.issues.push({ code: 'too_big', origin: 'record', maximum: 20, inclusive: true, input });
    })
    .meta({ maxProperties: 20 }),
);

const freeObjectLimits = { depth: 8, key: 64, bytes: 16_384 };

/** What jsonb would not take, or would take too much of. */
function freeObjectProblem(value: unknown, depth = 1): string | null {
  if (typeof value === 'string') {
    return value.includes('\0') || !value.isWellFormed()
      ? 'Text must be well-formed Unicode.'
      : null;
  }
  if (typeof value !== 'object' || value === null) return null;
  if (depth > freeObjectLimits.depth)
    return `At most ${freeObjectLimits.depth} levels are allowed.`;
  for (const [key, item] of Object.entries(value)) {
    if (key.length > freeObjectLimits.key)
      return `Keys have at most ${freeObjectLimits.key} characters.`;
    if (key === '__proto__') return 'The key __proto__ is not allowed.';
    const problem = freeObjectProblem(key) ?? freeObjectProblem(item, depth + 1);
    if (problem !== null) return problem;
  }
  return null;
}

/** An object of the caller's own making: up to 8 levels, 16 KiB, keys to 64 characters. */
export const freeObject = z.preprocess(
  refuseProto,
  z.record(z.string(), z.unknown()).check((ctx) => {
    const tooLong = Buffer.byteLength(JSON.stringify(ctx.value)) > freeObjectLimits.bytes;
    const message = tooLong ? 'The object is too large.' : freeObjectProblem(ctx.value);
    if (message === null) return;
    ctx.issues.push({
      code: 'custom',
      params: { code: tooLong ? 'too_long' : 'invalid_value' },
      message,
      input: ctx.value,
    });
  }),
);

const addressStart = { line1: text(), line2: optionalText(), city: text(), state: optionalText() };

/** A PostalAddress in the domain's and GraphQL's names. */
export const postalAddress = z.strictObject({
  ...addressStart,
  postalCode: optionalText(),
  country,
});

/** The same address in REST's names. */
export const postalAddressWire = z.strictObject({
  ...addressStart,
  postal_code: optionalText(),
  country,
});
