import type { ListKind } from '../../screening/lists/entry.ts';
import type { Match, Subject } from '../../screening/subject.ts';
import type { ListStanding } from './standing.ts';

/** What is asked of an engine. */
export interface ScreeningOrder {
  readonly subject: Subject;
  /** The lists against which it is to be screened. */
  readonly kinds: readonly ListKind[];
  /** From this score on an entry is a hit, from 0 to 1. */
  readonly threshold: number;
}

/** An entry that the subject may be, with the list that has it. */
export interface Hit extends Match {
  readonly kind: ListKind;
  /** SHA-256 of the entry as it was: a decision counts for this content alone. */
  readonly digest: string;
}

/** What an engine answered, and on which lists it looked. */
export interface Screening {
  readonly engine: string;
  readonly lists: readonly ListStanding[];
  /** A list that was asked for is not current: no hit does not mean that there is none. */
  readonly incomplete: boolean;
  /** The lists that were looked at, whatever their state: only of these it says that there is no further hit. */
  readonly answered: readonly ListKind[];
  /** The best first. */
  readonly hits: readonly Hit[];
}

/** The version of each list that is in use, as its engine names it. */
export type Versions = Readonly<Partial<Record<ListKind, number | string>>>;

/** Whatever finds out whether a subject is on a list. */
export interface ScreeningEngine {
  readonly name: string;
  /** Whether the entries that are new since a version are in this database, so that a pass need not ask for everybody. */
  readonly knowsDifferences: boolean;
  /** Empty where there is no list yet. Throws where the engine is away. */
  versions(): Promise<Versions>;
  /** How the lists stand at this moment; `failed` where the engine is away. */
  standings(kinds: readonly ListKind[]): Promise<ListStanding[]>;
  /** An engine that is away answers without hits, and incomplete: a list that did not answer is not `answered`. */
  screen(order: ScreeningOrder): Promise<Screening>;
}
