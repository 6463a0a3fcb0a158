import type { NamePart, ParsedName } from '../names/parse.ts';
import { compareParts, compareTexts, type PartMatch } from './parts.ts';

/** Words of both names that are taken for the same. */
export interface Pair extends PartMatch {
  readonly left: readonly NamePart[];
  readonly right: readonly NamePart[];
}

export interface Alignment {
  readonly pairs: readonly Pair[];
  readonly restLeft: readonly NamePart[];
  readonly restRight: readonly NamePart[];
}

interface Candidate extends PartMatch {
  readonly i: number;
  readonly j: number;
  readonly rank: number;
}

/** Weights decide between pairs of equal similarity, and then the order of the names. */
function candidates(left: readonly NamePart[], right: readonly NamePart[]): Candidate[] {
  const found: Candidate[] = [];
  left.forEach((one, i) =>
    right.forEach((other, j) => {
      const match = compareParts(one, other);
      if (match === null) return;
      const weight = Math.min(one.weight, other.weight);
      const rank = match.similarity + weight / 10 - Math.abs(i - j) / 1_000;
      found.push({ ...match, i, j, rank });
    }),
  );
  return found.toSorted((one, other) => other.rank - one.rank);
}

/** The longest run of words that may be one word on the other side. */
const longestRun = 3;

const isJoinable = ({ kind }: NamePart): boolean => kind !== 'form' && kind !== 'number';

/** A run of words that is one word of the other name: `van der bilt` and `vanderbilt`. */
function joinedRun(
  run: readonly NamePart[],
  others: readonly NamePart[],
): {
  readonly from: number;
  readonly length: number;
  readonly whole: number;
  readonly match: PartMatch;
} | null {
  for (const [whole, one] of others.entries()) {
    if (!isJoinable(one)) continue;
    for (let length = 2; length <= longestRun; length += 1) {
      for (let from = 0; from + length <= run.length; from += 1) {
        const parts = run.slice(from, from + length);
        if (!parts.every(isJoinable)) continue;
        const text = parts.map((part) => part.text).join('');
        if (Math.abs(text.length - one.text.length) > 2) continue;
        const match =
          text === one.text ? { reason: 'joined' as const, similarity: 1 } : near(text, one.text);
        if (match !== null) return { from, length, whole, match };
      }
    }
  }
  return null;
}

function near(left: string, right: string): PartMatch | null {
  if (Math.min(left.length, right.length) < 6) return null;
  const match = compareTexts(left, right);
  return match === null ? null : { reason: 'joined', similarity: match.similarity };
}

/**
 * Finds for each word of a name the one of the other name that it is, best first, each once, and then the words that
 * are written together on one side.
 */
export function align(left: ParsedName, right: ParsedName): Alignment {
  const takenLeft = new Set<number>();
  const takenRight = new Set<number>();
  const pairs: Pair[] = [];
  for (const { i, j, reason, similarity } of candidates(left.parts, right.parts)) {
    const [one, other] = [left.parts[i], right.parts[j]];
    if (takenLeft.has(i) || takenRight.has(j) || one === undefined || other === undefined) continue;
    takenLeft.add(i);
    takenRight.add(j);
    pairs.push({ left: [one], right: [other], reason, similarity });
  }
  const restLeft = left.parts.filter((_, i) => !takenLeft.has(i));
  const restRight = right.parts.filter((_, j) => !takenRight.has(j));
  return joinRuns({ pairs, restLeft, restRight });
}

function joinRuns(alignment: Alignment): Alignment {
  const { pairs, restLeft, restRight } = alignment;
  if (restLeft.length === 0 || restRight.length === 0) return alignment;
  const runLeft = joinedRun(restLeft, restRight);
  if (runLeft !== null) {
    const { from, length, whole, match } = runLeft;
    return joinRuns({
      pairs: [
        ...pairs,
        {
          left: restLeft.slice(from, from + length),
          right: restRight.slice(whole, whole + 1),
          ...match,
        },
      ],
      restLeft: restLeft.toSpliced(from, length),
      restRight: restRight.toSpliced(whole, 1),
    });
  }
  const runRight = joinedRun(restRight, restLeft);
  if (runRight === null) return alignment;
  const { from, length, whole, match } = runRight;
  return joinRuns({
    pairs: [
      ...pairs,
      {
        left: restLeft.slice(whole, whole + 1),
        right: restRight.slice(from, from + length),
        ...match,
      },
    ],
    restLeft: restLeft.toSpliced(whole, 1),
    restRight: restRight.toSpliced(from, length),
  });
}
