import type { BankNames } from './staged.ts';

/** A line as a statement tells it, as far as it is compared. */
export interface ToldLine {
  readonly position: number;
  readonly statement: number;
  readonly fingerprint: string;
  readonly likeness: string;
  readonly names: BankNames;
}

/** A movement that is known. */
export interface KnownLine {
  /** Null for one that the same file told of, which is not stored yet. */
  readonly id: string | null;
  /** Its fingerprint and its place among those that are equal, with a point between. */
  readonly naturalKey: string;
  /** Null where the natural key begins with it. */
  readonly likeness: string | null;
  readonly names: BankNames;
}

/** What becomes of the lines of a page. */
export interface Told {
  /** Movements that nothing has told of before. */
  readonly fresh: readonly (Pick<ToldLine, 'position'> & {
    readonly naturalKey: string;
    readonly likeness: string | null;
    readonly names: BankNames;
  })[];
  /** References of known movements that were not known. */
  readonly named: readonly { readonly id: string; readonly names: BankNames }[];
}

interface Known {
  readonly id: string | null;
  readonly naturalKey: string;
  readonly likeness: string;
  names: BankNames;
  isNamedAnew: boolean;
}

const places = ['payment', 'entry', 'transaction', 'clearing', 'batch'] as const;

const fingerprintOf = (naturalKey: string): string =>
  naturalKey.slice(0, naturalKey.lastIndexOf('.'));
const placeOf = (naturalKey: string): number =>
  Number(naturalKey.slice(naturalKey.lastIndexOf('.') + 1));

/** Whether the bank's own references say that two lines are two movements. */
const differ = (one: BankNames, other: BankNames): boolean =>
  places.some(
    (place) =>
      one[place] !== undefined && other[place] !== undefined && one[place] !== other[place],
  );

const agree = (one: BankNames, other: BankNames): boolean =>
  places.some((place) => one[place] !== undefined && one[place] === other[place]);

/** Finds the movements that may be the same as a line. */
class Movements {
  readonly #known = new Map<string, Known[]>();
  readonly #lastPlace = new Map<string, number>();

  constructor(known: readonly KnownLine[]) {
    for (const { id, naturalKey, names, likeness: without } of known) {
      const likeness = without ?? fingerprintOf(naturalKey);
      this.#add({ id, naturalKey, names, likeness, isNamedAnew: false });
    }
  }

  #add(line: Known): void {
    const fingerprint = fingerprintOf(line.naturalKey);
    const last = this.#lastPlace.get(fingerprint) ?? 0;
    this.#lastPlace.set(fingerprint, Math.max(last, placeOf(line.naturalKey)));
    for (const key of new Set([line.likeness, fingerprint])) {
      const found = this.#known.get(key);
      if (found === undefined) this.#known.set(key, [line]);
      else found.push(line);
    }
  }

  alike({ fingerprint, likeness }: ToldLine): readonly Known[] {
    const found = this.#known.get(likeness) ?? [];
    return fingerprint === likeness ? found : [...found, ...(this.#known.get(fingerprint) ?? [])];
  }

  /** A movement that nothing has told of: its place is the next one among those with its fingerprint. */
  begin({ fingerprint, likeness, names }: ToldLine): Known {
    const naturalKey = `${fingerprint}.${(this.#lastPlace.get(fingerprint) ?? 0) + 1}`;
    const begun = { id: null, naturalKey, likeness, names, isNamedAnew: false };
    this.#add(begun);
    return begun;
  }

  /** The references of known movements that lines have told anew. */
  get named(): Told['named'] {
    const all = new Set([...this.#known.values()].flat());
    return [...all].flatMap(({ id, names, isNamedAnew }) =>
      id !== null && isNamedAnew ? [{ id, names }] : [],
    );
  }
}

/** Adds the references of a line to those of the movement that it is. */
function addNames(movement: Known, { names }: ToldLine): void {
  const isNews = places.some(
    (place) => names[place] !== undefined && movement.names[place] === undefined,
  );
  if (!isNews) return;
  movement.names = { ...names, ...movement.names };
  movement.isNamedAnew = true;
}

/** Movements that lines of each statement are, by their natural keys: a statement tells of none twice. */
export type Used = Map<number, Set<string>>;

function usedIn(used: Used, statement: number): Set<string> {
  const found = used.get(statement) ?? new Set<string>();
  used.set(statement, found);
  return found;
}

const isNamed = ({ names }: ToldLine): boolean => Object.keys(names).length > 0;

/**
 * Tells which lines are movements that are known. A notification and a statement tell of one movement, and one of them may
 * lack the bank's references: lines that are alike are the same, as long as the bank does not name them differently. Lines
 * of one statement are always different movements. It reads nothing.
 *
 * @param lines whole groups of lines that are alike in one statement, in the order of the statements
 * @param known the movements that are like them
 * @param used what earlier lines of the same statements are; these lines are added
 */
export function tellApart(
  lines: readonly ToldLine[],
  known: readonly KnownLine[],
  used: Used,
): Told {
  const movements = new Movements(known);
  const fresh: Told['fresh'][number][] = [];
  const groups = Map.groupBy(lines, ({ statement, likeness }) => `${statement} ${likeness}`);
  for (const group of groups.values()) {
    // A line that the bank names says more, so it has the first choice.
    const inOrder = group.toSorted((one, other) => Number(isNamed(other)) - Number(isNamed(one)));
    const taken = usedIn(used, group[0]?.statement ?? 0);
    const find = (line: ToldLine, fits: (names: BankNames) => boolean) =>
      movements
        .alike(line)
        .find(
          ({ naturalKey, names }) =>
            !taken.has(naturalKey) && fits(names) && !differ(names, line.names),
        );
    const left = inOrder.filter((line) => {
      const same = find(line, (names) => agree(names, line.names));
      if (same === undefined) return true;
      taken.add(same.naturalKey);
      addNames(same, line);
      return false;
    });
    for (const line of left) {
      const same = find(line, () => true);
      const movement = same ?? movements.begin(line);
      taken.add(movement.naturalKey);
      addNames(movement, line);
      if (same !== undefined) continue;
      const { position, fingerprint, likeness, names } = line;
      const without = likeness === fingerprint ? null : likeness;
      fresh.push({ position, naturalKey: movement.naturalKey, likeness: without, names });
    }
  }
  return { fresh, named: movements.named };
}
