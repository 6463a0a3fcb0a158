import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildFolder, isNewest } from '../../../tools/build/folder.ts';
import { asWritten } from '../../../tools/bundle/as-written.ts';
import { ownAddress } from '../../../tools/bundle/own-address.ts';
import { inAscii } from '../../../tools/bundle/text.ts';

let root: string;
const put = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bundle-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('a source', () => {
  async function bundled(text: string): Promise<string> {
    put('src/deep/own.ts', text);
    const folder = join(root, 'generated/bundle');
    const bundle = await rolldown({
      cwd: root,
      input: { own: 'src/deep/own.ts' },
      platform: 'node',
      plugins: [ownAddress(folder)],
      logLevel: 'silent',
    });
    try {
      await bundle.write({ dir: folder, entryFileNames: '[name].mjs' });
    } finally {
      await bundle.close();
    }
    return join(folder, 'own.mjs');
  }

  test('has its own address in the bundle', async () => {
    const file = await bundled('export const own: string = import.meta.url;\n');
    const { own } = (await import(pathToFileURL(file).href)) as { own: string };
    expect(own).toBe(pathToFileURL(join(root, 'src/deep/own.ts')).href);
  });

  test.each(['dirname', 'filename'])('cannot ask for import.meta.%s', async (name) => {
    await expect(bundled(`export const own = import.meta.${name};\n`)).rejects.toThrow(
      'by import.meta.url alone',
    );
  });
});

/** Calls, reads and writes whose one effect is an error or a count, as a source may have them. */
const effects = [
  "decodeURIComponent('%ZZ')",
  "decodeURI('%ZZ')",
  "encodeURIComponent('\\ud800')",
  "encodeURI('\\ud800')",
  "BigInt('x')",
  'String(Object.create(null))',
  "new String({ toString() { throw new RangeError('no') } })",
  "new Error({ toString() { throw new RangeError('no') } })",
  "Symbol(Symbol('x'))",
  'parseInt(Symbol())',
  'isNaN(Symbol())',
  'Number(Symbol())',
  "new URL('no')",
  "new RegExp('(')",
  "JSON.parse('{')",
  "/* @__PURE__ */ JSON.parse('{')",
  '/* @__PURE__ */ fails()',
  'new Array(-1)',
  'new ArrayBuffer(-1)',
  'new Set(1)',
  'new Map([1])',
  'new Proxy(1, {})',
  'new Date(NaN).toISOString()',
  "new Intl.NumberFormat('en-US@posix')",
  'Object.keys(null)',
  'Object.fromEntries(1)',
  "'x'.repeat(-1)",
  'throwing.value',
  'void throwing.value',
  '({ ...throwing })',
  'const { value } = throwing',
  'const { value } = null',
  '[...undefined]',
  'counted.value',
  'Object.freeze({}).value = 1',
  'missing',
  '`${Symbol()}`',
  '1n + 1',
  '+1n',
  'late; const late = 1',
  'typeof late; const late = 1',
];

test('a program in the bundle does what its source does for its effect alone', async () => {
  const source = `
    let count = 0;
    const fails = () => { throw new RangeError('no'); };
    const throwing = { get value() { throw new TypeError('no'); } };
    const counted = { get value() { count += 1; return count; } };
    const outcome = (run) => {
      try { run(); return count; } catch (error) { return error.name; }
    };
    export const outcomes = [${effects.map((effect) => `outcome(() => { ${effect}; })`).join(',\n')}];
  `;
  put('effects.js', source);
  const bundle = await rolldown({
    cwd: root,
    input: { bundled: 'effects.js' },
    platform: 'node',
    logLevel: 'silent',
    ...asWritten.input,
  });
  await bundle.write({ dir: root, entryFileNames: '[name].mjs', ...asWritten.output });
  await bundle.close();
  const outcomesOf = async (name: string): Promise<unknown[]> => {
    const path = pathToFileURL(join(root, name)).href;
    return ((await import(path)) as { outcomes: unknown[] }).outcomes;
  };
  put('source.mjs', source);
  const named = (outcomes: unknown[]) => effects.map((effect, i) => [effect, outcomes[i]]);
  const expected = named(await outcomesOf('source.mjs'));
  expect(named(await outcomesOf('bundled.mjs'))).toEqual(expected);
  // Each of them has an effect.
  expect(expected.filter(([, outcome]) => outcome === 0)).toEqual([]);
});

test('a program in ASCII means the same', async () => {
  const code =
    String.raw`export default [
    'ž “ß” 🛑', ` +
    '`é ${1} 日本`' +
    String.raw`, /[а-я]+/.test('мир'), /^\p{L}🛑?$/u.test('ß🛑'), { größe: 1 }, 'a\u0062\n',
  ];`;
  const meaning = async (text: string): Promise<unknown> => {
    const { default: value } = (await import(
      `data:text/javascript,${encodeURIComponent(text)}`
    )) as {
      default: unknown;
    };
    return value;
  };
  expect(inAscii(code)).toMatch(/^[\0-\u007f]+$/);
  expect(await meaning(inAscii(code))).toEqual(await meaning(code));
});

describe('a folder that is built', () => {
  const place = (): string => join(root, 'site');
  const build = (text: string) =>
    buildFolder(place(), (folder) => Promise.resolve(writeFileSync(join(folder, 'page'), text)));

  test('takes the place of the former one, which nothing is left of', async () => {
    await build('one');
    await build('two');
    expect(readFileSync(join(place(), 'page'), 'utf8')).toBe('two');
    expect(readdirSync(root)).toEqual(['site']);
  });

  test('leaves the former one where building it fails', async () => {
    await build('one');
    const failing = buildFolder(place(), () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    expect(readFileSync(join(place(), 'page'), 'utf8')).toBe('one');
    expect(readdirSync(root)).toEqual(['site']);
  });

  test('is whole where several build at once', async () => {
    const names = Array.from({ length: 20 }, (_none, index) => String(index));
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(names.map(build));
      expect(names).toContain(readFileSync(join(place(), 'page'), 'utf8'));
      expect(readdirSync(root)).toEqual(['site']);
    }
  });

  test('is newer than its sources until one of them changes, also while it is built', async () => {
    const newest = (): boolean => isNewest(place(), root, ['src/*.ts']);
    put('src/one.ts', 'one');
    expect(newest()).toBe(false);
    utimesSync(join(root, 'src/one.ts'), 1_000, 1_000);
    await build('one');
    expect(newest()).toBe(true);
    await buildFolder(place(), () => Promise.resolve(put('src/one.ts', 'two')));
    expect(newest()).toBe(false);
  });

  test('says so where its place cannot be taken', async () => {
    writeFileSync(join(root, 'file'), '');
    const failing = buildFolder(join(root, 'file/site'), () => Promise.resolve());
    await expect(failing).rejects.toThrow('ENOTDIR');
  });
});
