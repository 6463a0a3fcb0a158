import type { EntryType, ListEntry } from './lists/entry.ts';
import type { Interval } from './lists/dates.ts';

/** Whom a screening asks for. */
export interface Subject {
  readonly type: EntryType;
  /** The legal name first; others that are known behind it. */
  readonly names: readonly string[];
  readonly birth: Interval | null;
  /** ISO 3166-1 alpha-2: of residence, incorporation and address. */
  readonly countries: readonly string[];
  /** Numbers of documents, registers and taxes. */
  readonly identifiers: readonly string[];
}

/** One statement of why an entry is a hit, in words for a person who decides. */
export interface Reason {
  readonly of: 'name' | 'birth' | 'country' | 'identifier' | 'type' | 'alias';
  readonly verdict: 'agrees' | 'differs' | 'unknown';
  readonly text: string;
}

/** An entry of a list that a subject may be. */
export interface Match {
  readonly entry: ListEntry;
  /** From 0 to 1. */
  readonly score: number;
  /** What OFAC's own search would show for the name, from 0 to 100. */
  readonly ofac: number;
  /** The name of the entry that agrees best, and that of the subject. */
  readonly listedName: string;
  readonly subjectName: string;
  readonly reasons: readonly Reason[];
}
