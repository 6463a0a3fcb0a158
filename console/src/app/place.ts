/** Where a list is: behind one cursor, or before another; at its beginning without either. */
export interface ListPlace {
  readonly after?: string;
  readonly before?: string;
}

const pageSize = 25;

/** A text of the address, such as a reference that is a number; undefined where there is none. */
export const textOf = (value: unknown): string | undefined =>
  (typeof value === 'string' && value !== '') || typeof value === 'number'
    ? String(value)
    : undefined;

/** Texts of the address under these names, where it has them. */
export const textsOf = <Name extends string>(
  search: Record<string, unknown>,
  names: readonly Name[],
): { readonly [Key in Name]?: string } =>
  Object.fromEntries(
    names.flatMap((name) => {
      const value = textOf(search[name]);
      return value === undefined ? [] : [[name, value]];
    }),
  ) as { readonly [Key in Name]?: string };

/** One of some words, as the address has it; undefined for any other. */
export const wordOf = <Word extends string>(
  words: readonly Word[],
  value: unknown,
): Word | undefined => words.find((word) => word === value);

/** The place in the search of an address. */
export function placeOf(search: Record<string, unknown>): ListPlace {
  const after = textOf(search['after']);
  const before = textOf(search['before']);
  if (after !== undefined) return { after };
  return before === undefined ? {} : { before };
}

/** The variables of a list that is read in both directions. */
export function pageOf({ after, before }: ListPlace): {
  first: number | null;
  after: string | null;
  last: number | null;
  before: string | null;
} {
  if (before !== undefined) return { first: null, after: null, last: pageSize, before };
  return { first: pageSize, after: after ?? null, last: null, before: null };
}

/** The variables of a list that is read forwards alone. */
export const forwards = ({ after }: ListPlace): { first: number; after: string | null } => ({
  first: pageSize,
  after: after ?? null,
});
