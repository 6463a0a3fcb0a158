import type { EntryType, ListedName, ListEntry } from '../lists/entry.ts';
import { parseName, type ParsedName } from '../names/parse.ts';
import type { Subject } from '../subject.ts';
import { keysOf, numberKey } from './keys.ts';
import { mostAdded, prepareSubject, scoreName, type PreparedSubject } from './score.ts';

/*
 * The other direction: many subjects against the few entries by which a version of a list differs from the one before.
 * The entries are in the memory of the process, so that no subject costs a query.
 */

/** Finds out whether a subject may be one of some entries. */
export interface Difference {
  /** Whether a number of a subject can decide, so that numbers are worth opening. */
  readonly hasNumbers: boolean;
  /** Whether the subject is worth a screening: no subject that one would find is missing. */
  mayHit(subject: Subject): boolean;
}

interface Indexed {
  readonly name: ListedName;
  readonly type: EntryType;
}

/** Less than a short word in common: two names with so little are scored below every threshold. */
const leastShared = 5;
/** The names that are looked at closely. */
const mostCandidates = 40;

/** Takes each name apart once for each way to read it. */
function rememberingParse(): typeof parseName {
  const known = new Map<string, ParsedName>();
  return (name, type) => {
    const key = `${type} ${name}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const parsed = parseName(name, type);
    known.set(key, parsed);
    return parsed;
  };
}

class EntriesInMemory implements Difference {
  readonly #names: Indexed[] = [];
  readonly #byKey = new Map<string, number[]>();
  readonly #numbers = new Set<string>();
  readonly #parse = rememberingParse();
  readonly #threshold: number;

  constructor(entries: Iterable<ListEntry>, threshold: number) {
    this.#threshold = threshold;
    for (const entry of entries) this.#add(entry);
  }

  get hasNumbers(): boolean {
    return this.#numbers.size > 0;
  }

  #add({ type, names, identifiers }: ListEntry): void {
    for (const name of names) {
      const place = this.#names.push({ name, type }) - 1;
      for (const key of keysOf(parseName(name.text, type)).keys()) {
        const known = this.#byKey.get(key);
        if (known === undefined) this.#byKey.set(key, [place]);
        else known.push(place);
      }
    }
    for (const { number } of identifiers) {
      const key = numberKey(number);
      if (key !== null) this.#numbers.add(key);
    }
  }

  /** The names that share most with a subject's, the best first. */
  #candidates({ names }: PreparedSubject): Indexed[] {
    const shared = new Map<number, number>();
    for (const name of names) {
      for (const [key, weight] of keysOf(name)) {
        for (const place of this.#byKey.get(key) ?? []) {
          shared.set(place, (shared.get(place) ?? 0) + weight);
        }
      }
    }
    const worth = [...shared].filter(([, weight]) => weight >= leastShared);
    return worth
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, mostCandidates)
      .flatMap(([place]) => this.#names[place] ?? []);
  }

  mayHit(subject: Subject): boolean {
    const numbers = subject.identifiers.map(numberKey);
    if (numbers.some((key) => key !== null && this.#numbers.has(key))) return true;
    const prepared = prepareSubject(subject);
    return this.#candidates(prepared).some(
      ({ name, type }) =>
        scoreName(prepared, name, type, this.#parse) + mostAdded >= this.#threshold,
    );
  }
}

/** @param threshold from which score on an entry is a hit */
export const differenceOf = (entries: Iterable<ListEntry>, threshold: number): Difference =>
  new EntriesInMemory(entries, threshold);
