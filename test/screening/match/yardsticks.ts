import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { countryByName } from '../../../src/reference/country-names.ts';
import { interval, type Interval } from '../../../src/screening/lists/dates.ts';
import type { EntryType } from '../../../src/screening/lists/entry.ts';
import { scoreNames } from '../../../src/screening/match/name-score.ts';
import { ofacScore } from '../../../src/screening/match/ofac-score.ts';
import { parseName } from '../../../src/screening/names/parse.ts';
import type { Subject } from '../../../src/screening/subject.ts';
import { listFile } from '../config.ts';

type Row = Readonly<Record<string, string>>;

const rowsOf = (name: string): Row[] =>
  parse(readFileSync(listFile(`oracle/${name}`)), { columns: true });

/** From this score on two names are taken for those of one. */
export const pairThreshold = 0.7;

const types: Readonly<Record<string, EntryType>> = {
  Person: 'person',
  Company: 'organisation',
  Organization: 'organisation',
  Vessel: 'vessel',
};

export interface PairFigures {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** Pairs that everybody must get right, and that were judged wrongly. */
  readonly strongWrong: readonly string[];
}

/** Judges pairs of names that others have judged before. */
export function judgePairs(): PairFigures {
  let [right, falseAlarms, missed] = [0, 0, 0];
  const strongWrong: string[] = [];
  for (const { schema = '', name1 = '', name2 = '', is_match, quality } of rowsOf(
    'name_bench-cases.csv',
  )) {
    const type = types[schema] ?? 'unknown';
    const [one, other] = [parseName(name1, type), parseName(name2, type)];
    const judged = scoreNames(one, other, type === 'person').score >= pairThreshold;
    const truth = is_match === 'true';
    right += Number(judged && truth);
    falseAlarms += Number(judged && !truth);
    missed += Number(!judged && truth);
    if (quality === 'STRONG' && judged !== truth) strongWrong.push(`${name1} / ${name2}`);
  }
  const [precision, recall] = [right / (right + falseAlarms), right / (right + missed)];
  return { precision, recall, f1: (2 * precision * recall) / (precision + recall), strongWrong };
}

/** The share of names whose score is within five points of the one that OFAC's own search showed. */
export function judgeOfac(): number {
  const shown = rowsOf('ofac_fixtures.csv').filter(({ ofac_score }) => Number(ofac_score) >= 0);
  const near = shown.filter(
    ({ query_name = '', result_name = '', ofac_score }) =>
      Math.abs(ofacScore(query_name, result_name) - Number(ofac_score)) <= 5,
  );
  return near.length / shown.length;
}

/** `1965`, `1960-06-29`; a day that does not exist counts as its month or year. */
function birthOf(text: string): Interval | null {
  const [year, month, day] = text.split('-').map(Number);
  if (year === undefined || year === 0) return null;
  return (
    interval(year, month ?? null, day ?? null) ??
    interval(year, month ?? null, null) ??
    interval(year, null, null)
  );
}

export interface Asked {
  readonly name: string;
  readonly subject: Subject;
}

/** The people of one of the files, as a business would enter them. */
export function people(name: string): Asked[] {
  return rowsOf(name).map(({ full_name = '', date_of_birth = '', nationality = '' }) => {
    const country = countryByName(nationality);
    return {
      name: full_name,
      subject: {
        type: 'person',
        names: [full_name],
        birth: birthOf(date_of_birth),
        countries: country === null ? [] : [country],
        identifiers: [],
      },
    };
  });
}

const squeezed = (name: string): string => name.replaceAll(/\s+/g, ' ').trim();
export const sameName = (one: string, other: string): boolean => squeezed(one) === squeezed(other);
