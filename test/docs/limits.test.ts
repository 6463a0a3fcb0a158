import { expect, it } from 'vitest';
import { keyedBounds, keylessBounds } from '../../schema/document/check.ts';
import { settings } from '../../src/process/config.ts';
import { admissionSettings } from '../../src/process/settings/admission.ts';
import { limitSettings } from '../../src/process/settings/limits.ts';
import { rateLimitSettings } from '../../src/process/settings/rate-limits.ts';
import { readPage } from './links.ts';

const page = readPage('docs/limits.md');

it('has every setting of a limit', () => {
  const limits = Object.keys({ ...admissionSettings, ...rateLimitSettings, ...limitSettings });
  expect(limits.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

it('gives each setting with the value that it has by default', () => {
  const told = [...page.matchAll(/\| `([A-Z_]+)` \(([\d.]+)\)/g)];
  expect(told.length).toBeGreaterThan(35);
  const wrong = told.filter(
    ([, name = '', value]) => settings[name as keyof typeof settings].fallback !== value,
  );
  expect(wrong.map(([row]) => row)).toEqual([]);
});

it('has the bounds of documents', () => {
  const rows = [
    ...page.matchAll(
      /^\| (characters|lines|tokens|fields|fields of the outermost level)\b[^|]*\|([^|]+)\|([^|]+)\|$/gm,
    ),
  ];
  const numbers = rows.map(([, , ...cells]) =>
    cells.map((cell) => Number(cell.replaceAll(',', ''))),
  );
  expect(numbers).toEqual(
    (['characters', 'lines', 'tokens', 'fields', 'top'] as const).map((name) => [
      keyedBounds[name],
      keylessBounds[name],
    ]),
  );
});
