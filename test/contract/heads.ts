import fc from 'fast-check';
import type { Operation, Parameter } from './document.ts';
import { mark, names, oneOf, pathMarks } from './marks.ts';
import { oddText, valuesOf } from './values.ts';

export const json = { 'content-type': 'application/json' };

export const otherTypes = fc.constantFrom<Record<string, string>>(
  {},
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'application/json; charset=latin1' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { ...json, 'content-encoding': 'gzip' },
);

/** Headers that a caller may get wrong; none may break an answer. */
export const oddHeaders = fc.oneof(
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

export function queryOf(parameters: readonly Parameter[]): fc.Arbitrary<string> {
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

export function oddQuery(
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

export function pathOf({ path, parameters }: Operation): Record<string, string> {
  const own = parameters.filter((parameter) => parameter.in === 'path');
  return Object.fromEntries(
    own.map(({ name }) => {
      const segment = new RegExp(`(\\w+)/\\{${name}\\}`, 'u').exec(path)?.[1] ?? '';
      return [name, pathMarks[name] ?? pathMarks[`${name} ${segment}`] ?? 'x'];
    }),
  );
}

export const oddSegments = fc.oneof(
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
