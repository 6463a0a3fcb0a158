import { posix } from 'node:path';
import ts from 'typescript';
import type { SourceFile } from './files.ts';

/** Folders whose own folders are rooms; every other folder is one room with all that is in it. */
const divided = [
  'src',
  'src/domain',
  'src/providers',
  'schema',
  'rest',
  'simulator',
  'dev',
  'console',
  'console/src',
  'console/src/pages',
];

/** The room of a file: `src/domain/payout` for `src/domain/payout/create.ts`. */
export function roomOf(path: string): string {
  let room = '';
  for (const part of posix.dirname(path).split('/')) {
    room = posix.join(room, part);
    if (!divided.includes(room)) return room;
  }
  return room;
}

/** Paths of the files of the repository that a file imports, the imports of types included. */
export function importsOf({ path, text }: SourceFile): string[] {
  return ts
    .preProcessFile(text)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => posix.join(posix.dirname(path), name));
}

/** A folder and a folder in it are one room. */
const contains = (outer: string, inner: string) => `${inner}/`.startsWith(`${outer}/`);

/** One import for each pair of rooms, in each direction: `from -> to` to the files. */
function arrowsBetweenRooms(files: readonly SourceFile[]): Map<string, string> {
  const arrows = new Map<string, string>();
  for (const file of files) {
    const from = roomOf(file.path);
    for (const target of importsOf(file)) {
      const to = roomOf(target);
      if (contains(from, to) || contains(to, from)) continue;
      const arrow = `${from} -> ${to}`;
      if (!arrows.has(arrow)) arrows.set(arrow, `${file.path} -> ${target}`);
    }
  }
  return arrows;
}

/** Pairs of rooms that import each other, as `a <-> b` with an import of each direction. */
export function mutualRooms(files: readonly SourceFile[]): Map<string, readonly string[]> {
  const arrows = arrowsBetweenRooms(files);
  const pairs = new Map<string, readonly string[]>();
  for (const [arrow, example] of arrows) {
    const [from = '', to = ''] = arrow.split(' -> ');
    const back = arrows.get(`${to} -> ${from}`);
    if (from < to && back !== undefined) pairs.set(`${from} <-> ${to}`, [example, back]);
  }
  return pairs;
}

/** Pairs that no reason permits, and reasons for pairs that do not exist. */
export function judgePairs(
  pairs: ReadonlyMap<string, readonly string[]>,
  permitted: Readonly<Record<string, string>>,
): string[] {
  const unexplained = [...pairs]
    .filter(([pair]) => !Object.hasOwn(permitted, pair))
    .map(([pair, examples]) => `${pair} import each other: ${examples.join(' and ')}`);
  const unneeded = Object.keys(permitted)
    .filter((pair) => !pairs.has(pair))
    .map((pair) => `${pair} has a reason in permitted-pairs.ts and does not import each other`);
  return [...unexplained, ...unneeded];
}
