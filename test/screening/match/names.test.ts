import { describe, expect, it } from 'vitest';
import type { EntryType } from '../../../src/screening/lists/entry.ts';
import { scoreNames } from '../../../src/screening/match/name-score.ts';
import { ofacScore } from '../../../src/screening/match/ofac-score.ts';
import { parseName } from '../../../src/screening/names/parse.ts';
import { listsMissing } from '../config.ts';
import { judgeOfac, judgePairs, pairThreshold } from './yardsticks.ts';

describe.skipIf(listsMissing !== null)('names that others have judged', () => {
  it('are judged as they were: F1 over 0.78 at a recall over 0.85, and all strong pairs', () => {
    const { f1, recall, strongWrong } = judgePairs();
    expect(strongWrong).toEqual([]);
    expect(recall).toBeGreaterThanOrEqual(0.85);
    expect(f1).toBeGreaterThanOrEqual(0.78);
  });

  it("have nearly the score that OFAC's own search shows: 95 of 100 within five points", () => {
    expect(judgeOfac()).toBeGreaterThanOrEqual(0.95);
  });
});

const score = (one: string, other: string, type: EntryType): number =>
  scoreNames(parseName(one, type), parseName(other, type), type === 'person').score;

describe('two names are the same', () => {
  it.each([
    ['person', 'Wladimir Putin', 'Владимир Путин'],
    ['person', 'PETROV, Ivan', 'Ivan Petrov'],
    ['person', 'Mohamed Aly', 'محمد علي'],
    ['person', 'Xi Jinping', '习近平'],
    ['person', 'A. B. Smith', 'Anna Barbara Smith'],
    ['person', 'Abdel Rahman Nasser', 'Abdelrahman Nasser'],
    ['person', 'Dr. Maria Gomez', 'Maria Gómez'],
    ['organisation', 'Gazprom OAO', 'Open Joint Stock Company Gazprom'],
    ['organisation', 'Vander Bilt Corp', 'vanderbilt corporation'],
    ['organisation', 'First Trading Group', '1st Trading Group'],
    ['organisation', 'Müller & Söhne GmbH', 'Mueller and Soehne GmbH'],
  ] as const)('%s: %s and %s', (type, one, other) => {
    expect(score(one, other, type)).toBeGreaterThanOrEqual(pairThreshold);
  });
});

describe('two names are not the same', () => {
  it.each([
    ['person', 'Jan Tomas', 'Jan Wolf'],
    ['person', 'Ivan Petrov', 'Ivan Sidorov'],
    ['person', 'Anna Smith', 'Barbara Smith'],
    ['organisation', 'Fund 2024', 'Fund 2025'],
    ['organisation', 'Alpha Trading Ltd', 'Omega Trading Ltd'],
    ['organisation', 'Trading Company', 'Northern Light Trading Company'],
  ] as const)('%s: %s and %s', (type, one, other) => {
    expect(score(one, other, type)).toBeLessThan(pairThreshold);
  });

  it('never because the end of a word looks like a legal form', () => {
    expect(parseName('Jan Tomas', 'organisation').parts.map(({ text }) => text)).toEqual([
      'jan',
      'tomas',
    ]);
    expect(score('Acme s.r.o.', 'Acme a.s.', 'organisation')).toBeLessThan(
      score('Acme s.r.o.', 'Acme spol. s r.o.', 'organisation'),
    );
  });
});

it('shows what OFAC would: the order of the whole name matters, that of its words does not', () => {
  expect(ofacScore('VLADIMIR PUTIN', 'PUTIN, Vladimir')).toBe(100);
  expect(ofacScore("O'BRIEN", 'OBRIEN')).toBe(100);
  expect(ofacScore('', 'PUTIN, Vladimir')).toBe(0);
});
