import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { restBody } from '../support/matrix/samples.ts';
import { atBounds, bodyFaults, malformed, type Body } from './body-faults.ts';
import type { Operation } from './document.ts';
import { json, oddHeaders, oddQuery, oddSegments, otherTypes, pathOf, queryOf } from './heads.ts';
import { marked, names } from './marks.ts';
import { oddText, valuesOf, written } from './values.ts';

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

type Weighted = fc.WeightedArbitrary<Draft>;

/** Faults of what stands before a body, and bodies that are none. */
function besidesTheBody(valid: Draft, text: string): Weighted[] {
  const { path, headers, operation } = valid;
  const oddQueries = oddQuery(operation.parameters).map((odd) => ({
    ...valid,
    kind: 'odd query',
    ...odd,
  }));
  const withOddHeader = oddHeaders.map(([name, value]) => ({
    ...valid,
    kind: 'odd header',
    headers: { ...headers, [name]: value },
  }));
  const withoutJson = malformed(text).map((body) => ({
    ...valid,
    kind: 'malformed body',
    headers: json,
    body,
    refused: true,
  }));
  const named = Object.keys(path);
  const segments = fc.tuple(fc.constantFrom(...named, ''), oddSegments).map(([name, segment]) => ({
    ...valid,
    kind: 'odd path',
    path: { ...path, [name]: segment },
  }));
  return [
    { weight: 2, arbitrary: oddQueries },
    { weight: 2, arbitrary: withOddHeader },
    { weight: 1, arbitrary: withoutJson },
    { weight: named.length > 0 ? 2 : 0, arbitrary: segments },
  ];
}

/** Faults of the JSON of a body, and of how it is announced. */
function ofTheBody(plain: Draft, valid: Draft, body: unknown): Weighted[] {
  const faults = Object.entries(bodyFaults).map(([kind, make]) => ({
    weight: 2,
    arbitrary: withBody(plain, kind, make(body)),
  }));
  const bounds = withBody(plain, 'a bound', atBounds(plain.operation, body));
  const announced = otherTypes.map((headers) => ({
    ...valid,
    kind: 'another media type',
    headers,
    refused: true,
  }));
  return [...faults, { weight: 2, arbitrary: bounds }, { weight: 1, arbitrary: announced }];
}

const withoutFault = { kind: 'valid', headers: {}, body: null, refused: false };

function drafts(operation: Operation): fc.Arbitrary<Draft> {
  const media = Object.keys(operation.bodies);
  return fc.tuple(queryOf(operation.parameters), bodyOf(operation)).chain(([query, body]) => {
    const plain: Draft = { ...withoutFault, operation, path: pathOf(operation), query };
    const text = body === undefined ? null : written(body);
    const valid = text === null ? plain : { ...plain, headers: json, body: text };
    const others = media.some((type) => type !== 'application/json');
    return fc.oneof(
      { weight: 6, arbitrary: fc.constant(valid) },
      ...besidesTheBody(valid, text ?? '{}'),
      ...(text === null ? [] : ofTheBody(plain, valid, body)),
      ...(others ? [{ weight: 4, arbitrary: otherMedia(plain) }] : []),
    );
  });
}

/** Requests to every operation alike: valid ones, and ones with a single fault. */
export function requests(operations: readonly Operation[]): fc.Arbitrary<Draft> {
  return fc.oneof(...operations.map(drafts));
}
