import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { restBody } from '../support/matrix/samples.ts';
import type { World } from '../support/matrix/world.ts';
import { resolve, type Operation, type Parameter } from './document.ts';
import { oddText, RawNumber, valuesOf, written, type Names } from './values.ts';

/** One request, before the ids of the rows that live when it is sent are put in. */
export interface Draft {
  readonly operation: Operation;
  /** What was done to it. */
  readonly kind: string;
  readonly path: Readonly<Record<string, string>>;
  /** Without its question mark; encoded. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | null;
  /** Whether no answer of success is right. */
  readonly refused: boolean;
}

/** Stands for an id of the world that lives when the request is sent. */
const mark = (name: string): string => `\u{f8fe}${name}\u{f8fe}`;

/** Puts the ids of a world in the place of the marks. */
export function fillIn(text: string, ids: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\u{f8fe}(\w+)\u{f8fe}/gu, (_, name: string) => ids[name] ?? name);
}

const marked = {
  payee: { beneficiaryId: mark('beneficiary'), bankAccountId: mark('account') },
  payoutId: mark('payout'),
  deliveryId: mark('delivery'),
} as World; // what samples are made from

/** What a parameter of a path names, by its own name or else by the segment before it. */
const pathMarks: Readonly<Record<string, string>> = {
  'id beneficiaries': mark('beneficiary'),
  accountId: mark('account'),
  requestId: mark('request'),
  documentId: mark('document'),
  payoutId: mark('payout'),
  deliveryId: mark('delivery'),
  exportId: mark('export'),
  country: 'GB',
};

const oneOf = (...texts: string[]) => fc.constantFrom(...texts);

const names: Names = {
  beneficiary_id: fc.constant(mark('beneficiary')),
  bank_account_id: fc.constant(mark('account')),
  payout_id: fc.constant(mark('payout')),
  idempotency_key: fc.uuid(),
  country: oneOf('US', 'DE', 'GB', 'IN'),
  currency: oneOf('USD', 'EUR', 'GBP', 'JPY'),
  purpose_of_payment: oneOf('payroll', 'rent', 'other'),
  iban: oneOf('DE89370400440532013000', 'GB29NWBK60161331926819'),
  routing_code: oneOf('021000021', '200000'),
  account_number: oneOf('000123456789', '55779911'),
  amount_minor: fc.integer({ min: 1, max: 1_000_000 }),
};

type Place = readonly (string | number)[];

function* placesOf(value: unknown, at: Place = []): Iterable<Place> {
  yield at;
  if (typeof value !== 'object' || value === null || value instanceof RawNumber) return;
  for (const [key, item] of Object.entries(value)) {
    yield* placesOf(item, [...at, Array.isArray(value) ? Number(key) : key]);
  }
}

const at = (value: unknown, place: Place): unknown =>
  place.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown>)[key], value);

/** A copy in which the value at a place is another, or, for undefined, is absent. */
function withAt(value: unknown, place: Place, put: unknown): unknown {
  const [key, ...rest] = place;
  if (key === undefined) return put;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<
    string,
    unknown
  >;
  const inner = withAt(copy[key], rest, put);
  if (inner === undefined) Reflect.deleteProperty(copy, key);
  else Object.defineProperty(copy, key, { value: inner, enumerable: true, configurable: true });
  return copy;
}

/** One place of a value that `fits`; the whole of it where none does. */
function placeIn(value: unknown, fits: (item: unknown) => boolean): fc.Arbitrary<Place> {
  const places = [...placesOf(value)].filter((place) => fits(at(value, place)));
  return fc.constantFrom(...(places.length > 0 ? places : [[]]));
}

const isObject = (item: unknown): boolean =>
  typeof item === 'object' && item !== null && !Array.isArray(item);

interface Body {
  readonly body: unknown;
  readonly refused: boolean;
}

const fault = (body: unknown, refused = false): Body => ({ body, refused });

/** Each does one thing to the JSON of a body. */
const bodyFaults: Readonly<Record<string, (body: unknown) => fc.Arbitrary<Body>>> = {
  'another type': (body) =>
    fc
      .tuple(
        placeIn(body, () => true),
        fc.constantFrom<unknown>(null, true, 0, 1.5, '', 'x', [], {}, [[]], { a: 1 }, ['x', 1]),
      )
      .map(([place, put]) => fault(withAt(body, place, put))),
  'a key is absent': (body) =>
    placeIn(body, () => true).map((place) => fault(withAt(body, place, undefined) ?? {})),
  'a key more': (body) =>
    fc
      .tuple(
        placeIn(body, isObject),
        oneOf(
          'extra',
          '__proto__',
          'constructor',
          'beneficiaryId',
          '',
          'x'.repeat(300),
          '\0',
          '\ud800',
        ),
        fc.constantFrom<unknown>('x', 1, null, {}),
      )
      .map(([place, key, put]) => fault(withAt(body, [...place, key], put))),
  'odd text': (body) =>
    fc
      .tuple(
        placeIn(body, (item) => typeof item === 'string'),
        oddText,
      )
      .map(([place, { text, refused }]) => fault(withAt(body, place, text), refused)),
  'an odd number': (body) =>
    fc
      .tuple(
        placeIn(body, (item) => typeof item === 'number'),
        fc.oneof(
          oneOf('9007199254740993', '1e400', '1.0000000000000001', '99999999999999999999').map(
            (digits) => ({ digits, refused: true }),
          ),
          oneOf('-1', '0', '-0', '1E2', '0.1', '1e21', '9007199254740991', '1000000000000').map(
            (digits) => ({ digits, refused: false }),
          ),
        ),
      )
      .map(([place, { digits, refused }]) =>
        fault(withAt(body, place, new RawNumber(digits)), refused),
      ),
};

/** Bodies that are no JSON, or not the JSON that they seem. */
const malformed = (text: string): fc.Arbitrary<string | Buffer> =>
  fc.constantFrom<string | Buffer>(
    text.slice(0, -1),
    `${text}x`,
    Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe])]),
    `{"a":1,"a":2}`,
    `${'['.repeat(100)}${']'.repeat(100)}`,
    '{"a":01}',
    "{'a':1}",
    '{"a":"\n"}',
    'a=b&c=d',
    '\0',
  );

const json = { 'content-type': 'application/json' };

const otherTypes = fc.constantFrom<Record<string, string>>(
  {},
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'application/json; charset=latin1' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { ...json, 'content-encoding': 'gzip' },
);

/** Headers that a caller may get wrong; none may break an answer. */
const oddHeaders = fc.oneof(
  fc.tuple(
    oneOf(
      'x-request-id',
      'prefer',
      'range',
      'if-range',
      'if-none-match',
      'accept',
      'idempotency-key',
    ),
    oneOf(
      '',
      'x',
      '*',
      '"',
      'é',
      'bytes=0-',
      'bytes=9-1',
      'respond-async',
      'a,b',
      'x'.repeat(4_000),
    ),
  ),
  fc.tuple(fc.constant('x-api-version'), oneOf('2026-11-01', '2020-01-01', '', 'x')),
  fc.tuple(
    fc.constant('authorization'),
    oneOf(
      '',
      'Bearer',
      'Bearer x',
      'Basic eDp5',
      'Bearer pos_sandbox_x_y',
      `Bearer ${'x'.repeat(300)}`,
    ),
  ),
);

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

function queryOf(parameters: readonly Parameter[]): fc.Arbitrary<string> {
  const own = parameters.filter((parameter) => parameter.in === 'query');
  const pairs = own.map(({ name, schema, required }) => {
    const values = names[name] ?? valuesOf(schema, names);
    const pair = values.map((value) =>
      (Array.isArray(value) ? value : [value]).map((item) => `${name}=${encode(asText(item))}`),
    );
    return required === true ? pair : fc.option(pair, { nil: [], freq: 3 });
  });
  return fc.tuple(...pairs).map((found) => found.flat().join('&'));
}

function oddQuery(
  parameters: readonly Parameter[],
): fc.Arbitrary<{ query: string; refused: boolean }> {
  const own = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const ofName = own.flatMap((name) => [
    { query: `${name}=`, refused: false },
    { query: `${name}=a&${name}=b`, refused: false },
    { query: `${name}[]=a`, refused: true },
    { query: `${name}=%00`, refused: false },
    { query: `${name}=${'x'.repeat(3_000)}`, refused: false },
    ...['0', '101', '1e1', '%D9%A3', '-1', '9007199254740993', '%F0%9F%99%82', 'null'].map(
      (value) => ({
        query: `${name}=${value}`,
        refused: false,
      }),
    ),
  ]);
  return fc.constantFrom(
    { query: 'unknown=1', refused: true },
    { query: '__proto__=1', refused: true },
    { query: 'a=%zz', refused: true },
    { query: 'a=%ED%A0%80', refused: true },
    { query: Array.from({ length: 600 }, (_, i) => `p${i}=1`).join('&'), refused: true },
    { query: '&&&', refused: false },
    ...ofName,
  );
}

function pathOf({ path, parameters }: Operation): Record<string, string> {
  const own = parameters.filter((parameter) => parameter.in === 'path');
  return Object.fromEntries(
    own.map(({ name }) => {
      const segment = new RegExp(`(\\w+)/\\{${name}\\}`, 'u').exec(path)?.[1] ?? '';
      return [name, pathMarks[name] ?? pathMarks[`${name} ${segment}`] ?? 'x'];
    }),
  );
}

const oddSegments = fc.oneof(
  oneOf(
    'x',
    mark('foreign'),
    mark('unknown'),
    mark('payout'),
    '..',
    '%00',
    'a/b',
    'x'.repeat(9_000),
  ),
  oddText.map(({ text }) => (text === '' ? ' ' : text)),
);

function bodyOf(operation: Operation): fc.Arbitrary<unknown> {
  const schema = operation.bodies['application/json'];
  if (schema === undefined) return fc.constant(undefined);
  const sample = fc.constant(null).map(() => restBody(operation.id, false, marked));
  const generated = valuesOf(schema, names);
  return fc.oneof(
    { weight: 3, arbitrary: sample },
    {
      weight: 2,
      arbitrary: fc
        .tuple(generated, sample)
        .map(([more, own]) => ({ ...(more as object), ...(own as object) })),
    },
    { weight: 2, arbitrary: generated },
  );
}

/** Each field of an object at the end of its range, or one beyond it. */
function atBounds(operation: Operation, body: unknown): fc.Arbitrary<Body> {
  const schema = resolve(operation.bodies['application/json'] ?? {});
  const limits = Object.entries(schema.properties ?? {}).flatMap(([name, given]) => {
    const field = [given, ...(given.anyOf ?? [])]
      .map(resolve)
      .find(({ type }) => type !== undefined && type !== 'null');
    const { minLength, maxLength, minimum, maximum } = field ?? {};
    const texts = [minLength, maxLength].flatMap((end) =>
      end === undefined ? [] : [end, end + 1, end - 1],
    );
    const numbers = [minimum, maximum].flatMap((end) =>
      end === undefined ? [] : [end, end + 1, end - 1],
    );
    return [
      ...texts.map((length) => [name, 'é'.repeat(Math.max(0, length))] as const),
      ...numbers.map((number) => [name, number] as const),
    ];
  });
  if (limits.length === 0) return fc.constant(fault(body));
  return fc
    .constantFrom(...limits)
    .map(([name, put]) => fault({ ...(body as object), [name]: put }));
}

/** Whether the document refuses a body; text is trimmed by the service, so of text it says nothing. */
function refusedByDocument({ acceptsBody }: Operation, text: string): boolean {
  if (acceptsBody === null || acceptsBody(JSON.parse(text))) return false;
  const ofText = new Set(['minLength', 'maxLength', 'pattern', 'format']);
  return !(acceptsBody.errors ?? []).some(({ keyword }) => ofText.has(keyword));
}

function withBody(base: Draft, kind: string, bodies: fc.Arbitrary<Body>): fc.Arbitrary<Draft> {
  return bodies.map(({ body, refused }) => {
    const text = written(body);
    return {
      ...base,
      kind,
      headers: { ...base.headers, ...json },
      body: text,
      refused: refused || refusedByDocument(base.operation, text),
    };
  });
}

const csvRows = fc
  .array(
    fc.array(
      oddText.map(({ text }) => text.slice(0, 300)),
      { maxLength: 8 },
    ),
    { maxLength: 4 },
  )
  .map((rows) => rows.map((cells) => cells.join(',')).join('\r\n'));

/** Text of another media type that the document permits, CSV for one. */
function otherMedia(base: Draft): fc.Arbitrary<Draft> {
  const types = Object.keys(base.operation.bodies).filter((type) => type !== 'application/json');
  const header = 'email,beneficiary_type,first_name,last_name';
  const texts = fc.oneof(
    csvRows,
    csvRows.map((rows) => `${header}\r\n${rows}`),
    fc
      .constant(null)
      .map(() => `${header}\r\n${randomUUID()}@example.com,person,Ada,"Love\r\nlace"`),
  );
  return fc
    .tuple(fc.constantFrom(...types), texts)
    .map(([type, body]) => ({ ...base, kind: type, headers: { 'content-type': type }, body }));
}

function drafts(operation: Operation): fc.Arbitrary<Draft> {
  const whole = fc.tuple(queryOf(operation.parameters), bodyOf(operation));
  return whole.chain(([query, body]) => {
    const plain: Draft = {
      operation,
      kind: 'valid',
      path: pathOf(operation),
      query,
      headers: {},
      body: null,
      refused: false,
    };
    const text = body === undefined ? null : written(body);
    const valid: Draft = text === null ? plain : { ...plain, headers: json, body: text };
    const arbitraries: fc.WeightedArbitrary<Draft>[] = [
      { weight: 6, arbitrary: fc.constant(valid) },
      {
        weight: 2,
        arbitrary: oddQuery(operation.parameters).map((odd) => ({
          ...valid,
          kind: 'odd query',
          ...odd,
        })),
      },
      {
        weight: 2,
        arbitrary: oddHeaders.map(([name, value]) => ({
          ...valid,
          kind: 'odd header',
          headers: { ...valid.headers, [name]: value },
        })),
      },
      {
        weight: 1,
        arbitrary: malformed(text ?? '{}').map((raw) => ({
          ...valid,
          kind: 'malformed body',
          headers: json,
          body: raw,
          refused: true,
        })),
      },
    ];
    const named = Object.keys(plain.path);
    if (named.length > 0) {
      const odd = fc.tuple(fc.constantFrom(...named), oddSegments);
      const arbitrary = odd.map(([name, segment]) => ({
        ...valid,
        kind: 'odd path',
        path: { ...valid.path, [name]: segment },
      }));
      arbitraries.push({ weight: 2, arbitrary });
    }
    if (text !== null) {
      for (const [kind, make] of Object.entries(bodyFaults)) {
        arbitraries.push({ weight: 2, arbitrary: withBody(plain, kind, make(body)) });
      }
      arbitraries.push({
        weight: 2,
        arbitrary: withBody(plain, 'a bound', atBounds(operation, body)),
      });
      arbitraries.push({
        weight: 1,
        arbitrary: otherTypes.map((headers) => ({
          ...valid,
          kind: 'another media type',
          headers,
          refused: true,
        })),
      });
    }
    if (Object.keys(operation.bodies).some((type) => type !== 'application/json')) {
      arbitraries.push({ weight: 4, arbitrary: otherMedia(plain) });
    }
    return fc.oneof(...arbitraries);
  });
}

/** Requests to every operation alike: valid ones, and ones with a single fault. */
export function requests(operations: readonly Operation[]): fc.Arbitrary<Draft> {
  return fc.oneof(...operations.map(drafts));
}
