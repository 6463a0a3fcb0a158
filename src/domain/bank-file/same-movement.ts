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
export interface ReportedMovement {
  /** Movements that nothing has told of before. */
  readonly fresh: readonly (Pick<ToldLine, 'position'> & {
    readonly naturalKey: string;
    readonly likeness: string | null;
    readonly names: BankNames;
  })[];
  /** References of known movements that were not known. */
  readonly named: readonly { readonly id: string; readonly names: BankNames }[];
}

interface KnownMovement {
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

const placesOf = (names: BankNames) => places.filter((place) => names[place] !== undefined);

/** Movements of which the next one that is free is taken; those that are not stay passed over. */
class Queue {
  readonly #all: KnownMovement[] = [];
  #begin = 0;

  add(movement: KnownMovement): void {
    this.#all.push(movement);
  }

  find(isTaken: (movement: KnownMovement) => boolean, fits: (movement: KnownMovement) => boolean) {
    for (let at = this.#begin; at < this.#all.length; at += 1) {
      const movement = this.#all[at];
      if (movement === undefined || isTaken(movement)) {
        if (at === this.#begin) this.#begin += 1;
        continue;
      }
      if (fits(movement)) return movement;
    }
    return undefined;
  }
}

function queueOf<Key>(queues: Map<Key, Queue>, key: Key): Queue {
  const found = queues.get(key) ?? new Queue();
  queues.set(key, found);
  return found;
}

/**
 * The movements that lines of one group may be, by their references and by the places of these. A statement can tell of ten
 * thousand fees that are alike, so none of the looks reads all of them.
 */
class Alike {
  readonly #byName = new Map<string, Queue>();
  readonly #byPlaces = new Map<string, Queue>();
  readonly #isTaken: (movement: KnownMovement) => boolean;

  constructor(movements: readonly KnownMovement[], taken: ReadonlySet<string>) {
    this.#isTaken = ({ naturalKey }) => taken.has(naturalKey);
    for (const movement of movements) {
      const given = placesOf(movement.names);
      queueOf(this.#byPlaces, given.join()).add(movement);
      for (const place of given)
        queueOf(this.#byName, `${place} ${movement.names[place] ?? ''}`).add(movement);
    }
  }

  /** One that has a reference of the line, and none that denies it. */
  named(names: BankNames): KnownMovement | undefined {
    for (const place of placesOf(names)) {
      const queue = this.#byName.get(`${place} ${names[place] ?? ''}`);
      const found = queue?.find(this.#isTaken, (movement) => !differ(movement.names, names));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** One whose references are all of other kinds than those of the line, so that none of them says anything. */
  unnamed(names: BankNames): KnownMovement | undefined {
    const given = placesOf(names);
    for (const [others, queue] of this.#byPlaces) {
      if (given.some((place) => others.split(',').includes(place))) continue;
      const found = queue.find(this.#isTaken, () => true);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

/** The movements that are known, by their fingerprints and by what these are without references. */
class Movements {
  readonly #known = new Map<string, KnownMovement[]>();
  readonly #lastPlace = new Map<string, number>();

  constructor(known: readonly KnownLine[]) {
    for (const { id, naturalKey, names, likeness: without } of known) {
      const likeness = without ?? fingerprintOf(naturalKey);
      this.#add({ id, naturalKey, names, likeness, isNamedAnew: false });
    }
  }

  #add(line: KnownMovement): void {
    const fingerprint = fingerprintOf(line.naturalKey);
    const last = this.#lastPlace.get(fingerprint) ?? 0;
    this.#lastPlace.set(fingerprint, Math.max(last, placeOf(line.naturalKey)));
    for (const key of new Set([line.likeness, fingerprint])) {
      const found = this.#known.get(key);
      if (found === undefined) this.#known.set(key, [line]);
      else found.push(line);
    }
  }

  with(key: string): readonly KnownMovement[] {
    return this.#known.get(key) ?? [];
  }

  /** A movement that nothing has told of: its place is the next one among those with its fingerprint. */
  begin({ fingerprint, likeness, names }: ToldLine): KnownMovement {
    const naturalKey = `${fingerprint}.${(this.#lastPlace.get(fingerprint) ?? 0) + 1}`;
    const begun = { id: null, naturalKey, likeness, names, isNamedAnew: false };
    this.#add(begun);
    return begun;
  }

  /** The references of known movements that lines have told anew. */
  get named(): ReportedMovement['named'] {
    const all = new Set([...this.#known.values()].flat());
    return [...all].flatMap(({ id, names, isNamedAnew }) =>
      id !== null && isNamedAnew ? [{ id, names }] : [],
    );
  }
}

/** Adds the references of a line to those of the movement that it is. */
function addNames(movement: KnownMovement, { names }: ToldLine): void {
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
): ReportedMovement {
  const movements = new Movements(known);
  const fresh: ReportedMovement['fresh'][number][] = [];
  const groups = Map.groupBy(lines, ({ statement, likeness }) => `${statement} ${likeness}`);
  for (const group of groups.values()) {
    const [{ statement, likeness } = { statement: 0, likeness: '' }] = group;
    const taken = usedIn(used, statement);
    const alike = new Alike(movements.with(likeness), taken);
    // The same reference on another day is the same movement.
    const equal = ({ fingerprint, names }: ToldLine) =>
      fingerprint === likeness
        ? undefined
        : movements
            .with(fingerprint)
            .find((one) => !taken.has(one.naturalKey) && !differ(one.names, names));
    const take = (line: ToldLine, movement: KnownMovement) => {
      taken.add(movement.naturalKey);
      addNames(movement, line);
    };
    const left = group.filter((line) => {
      const same = alike.named(line.names) ?? equal(line);
      if (same !== undefined) take(line, same);
      return same === undefined;
    });
    // A line that the bank names says more, so it has the first choice.
    const inOrder = left.toSorted((one, other) => Number(isNamed(other)) - Number(isNamed(one)));
    for (const line of inOrder) {
      const same = alike.unnamed(line.names);
      const movement = same ?? movements.begin(line);
      take(line, movement);
      if (same !== undefined) continue;
      const { position, fingerprint, names } = line;
      const without = likeness === fingerprint ? null : likeness;
      fresh.push({ position, naturalKey: movement.naturalKey, likeness: without, names });
    }
  }
  return { fresh, named: movements.named };
}
