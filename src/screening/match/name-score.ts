import type { NamePart, ParsedName } from '../names/parse.ts';
import { align, type Alignment, type Pair } from './align.ts';
import { distance } from './distance.ts';

/** How well two names agree, with what that rests on. */
export interface NameScore {
  /** From 0 to 1. */
  readonly score: number;
  readonly alignment: Alignment;
  /** The two names agree only when they are written in one word. */
  readonly asOneWord: boolean;
}

/** A word on each side that the other one lacks weighs so much: it is another name. */
const conflictCost = 2.4;
/** A word that one side has more: a second given name, a father's name. */
const extraCost = 0.15;
/** The same of a company's own word. */
const companyExtraCost = 0.3;
/** One common word of several is not enough for a person. */
const singleWordFactor = 0.72;

const weightOf = (parts: readonly NamePart[]): number =>
  parts.reduce((sum, { weight }) => sum + weight, 0);

const pairWeight = ({ left, right }: Pair): number => (weightOf(left) + weightOf(right)) / 2;

const isCore = ({ kind }: NamePart): boolean => kind === 'word' || kind === 'initial';

/** How different the words are that stand on both sides without a partner: less where they resemble each other. */
function unlikeness(left: readonly NamePart[], right: readonly NamePart[]): number {
  const shorter = left.length <= right.length ? left : right;
  const longer = shorter === left ? right : left;
  if (shorter.length === 0) return 1;
  const nearest = shorter.map((one) =>
    Math.min(
      ...longer.map(
        (other) => distance(one.text, other.text) / Math.max(one.text.length, other.text.length),
      ),
    ),
  );
  const mean = nearest.reduce((sum, one) => sum + Math.min(1, one), 0) / nearest.length;
  return Math.max(0.4, Math.min(1, mean * 1.6));
}

function fromAlignment(alignment: Alignment, isPerson: boolean): number {
  const { pairs, restLeft, restRight } = alignment;
  const full = pairs.reduce((sum, pair) => sum + pairWeight(pair), 0);
  if (full === 0) return 0;
  const matched = pairs.reduce((sum, pair) => sum + pairWeight(pair) * pair.similarity, 0);
  const [left, right] = [weightOf(restLeft), weightOf(restRight)];
  const conflict = 2 * Math.min(left, right) * conflictCost * 0.5 * unlikeness(restLeft, restRight);
  const extra = Math.abs(left - right) * (isPerson ? extraCost : companyExtraCost);
  const score = matched / (full + conflict + extra);
  const cores = pairs.filter((pair) => pair.left.some(isCore) && pair.right.some(isCore));
  const restHasCore = [...restLeft, ...restRight].some(({ kind }) => kind === 'word');
  return isPerson && cores.length <= 1 && restHasCore ? score * singleWordFactor : score;
}

const wordCount = ({ parts }: ParsedName): number =>
  parts.filter(({ kind }) => kind !== 'form').length;

/** Whole names in one word: the blanks are in other places, or missing. Nothing where they are in the same places. */
function asOneWord(left: ParsedName, right: ParsedName): number {
  const [one, other] = [left.joined, right.joined];
  if (left.whole === right.whole) return 0.98;
  if (one === other) return wordCount(left) === wordCount(right) ? 0 : 0.96;
  // More than one edit may be another word: LXC Aviation is not LAU Aviation.
  const isLong = Math.min(one.length, other.length) >= 8;
  const isNear = isLong && Math.abs(one.length - other.length) <= 1 && distance(one, other) <= 1;
  return isNear ? 0.9 : 0;
}

/** Two names in the same characters: each of them is a word, and another one is another name. */
function byCharacters(left: string, right: string): number {
  const [one, other] = [[...left], [...right]];
  const length = Math.max(one.length, other.length);
  const unlike = length - one.filter((sign, at) => sign === other[at]).length;
  return Math.max(0, 1 - (1.3 * unlike) / length);
}

/**
 * Compares two names.
 *
 * @param isPerson whether both are read as names of persons
 */
export function scoreNames(left: ParsedName, right: ParsedName, isPerson: boolean): NameScore {
  const alignment = align(left, right);
  if (left.characters !== '' && right.characters !== '') {
    const score = byCharacters(left.characters, right.characters);
    return { score, alignment, asOneWord: true };
  }
  const byParts = fromAlignment(alignment, isPerson);
  const whole = asOneWord(left, right);
  if (whole > byParts) return { score: whole, alignment, asOneWord: true };
  return { score: Math.min(1, byParts), alignment, asOneWord: false };
}
