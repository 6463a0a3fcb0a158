import fc from 'fast-check';
import { resolve, type JsonSchema } from './document.ts';

/** A JSON body may hold numbers that no JavaScript value has; this one is written as it stands. */
export class RawNumber {
  readonly digits: string;
  constructor(digits: string) {
    this.digits = digits;
  }
}

/** JSON as it is sent. */
export function written(value: unknown): string {
  const marks: string[] = [];
  const text = JSON.stringify(value, (_key, item: unknown) => {
    if (!(item instanceof RawNumber)) return item;
    marks.push(item.digits);
    return `\u{f8ff}${marks.length - 1}\u{f8ff}`;
  });
  return text.replaceAll(
    /"\u{f8ff}(\d+)\u{f8ff}"/gu,
    (_, index: string) => marks[Number(index)] ?? '',
  );
}

/** Text that people write, without anything that is refused everywhere. */
const words = (minimum: number, maximum: number): fc.Arbitrary<string> =>
  fc.string({
    unit: fc.constantFrom(...'abcXYZ019 -.éß漢字🙂'),
    minLength: minimum,
    maxLength: Math.min(maximum, Math.max(minimum, 24)),
  });

/** Text that programs trip over. */
export const oddText: fc.Arbitrary<{ readonly text: string; readonly refused: boolean }> = fc.oneof(
  fc
    .constantFrom('\0', 'a\0b', '\ud800', 'a\udfff', '\ud83d')
    .map((text) => ({ text, refused: true })),
  fc
    .constantFrom(
      '',
      ' ',
      '\u202eevil',
      '\u2066x',
      '\ufeffx',
      'a\nb',
      '\u001b[31m',
      '\u0085',
      "';--",
      '"',
      '\\',
      '%00',
      '{{7*7}}',
      '<script>',
      '=1+1',
      '__proto__',
      'constructor',
      'null',
      'NaN',
      '-0',
      '0x10',
      '١٢٣',
      '../../etc',
      '\u0301'.repeat(40),
      'é'.normalize('NFD'),
    )
    .map((text) => ({ text, refused: false })),
  fc
    .constantFrom(256, 1_001, 5_000, 70_000)
    .map((length) => ({ text: 'x'.repeat(length), refused: false })),
  fc
    .string({ unit: 'binary', maxLength: 40 })
    .map((text) => ({ text, refused: text.includes('\0') })),
);

const anyTime = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

const formats: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'date-time': anyTime,
  date: anyTime.map((time) => time.slice(0, 10)),
  email: fc.uuid().map((id) => `${id}@example.com`),
  uri: fc.uuid().map((id) => `https://example.com/${id}`),
  uuid: fc.uuid(),
};

function textOf({
  format,
  pattern,
  minLength = 0,
  maxLength = 255,
}: JsonSchema): fc.Arbitrary<string> {
  const known = format === undefined ? undefined : formats[format];
  if (known !== undefined) return known;
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, 'u'));
  return words(minLength, maxLength);
}

function numberOf({ minimum = -1_000, maximum = 1_000_000 }: JsonSchema): fc.Arbitrary<number> {
  return fc.oneof(
    fc.constantFrom(minimum, maximum),
    fc.maxSafeInteger().map((at) => minimum + (Math.abs(at) % (maximum - minimum + 1))),
  );
}

const anything = fc.jsonValue({ maxDepth: 2 });

/** What stands for a field by its name, where its schema says less than the service asks for. */
export type Names = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Values that a schema accepts; of a field that `names` knows, mostly what it has. */
export function valuesOf(given: JsonSchema, names: Names): fc.Arbitrary<unknown> {
  const schema = resolve(given);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined && schema.type === undefined) {
    return fc.oneof(...branches.map((branch) => valuesOf(branch, names)));
  }
  const [first] = schema.allOf ?? [];
  if (first !== undefined) return valuesOf(first, names);
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  if (types.length === 0) return anything;
  return fc.oneof(...types.map((type) => valuesOfType(type, schema, names)));
}

function valuesOfType(type: string, schema: JsonSchema, names: Names): fc.Arbitrary<unknown> {
  switch (type) {
    case 'string':
      return textOf(schema);
    case 'integer':
    case 'number':
      return numberOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}, names), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 3, (schema.minItems ?? 0) + 2),
      });
    case 'object':
      return objectsOf(schema, names);
    default:
      throw new Error(`no values of type ${type}`);
  }
}

function objectsOf(schema: JsonSchema, names: Names): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const fields = Object.entries(properties).map(([name, field]) => {
    const usual = valuesOf(field, names);
    const better = names[name];
    return [
      name,
      better === undefined ? usual : fc.oneof({ weight: 4, arbitrary: better }, usual),
    ] as const;
  });
  const known = fc.record(Object.fromEntries(fields), { requiredKeys: [...required] });
  if (typeof additionalProperties !== 'object') return known;
  return fc.dictionary(words(1, 20), valuesOf(additionalProperties, names), { maxKeys: 3 });
}
