import { describe, expect, it } from 'vitest';
import { differenceOf } from '../../../src/screening/match/difference.ts';
import {
  defaultThreshold,
  matchEntry,
  prepareSubject,
} from '../../../src/screening/match/score.ts';
import type { Subject } from '../../../src/screening/subject.ts';
import { listsMissing } from '../config.ts';
import { open, readWhole } from '../lists/support.ts';
import { people } from './yardsticks.ts';

const bare = ({ names, type }: Subject): Subject => ({
  type,
  names,
  birth: null,
  countries: [],
  identifiers: [],
});

describe.skipIf(listsMissing !== null)('the list of the United Nations as a difference', () => {
  it('has everybody whom a comparison with each entry finds, and few others', async () => {
    const { entries } = await readWhole('un', { main: open('un/UN_consolidated.xml') });
    const difference = differenceOf(entries, defaultThreshold);
    const missed: string[] = [];
    for (const { name, subject } of people('positives_un_treated.csv').slice(0, 40)) {
      const prepared = prepareSubject(subject);
      const isHit = entries.some((entry) => matchEntry(prepared, entry, defaultThreshold) !== null);
      if (isHit && !difference.mayHit(bare(subject))) missed.push(name);
    }
    expect(missed).toEqual([]);
    const innocents = people('negatives_us.csv').slice(0, 500);
    const suspects = innocents.filter(({ subject }) => difference.mayHit(bare(subject)));
    expect(suspects.length / innocents.length).toBeLessThan(0.05);
  });
});
