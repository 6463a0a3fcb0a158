import { expect, it } from 'vitest';
import { commands } from '../support/commands.ts';
import { statementsOf } from './distributable.ts';
import { readSource } from '../support/source.ts';

/*
 * A statement that locks many rows locks them in one order, whichever order its caller names them in and whatever plan
 * PostgreSQL makes. Otherwise two callers with the same rows wait for each other. Seen in the text: a test of a race would
 * see the plan of the day.
 */

/** Rows of a list or a set, inserted where they may be there already: each of them waits for whoever inserts it now. */
const insertsMany =
  /\bINSERT INTO\b[^;]*?\bSELECT\b[^;]*?\b(?:unnest|jsonb_to_recordset|generate_series) ?\([^;]*?\bON CONFLICT\b/is;
/** Rows that are named by a list, locked against change. One that skips what others have locked never waits. */
const locksMany =
  /\bSELECT\b[^;]*?(?:= ANY|\bIN \(SELECT)\b[^;]*?\bFOR (?:NO KEY )?UPDATE\b(?! SKIP LOCKED)/is;

function isUnordered(text: string): boolean {
  return [insertsMany, locksMany].some((pattern) => {
    const found = pattern.exec(text);
    return found !== null && !/\bORDER BY\b/i.test(found[0]);
  });
}

it.each([
  ['INSERT INTO a (id) SELECT i FROM unnest($1) AS i ON CONFLICT (id) DO NOTHING', true],
  [
    'INSERT INTO a (id) SELECT i FROM unnest($1) AS i ORDER BY i ON CONFLICT (id) DO NOTHING',
    false,
  ],
  ['INSERT INTO a (id) VALUES ($1) ON CONFLICT (id) DO NOTHING', false],
  ['SELECT 1 FROM a WHERE id = ANY ($1) FOR UPDATE', true],
  ['SELECT 1 FROM a WHERE id = ANY ($1) ORDER BY id FOR NO KEY UPDATE', false],
  ['SELECT 1 FROM a WHERE id = $1 FOR UPDATE', false],
])('%s', (text, unordered) => {
  expect(isUnordered(text)).toBe(unordered);
});

it('every statement that locks many rows says in which order', () => {
  const { statements } = readSource();
  const all = [
    ...statements.map(({ names, text }) => ({ name: names.join(), text })),
    ...commands.flatMap(({ name, definition }) =>
      statementsOf(definition).map((text) => ({ name, text })),
    ),
  ];
  expect(all.length).toBeGreaterThan(300);
  expect(all.filter(({ text }) => isUnordered(text)).map(({ name }) => name)).toEqual([]);
});
