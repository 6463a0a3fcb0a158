import { texts } from '../../texts/texts.ts';

export type EntryKind = keyof typeof texts.money.kinds;

/** The kinds of entries. An object's keys are its type's. */
export const entryKinds = Object.keys(texts.money.kinds) as EntryKind[];

/** Which entries the page lists. */
export interface EntryChoice {
  readonly kind?: EntryKind;
}
