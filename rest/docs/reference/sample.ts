import {
  flat,
  kindsOf,
  resolve,
  type ApiDocument,
  type MediaType,
  type Schema,
} from './document.ts';

/** A value of a format, where the schema shows none. */
const ofFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-11-22T09:30:00.000Z',
  date: '2026-11-22',
  email: 'ada@example.com',
  uri: 'https://example.com',
  url: 'https://example.com',
  uuid: '0199f0d2-3c4b-7a5e-8f60-112233445566',
};

/** Which of the fields that may be left out a sample has. */
type Fields = 'required' | 'all';

function sampleObject(
  document: ApiDocument,
  schema: Schema,
  fields: Fields,
  depth: number,
): object {
  const { properties = {}, required = [] } = schema;
  const shown = Object.entries(properties).filter(
    ([name, property]) =>
      (fields === 'all' || required.includes(name)) &&
      resolve(document, property).deprecated !== true,
  );
  return Object.fromEntries(
    shown.map(([name, property]) => [name, sampleOf(document, property, fields, depth + 1)]),
  );
}

/** A value that the schema describes: its own example, else one made of its parts. */
export function sampleOf(document: ApiDocument, given: Schema, fields: Fields, depth = 0): unknown {
  const whole = flat(document, given);
  const { kinds, nullable } = kindsOf(document, whole);
  const [schema] = kinds;
  const shown = whole.examples?.[0] ?? whole.example ?? schema?.examples?.[0] ?? schema?.example;
  if (shown !== undefined) return shown;
  if (schema === undefined || depth > 6) return null;
  const known = schema.const ?? whole.default ?? schema.default ?? schema.enum?.[0];
  if (known !== undefined) return known;
  if (schema.properties !== undefined) return sampleObject(document, schema, fields, depth);
  // Nothing is known of it, and null is right.
  if (nullable && schema.format === undefined && schema.type !== 'array') return null;
  switch (schema.type) {
    case 'array':
      return schema.items === undefined
        ? []
        : [sampleOf(document, schema.items, fields, depth + 1)];
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 0, 0);
    case 'boolean':
      return true;
    case 'object':
      return {};
    default:
      return ofFormat[schema.format ?? ''] ?? 'string';
  }
}

/** A sample of a body, with the key and the name that the document gives it. */
export interface Sample {
  readonly key: string | null;
  readonly name: string | null;
  readonly value: unknown;
}

/** The examples of a body as the document has them; without any, one made of its schema. */
export function samplesOf(
  document: ApiDocument,
  { schema, example, examples }: MediaType,
  fields: Fields,
): readonly Sample[] {
  const named = Object.entries(examples ?? {}).flatMap(([name, given]) => {
    const { summary, value } = resolve(document, given);
    return value === undefined ? [] : [{ key: name, name: summary ?? name, value }];
  });
  if (named.length > 0) return named;
  if (example !== undefined) return [{ key: null, name: null, value: example }];
  return schema === undefined
    ? []
    : [{ key: null, name: null, value: sampleOf(document, schema, fields) }];
}

/** The text of a sample: JSON, or the file's own text. */
export function sampleText(type: string, value: unknown): string {
  const isJson = /\bjson\b/.test(type);
  return isJson || typeof value !== 'string' ? JSON.stringify(value, null, 2) : value;
}
