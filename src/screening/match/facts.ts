import type { Interval } from '../lists/dates.ts';
import type { ListEntry } from '../lists/entry.ts';
import type { Reason, Subject } from '../subject.ts';
import { plainNumber } from './keys.ts';

/** What another fact than the name adds to a score. */
export interface FactScore {
  readonly added: number;
  readonly reason: Reason;
}

const written = ({ from, to, about }: Interval): string => {
  const day =
    from === to
      ? from
      : from.slice(0, 4) === to.slice(0, 4)
        ? from.slice(0, 4)
        : `${from.slice(0, 4)}–${to.slice(0, 4)}`;
  return about ? `about ${day}` : day;
};

const year = (day: string): number => Number(day.slice(0, 4));

/** Years between two intervals, 0 where they overlap. A date that is only about right is widened by two years. */
function yearsApart(one: Interval, other: Interval): number {
  const slack = one.about || other.about ? 2 : 0;
  if (one.from <= other.to && other.from <= one.to) return 0;
  const gap =
    one.from > other.to ? year(one.from) - year(other.to) : year(other.from) - year(one.to);
  return Math.max(0, gap - slack) + (gap > slack ? 0 : 0.5);
}

/** Day and month agree, or stand for each other: a slip in the year or of a form. */
function isSlip(one: Interval, other: Interval): boolean {
  const [a, b] = [one.from.slice(5), other.from.slice(5)];
  if (one.from !== one.to || other.from !== other.to) return false;
  const swapped = `${b.slice(3)}-${b.slice(0, 2)}`;
  return a === b || (a === swapped && year(one.from) === year(other.from));
}

function birthScore(subject: Interval, births: readonly Interval[]): FactScore {
  const nearest = births
    .map((birth) => ({ birth, years: yearsApart(subject, birth), slip: isSlip(subject, birth) }))
    .toSorted((a, b) => a.years - b.years)[0];
  if (nearest === undefined) {
    return {
      added: 0,
      reason: { of: 'birth', verdict: 'unknown', text: 'The list has no birth date.' },
    };
  }
  const { birth, years, slip } = nearest;
  const both = `${written(subject)} and ${written(birth)}`;
  if (years === 0) {
    return {
      added: 0.06,
      reason: { of: 'birth', verdict: 'agrees', text: `Birth dates agree: ${both}.` },
    };
  }
  const anySlip = slip || births.some((one) => isSlip(subject, one));
  const added = years <= 1 || anySlip ? -0.02 : years <= 3 ? -0.06 : -0.18;
  return {
    added,
    reason: { of: 'birth', verdict: 'differs', text: `Birth dates differ: ${both}.` },
  };
}

function countryScore(subject: Subject, entry: ListEntry): FactScore | null {
  const known = [...entry.nationalities, ...entry.places];
  if (subject.countries.length === 0 || known.length === 0) return null;
  const shared = subject.countries.filter((country) => known.includes(country));
  const [mine, theirs] = [subject.countries.join(', '), [...new Set(known)].join(', ')];
  if (shared.length > 0) {
    return {
      added: 0.03,
      reason: { of: 'country', verdict: 'agrees', text: `Countries agree: ${shared.join(', ')}.` },
    };
  }
  return {
    added: -0.05,
    reason: { of: 'country', verdict: 'differs', text: `Countries differ: ${mine} and ${theirs}.` },
  };
}

function typeScore(subject: Subject, entry: ListEntry): FactScore | null {
  if (subject.type === 'unknown' || entry.type === 'unknown' || subject.type === entry.type) {
    return null;
  }
  const isThing = entry.type === 'vessel' || entry.type === 'aircraft';
  return {
    added: isThing ? -0.25 : -0.12,
    reason: {
      of: 'type',
      verdict: 'differs',
      text: `The list has a ${entry.type}, and the payee is a ${subject.type}.`,
    },
  };
}

/** A number that both have, which says more than any name. */
export function sharedNumber(subject: Subject, entry: ListEntry): string | null {
  const mine = new Set(subject.identifiers.map(plainNumber));
  return entry.identifiers.find(({ number }) => mine.has(plainNumber(number)))?.number ?? null;
}

/** What birth date, countries and kind say, where both sides know them. */
export function factScores(subject: Subject, entry: ListEntry): FactScore[] {
  return [
    subject.birth === null ? null : birthScore(subject.birth, entry.births),
    countryScore(subject, entry),
    typeScore(subject, entry),
  ].filter((one) => one !== null);
}
