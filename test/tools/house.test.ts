import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tooLong } from '../../tools/house/lengths.ts';
import { brokenPointers } from '../../tools/house/pointers.ts';
import { importsOf, judgePairs, mutualRooms, roomOf } from '../../tools/house/rooms.ts';

const root = join(import.meta.dirname, '../..');
const file = (path: string, text: string) => ({ path, text });
const texts = (text: string, path = 'src/a.ts') =>
  brokenPointers(root, [file(path, text)]).map((pointer) => pointer.text);

// Put together here, so that this file does not break the rule itself.
const word = (one: string, label: string) => `${one} ${label}`;

describe('pointers', () => {
  test.each([
    word('specification', '3.6'),
    word('Specification,', 'section 7'),
    word('decisions', '9'),
    word('invariant', 'M9'),
    word('(invariant', 'T2)').slice(1, -1),
    word('issue', '#12'),
    word('specification\n *', '3.6'),
  ])('%j is one', (text) => {
    expect(texts(`// as ${text}`)).toHaveLength(1);
  });

  test.each([
    'the decision of a person',
    'a decision holds at most 32 KiB',
    'RFC 5280, section 4.2.1.10',
    'an invariant of the table',
    'docs/interface.md',
    '[interface.md](docs/interface.md)',
    'https://example.com/a/page.md',
  ])('%j is none', (text) => {
    expect(texts(`// as ${text}`)).toEqual([]);
  });

  test('a page is looked for beside the file, at the root and in docs/', () => {
    expect(texts('see glossary.md and ../README.md', 'docs/interface.md')).toEqual([]);
    const absent = `docs/absent.${'md'}`;
    expect(texts(`see ${absent}`)).toEqual([absent]);
  });

  test('a migration may name a page that has another name since it was applied', () => {
    const gone = ['docs/gone', 'md'].join('.');
    expect(texts(gone)).toEqual([gone]);
    expect(
      texts(`-- ${gone}, ${word('decisions', '9')}`, 'prisma/migrations/1_a/migration.sql'),
    ).toEqual([word('decisions', '9')]);
  });

  test('the place is the line of the pointer', () => {
    const text = `const a = 1;\n\n/** ${word('specification', '3.6')} */\n`;
    expect(brokenPointers(root, [file('src/a.ts', text)])[0]?.place).toBe('src/a.ts:3');
  });
});

describe('rooms', () => {
  test.each([
    ['src/server.ts', 'src'],
    ['src/db/pool.ts', 'src/db'],
    ['src/access/admission/admission.ts', 'src/access'],
    ['src/domain/webhook/delivery/deliver.ts', 'src/domain/webhook'],
    ['rest/app.ts', 'rest'],
    ['rest/http/body.ts', 'rest/http'],
    ['schema/builder.ts', 'schema'],
    ['schema/payout/type.ts', 'schema/payout'],
    ['src/providers/port.ts', 'src/providers'],
    ['src/providers/bank/files/statement.ts', 'src/providers/bank'],
    ['simulator/bank/day.ts', 'simulator/bank'],
    ['console/src/pages/payout/page.tsx', 'console/src/pages/payout'],
    ['dev/demo/run.ts', 'dev/demo'],
    ['jobs/runner.ts', 'jobs'],
  ])('%s is in %s', (path, room) => {
    expect(roomOf(path)).toBe(room);
  });

  test('imports are those that the compiler sees', () => {
    const text = `
      import type { A } from './a.ts';
      export { b } from '../b/b.ts';
      const c = await import('./c.ts');
      const text = "import d from './d.ts'"; // import e from './e.ts'
      import z from 'zod';`;
    expect(importsOf(file('src/db/x.ts', text))).toEqual([
      'src/db/a.ts',
      'src/b/b.ts',
      'src/db/c.ts',
    ]);
  });

  const files = [
    file('src/db/one.ts', `import '../net/two.ts';`),
    file('src/net/two.ts', ''),
    file('src/net/three.ts', `import type { One } from '../db/one.ts';`),
    file('src/domain/webhook/a.ts', `import './delivery/b.ts';`),
    file('src/domain/webhook/delivery/b.ts', `import '../a.ts';`),
  ];

  test('a pair needs a reason, and a reason needs its pair', () => {
    const pairs = mutualRooms(files);
    expect([...pairs.keys()]).toEqual(['src/db <-> src/net']);
    expect(judgePairs(pairs, { 'src/db <-> src/net': 'a reason' })).toEqual([]);
    expect(judgePairs(pairs, { 'jobs <-> rest': 'a reason' })).toEqual([
      'src/db <-> src/net import each other: src/db/one.ts -> src/net/two.ts and src/net/three.ts -> src/db/one.ts',
      'jobs <-> rest has a reason in permitted-pairs.ts and does not import each other',
    ]);
  });
});

describe('lengths', () => {
  const lines = (count: number) => file(`src/f${count}.ts`, 'x\n'.repeat(count));

  test('one file may have 400 lines, half of the files under 100', () => {
    expect(tooLong([lines(99), lines(99), lines(400)])).toEqual([]);
    expect(tooLong([lines(1), lines(1), lines(401)])).toHaveLength(1);
    expect(tooLong([lines(1), lines(100), lines(101)])).toHaveLength(1);
  });
});
