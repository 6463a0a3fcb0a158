import type { EntryType, ListedName, ListEntry } from '../lists/entry.ts';
import { parseName, type ParsedName } from '../names/parse.ts';
import type { Match, Reason, Subject } from '../subject.ts';
import { factScores, sharedNumber } from './facts.ts';
import { scoreNames, type NameScore } from './name-score.ts';
import { ofacScore } from './ofac-score.ts';
import { nameReasons } from './reasons.ts';

/** From this score on an entry is a hit, where a tenant sets no other. */
export const defaultThreshold = 0.75;

/** A subject with its names taken apart, once for all entries. */
export interface PreparedSubject {
  readonly subject: Subject;
  readonly names: readonly ParsedName[];
}

export const prepareSubject = (subject: Subject): PreparedSubject => ({
  subject,
  names: subject.names.map((name) => parseName(name, subject.type)),
});

/** The most that birth date and countries can add to the score of a name. */
export const mostAdded = 0.09;

/** A name that its publisher calls weak identifies nobody by itself: only nearly the same one counts, and less. */
const weakFactor = 0.9;
const weakFrom = 0.93;

/** The same number on both sides, whatever the names say. */
const sharedNumberScore = 0.95;

interface Best {
  readonly name: ListedName;
  readonly mine: ParsedName;
  readonly scored: NameScore;
  readonly score: number;
}

/** Both names are read as a person's only where one of them is a person's and the other may be. */
function readAs(subject: EntryType, entry: EntryType): EntryType {
  return subject === 'person' && (entry === 'person' || entry === 'unknown') ? 'person' : entry;
}

const weighed = ({ weak }: ListedName, { score, alignment }: NameScore): number => {
  if (!weak) return score;
  const whole = alignment.restLeft.length === 0 && alignment.restRight.length === 0;
  return score >= weakFrom && whole ? score * weakFactor : Math.min(score * weakFactor, 0.6);
};

/** The best score of one name of an entry with any of the subject's; null for a subject without names. */
function bestOf(
  { subject, names }: PreparedSubject,
  name: ListedName,
  entryType: EntryType,
  parse: typeof parseName = parseName,
): Best | null {
  const type = readAs(subject.type, entryType);
  const parsed = parse(name.text, type);
  let best: Best | null = null;
  for (const mine of names) {
    const scored = scoreNames(mine, parsed, type === 'person');
    const score = weighed(name, scored);
    if (best === null || score > best.score) best = { name, mine, scored, score };
  }
  return best;
}

/**
 * How well one name of an entry agrees with a subject's, before anything else is looked at.
 *
 * @param parse takes a name apart; given by whoever asks for the same names again and again
 */
export const scoreName = (
  prepared: PreparedSubject,
  name: ListedName,
  entryType: EntryType,
  parse?: typeof parseName,
): number => bestOf(prepared, name, entryType, parse)?.score ?? 0;

function bestName(prepared: PreparedSubject, entry: ListEntry): Best | null {
  let best: Best | null = null;
  for (const name of entry.names) {
    const found = bestOf(prepared, name, entry.type);
    if (found !== null && (best === null || found.score > best.score)) best = found;
  }
  return best;
}

function reasonsOf(best: Best, shared: string | null): Reason[] {
  const reasons = nameReasons(best.scored);
  if (best.name.weak) {
    reasons.push({
      of: 'alias',
      verdict: 'unknown',
      text: 'The list calls this name a weak alias.',
    });
  }
  if (shared !== null) {
    reasons.push({ of: 'identifier', verdict: 'agrees', text: `Both have the number ${shared}.` });
  }
  return reasons;
}

/**
 * How well a subject and an entry agree: by the best pair of names, then by birth date, country and kind, and by
 * numbers that both have.
 *
 * @param threshold below it nothing is explained, and the answer is null
 */
export function matchEntry(
  prepared: PreparedSubject,
  entry: ListEntry,
  threshold: number,
): Match | null {
  const { subject } = prepared;
  const best = bestName(prepared, entry);
  if (best === null) return null;
  const facts = factScores(subject, entry);
  const shared = sharedNumber(subject, entry);
  const byFacts = facts.reduce((sum, { added }) => sum + added, best.score);
  const score = Math.min(1, Math.max(0, byFacts, shared === null ? 0 : sharedNumberScore));
  if (score < threshold) return null;
  return {
    entry,
    score: Math.round(score * 1_000) / 1_000,
    ofac: Math.max(...entry.names.map(({ text }) => ofacScore(best.mine.name, text))),
    listedName: best.name.text,
    subjectName: best.mine.name,
    reasons: [...reasonsOf(best, shared), ...facts.map(({ reason }) => reason)],
  };
}
