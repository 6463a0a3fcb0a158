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
  /** The best first. */
  readonly hits: readonly Hit[];
}

/** Whatever finds out whether a subject is on a list. */
export interface ScreeningEngine {
  readonly name: string;
  screen(order: ScreeningOrder): Promise<Screening>;
}
