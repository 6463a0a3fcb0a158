import type { Interval } from './dates.ts';

/** The lists that are read. A kind stands for one publisher's list, whatever its file format. */
export const listKinds = ['ofac_sdn', 'ofac_consolidated', 'eu', 'un', 'uk', 'own'] as const;
export type ListKind = (typeof listKinds)[number];

/** What an entry is about. `unknown` where the list does not say. */
export const entryTypes = ['person', 'organisation', 'vessel', 'aircraft', 'unknown'] as const;
export type EntryType = (typeof entryTypes)[number];

export interface ListedName {
  readonly text: string;
  /** The first name of an entry is its primary one. */
  readonly role: 'primary' | 'alias' | 'former';
  /** The publisher says that it identifies nobody by itself: `weak`, `low quality`. */
  readonly weak: boolean;
}

/** What a number is for, as far as it can be compared with a payee's. */
export type IdentifierClass =
  | 'passport'
  | 'national'
  | 'tax'
  | 'registration'
  | 'bic'
  | 'lei'
  | 'vessel'
  | 'other';

export interface ListedIdentifier {
  readonly class: IdentifierClass;
  /** The list's own words for the kind of number. */
  readonly label: string;
  readonly number: string;
  /** ISO 3166-1 alpha-2 of its issuer, or null. */
  readonly country: string | null;
}

/** One designation of a list, in the same form for every list. */
export interface ListEntry {
  /** The publisher's own id, which stays the same from version to version. */
  readonly id: string;
  readonly type: EntryType;
  readonly names: readonly ListedName[];
  readonly births: readonly Interval[];
  /** ISO 3166-1 alpha-2 of nationality, citizenship or registration, in the order of the list. */
  readonly nationalities: readonly string[];
  /** ISO 3166-1 alpha-2 of addresses and birth places. */
  readonly places: readonly string[];
  readonly identifiers: readonly ListedIdentifier[];
  /** Programmes, regimes or the reason of one's own list. */
  readonly programmes: readonly string[];
}

/** What a reader says of a file, in its order. */
export type ListItem =
  /** Comes first. `date` is the day that the list states of itself; null where its format has none. */
  | { readonly type: 'head'; readonly date: string | null; readonly stated: number | null }
  | { readonly type: 'entry'; readonly entry: ListEntry }
  /** An entry that neither freezes assets nor forbids payments. */
  | { readonly type: 'passed'; readonly id: string };

export type Bytes = AsyncIterable<Uint8Array>;

/** The files of one list. The CSV of OFAC has its aliases, addresses and longer remarks in files of their own. */
export interface ListFiles {
  readonly main: Bytes;
  readonly aliases?: Bytes;
  readonly addresses?: Bytes;
  readonly comments?: Bytes;
}

/** Each text once, in the order of its first place, without the empty ones. */
export function distinct<T extends string>(values: Iterable<T | null | undefined>): T[] {
  const kept = new Set<T>();
  for (const value of values)
    if (value !== null && value !== undefined && value !== '') kept.add(value);
  return [...kept];
}

/** Names without those that another one repeats in the same role or a better one. */
export function distinctNames(names: readonly ListedName[]): ListedName[] {
  const kept = new Map<string, ListedName>();
  for (const name of names) {
    const known = kept.get(name.text);
    if (known === undefined || (known.weak && !name.weak)) {
      kept.set(name.text, known === undefined ? name : { ...known, weak: name.weak });
    }
  }
  return [...kept.values()];
}
