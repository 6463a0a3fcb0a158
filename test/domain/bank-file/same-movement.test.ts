import { describe, expect, it } from 'vitest';
import {
  tellApart,
  type KnownLine,
  type ToldLine,
} from '../../../src/domain/bank-file/same-movement.ts';
import type { BankNames } from '../../../src/domain/bank-file/staged.ts';

const told = (position: number, names: BankNames, more: Partial<ToldLine> = {}): ToldLine => ({
  position,
  statement: 1,
  fingerprint: 'alike',
  likeness: 'alike',
  names,
  ...more,
});
const known = (place: number, names: BankNames, more: Partial<KnownLine> = {}): KnownLine => ({
  id: `line ${place}`,
  naturalKey: `alike.${place}`,
  likeness: null,
  names,
  ...more,
});
const freshOf = (lines: readonly ToldLine[], movements: readonly KnownLine[]) =>
  tellApart(lines, movements, new Map()).fresh.map(({ position }) => position);
const namedOf = (lines: readonly ToldLine[], movements: readonly KnownLine[]) =>
  tellApart(lines, movements, new Map()).named;

describe('lines that are alike', () => {
  it.each<[string, readonly BankNames[], readonly BankNames[], readonly number[]]>([
    ['one without a reference is the known one', [{}], [{ entry: 'A' }], []],
    ['one with a reference is the known one without', [{ entry: 'A' }], [{}], []],
    ['one that has another reference is another one', [{ entry: 'B' }], [{ entry: 'A' }], [1]],
    ['a reference of another kind denies nothing', [{ payment: 'P' }], [{ entry: 'A' }], []],
    [
      'one that agrees in one reference and differs in another is another one',
      [{ entry: 'A', payment: 'Q' }],
      [{ entry: 'A', payment: 'P' }],
      [1],
    ],
    [
      'one of another transaction is another one',
      [{ transaction: 'B' }],
      [{ transaction: 'A' }],
      [1],
    ],
    [
      'one that was cleared otherwise is another one',
      [{ clearing: 'B' }],
      [{ clearing: 'A' }],
      [1],
    ],
    ['one that is part of another entry is another one', [{ batch: 'B' }], [{ batch: 'A' }], [1]],
    ['two are never one movement', [{}, {}], [{}], [2]],
    ['a line with a reference chooses first', [{}, { entry: 'A' }], [{}], [1]],
    [
      'a line takes the one with its own reference',
      [{ entry: 'B' }, {}],
      [{ entry: 'A' }, { entry: 'B' }],
      [],
    ],
  ])('%s', (_what, lines, movements, fresh) => {
    const found = freshOf(
      lines.map((names, at) => told(at + 1, names)),
      movements.map((names, at) => known(at + 1, names)),
    );
    expect(found).toEqual(fresh);
  });

  it('adds the references that a known movement lacks, and replaces none', () => {
    const [more] = [told(1, { entry: 'A', payment: 'P' })];
    expect(namedOf([more], [known(1, { entry: 'A' })])).toEqual([
      { id: 'line 1', names: { entry: 'A', payment: 'P' } },
    ]);
    expect(namedOf([told(1, { entry: 'A' })], [known(1, { entry: 'A', payment: 'P' })])).toEqual(
      [],
    );
  });

  it('are the same movement in another statement of the same file', () => {
    const lines = [told(1, { entry: 'A' }), told(2, { entry: 'A' }, { statement: 2 })];
    expect(freshOf(lines, [])).toEqual([1]);
  });

  it('begin at the next place among those that are known', () => {
    const { fresh } = tellApart([told(1, { entry: 'B' })], [known(3, { entry: 'A' })], new Map());
    expect(fresh).toMatchObject([{ naturalKey: 'alike.4', likeness: null, names: { entry: 'B' } }]);
  });

  it('begin behind the last place, in whatever order those are known', () => {
    const movements = [known(3, { entry: 'A' }), known(1, { entry: 'C' })];
    const { fresh } = tellApart([told(1, { entry: 'B' })], movements, new Map());
    expect(fresh).toMatchObject([{ naturalKey: 'alike.4' }]);
  });

  it('are what earlier lines of their statement are not', () => {
    const used = new Map([[1, new Set(['alike.1'])]]);
    expect(tellApart([told(1, {})], [known(1, {})], used).fresh).toHaveLength(1);
  });
});

it('is the same movement where the reference comes again on another day', () => {
  const line = told(1, { entry: 'A' }, { fingerprint: 'reference A', likeness: 'second day' });
  const before = known(1, { entry: 'A' }, { naturalKey: 'reference A.1', likeness: 'first day' });
  expect(freshOf([line], [before])).toEqual([]);
  expect(
    freshOf(
      [{ ...line, names: { entry: 'A', payment: 'Q' } }],
      [{ ...before, names: { entry: 'A', payment: 'P' } }],
    ),
  ).toEqual([1]);
});
