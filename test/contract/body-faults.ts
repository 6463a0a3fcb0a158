import fc from 'fast-check';
import { resolve, type Operation } from './document.ts';
import { oneOf } from './marks.ts';
import { oddText, RawNumber } from './values.ts';

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

export interface Body {
  readonly body: unknown;
  readonly refused: boolean;
}

const fault = (body: unknown, refused = false): Body => ({ body, refused });

/** Each does one thing to the JSON of a body. */
export const bodyFaults: Readonly<Record<string, (body: unknown) => fc.Arbitrary<Body>>> = {
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
export const malformed = (text: string): fc.Arbitrary<string | Buffer> =>
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

/** Each field of an object at the end of its range, or one beyond it. */
export function atBounds(operation: Operation, body: unknown): fc.Arbitrary<Body> {
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
