import type { NamePart } from '../names/parse.ts';
import { budget, distance } from './distance.ts';

/** Why two words of names are taken for the same. */
type PartReason = 'equal' | 'spelling' | 'sound' | 'variant' | 'meaning' | 'initial' | 'joined';

export interface PartMatch {
  readonly reason: PartReason;
  /** From 0 to 1. */
  readonly similarity: number;
}

const equal: PartMatch = { reason: 'equal', similarity: 1 };

function sameGroup(left: readonly number[], right: readonly number[]): boolean {
  return left.some((group) => right.includes(group));
}

/** A word that is written with few vowels is compared by its consonants. */
function byConsonants(left: string, right: string): PartMatch | null {
  if (left.length < 2 || right.length < 2) return null;
  if (left === right) return { reason: 'sound', similarity: 0.95 };
  const length = Math.min(left.length, right.length);
  return length >= 4 && distance(left, right) <= 1 ? { reason: 'sound', similarity: 0.75 } : null;
}

/**
 * Edits within the budget of the shorter word. Two words of the same consonants that are long enough are the same by
 * their sound even beyond it.
 */
export function compareTexts(left: string, right: string): PartMatch | null {
  const letters = Math.min(left.length, right.length);
  const most = budget(letters);
  if (Math.abs(left.length - right.length) > most / 0.4) return null;
  const cost = distance(left, right);
  if (cost <= most) {
    return {
      reason: 'spelling',
      similarity: 1 - 0.25 * (cost / most) - 0.4 * (cost / (letters + 3)),
    };
  }
  return null;
}

function bitsOf(letters: number): number {
  let count = 0;
  for (let rest = letters; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/** Two letters that only one side has may be one edit, which costs at least 0.6: most pairs of words are told apart by it. */
const mayBeSpelling = (left: NamePart, right: NamePart): boolean =>
  0.3 * bitsOf(left.letters ^ right.letters) <=
  budget(Math.min(left.text.length, right.text.length));

function compareWords(left: NamePart, right: NamePart): PartMatch | null {
  if (sameGroup(left.groups, right.groups)) return { reason: 'variant', similarity: 0.95 };
  if (left.consonantal !== right.consonantal) return byConsonants(left.skeleton, right.skeleton);
  const spelling = mayBeSpelling(left, right) ? compareTexts(left.text, right.text) : null;
  const length = Math.min(left.skeleton.length, right.skeleton.length);
  const sound = left.skeleton === right.skeleton && length >= 3;
  if (!sound || (spelling?.similarity ?? 0) >= 0.85) return spelling;
  return { reason: 'sound', similarity: 0.85 };
}

const isNameLike = ({ kind }: NamePart): boolean => kind === 'word' || kind === 'common';

/** Whether two words of names are the same, and why; null where they are not. */
export function compareParts(left: NamePart, right: NamePart): PartMatch | null {
  if (left.kind === 'number' || right.kind === 'number') {
    return left.text === right.text ? equal : null;
  }
  if (left.kind === 'form' || right.kind === 'form') {
    return left.kind === right.kind && left.text === right.text ? equal : null;
  }
  if (left.text === right.text) return equal;
  if (left.meaning !== null && left.meaning === right.meaning) {
    return { reason: 'meaning', similarity: 0.9 };
  }
  if (left.kind === 'initial' || right.kind === 'initial') {
    const initial = left.text[0] === right.text[0] && (isNameLike(left) || isNameLike(right));
    return initial ? { reason: 'initial', similarity: 0.8 } : null;
  }
  if (!isNameLike(left) || !isNameLike(right)) return null;
  return compareWords(left, right);
}
