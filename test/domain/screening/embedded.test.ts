import { beforeAll, describe, expect, it } from 'vitest';
import { embeddedEngine } from '../../../src/domain/screening/embedded.ts';
import { loadList } from '../../../src/domain/screening/load.ts';
import type { Screening } from '../../../src/domain/screening/port.ts';
import { defaultThreshold } from '../../../src/screening/match/score.ts';
import type { Subject } from '../../../src/screening/subject.ts';
import { listsMissing } from '../../screening/config.ts';
import { open } from '../../screening/lists/support.ts';
import { people, sameName, type Asked } from '../../screening/match/yardsticks.ts';
import { useCalls } from '../../support/calls.ts';
import { longTestMs } from '../../support/patience.ts';
import { loadOwn, ownList } from './support.ts';

const parts = useCalls();

const ask = (subject: Partial<Subject>, kinds: ('own' | 'un')[] = ['own']): Promise<Screening> =>
  embeddedEngine(parts.services.pool, 36_500).screen({
    subject: {
      type: 'person',
      names: [],
      birth: null,
      countries: [],
      identifiers: [],
      ...subject,
    },
    kinds,
    threshold: defaultThreshold,
  });

const hitsOf = ({ hits }: Screening) => hits.map(({ entry, listedName }) => [entry.id, listedName]);

describe("a list of one's own", () => {
  beforeAll(async () => {
    await loadOwn(
      parts.services,
      ownList(
        'B-1,person,Erika Mustermann,Erika Gabler,1964-08-12,DE,T22000129,Fraud',
        'B-2,business,"Schrott, Müll & Söhne GmbH",,,DE,HRB 47110815,Chargebacks',
        'B-3,person,Владимир Сорокин,,1955,RU,,Fraud',
        'B-4,person,Mohammed Hassan,,1970-01-01,EG,,Fraud',
      ),
    );
  });

  it.each([
    ['as it stands', { names: ['Erika Mustermann'] }, 'B-1'],
    ['its alias', { names: ['Erika Gabler'] }, 'B-1'],
    ['with errors', { names: ['Erica Musterman'] }, 'B-1'],
    ['in another order', { names: ['MUSTERMANN, Erika'] }, 'B-1'],
    ['in another script', { names: ['Vladimir Sorokin'] }, 'B-3'],
    ['in another spelling', { names: ['Muhamad Hasan'] }, 'B-4'],
    ['by another of its names', { names: ['Anna Smith', 'Erika Gabler'] }, 'B-1'],
    ['by a number alone', { names: ['Someone Else'], identifiers: ['T-2200 0129'] }, 'B-1'],
    [
      'of a company',
      { type: 'organisation' as const, names: ['Schrott Muell und Soehne mbH & Co. KG'] },
      'B-2',
    ],
  ])('is found %s', async (_what, subject, id) => {
    const answer = await ask(subject);
    expect(answer.hits.map(({ entry }) => entry.id)).toEqual([id]);
  });

  it.each([
    ['another person', { names: ['Erika Schneider'] }],
    ['another given name', { names: ['Thomas Mustermann'] }],
    ['nobody', { names: [] }],
    [
      'the same name with another birth date and country',
      {
        names: ['Mohamed Hasan'],
        birth: { from: '1999-05-05', to: '1999-05-05', about: false },
        countries: ['ID'],
      },
    ],
  ])('does not have %s', async (_what, subject) => {
    expect(hitsOf(await ask(subject))).toEqual([]);
  });

  it('says why, part by part, and what OFAC would show', async () => {
    const { hits, engine } = await ask({
      names: ['Erica Mustermann'],
      birth: { from: '1964-08-12', to: '1964-08-12', about: false },
      countries: ['AT'],
    });
    expect(engine).toBe('embedded');
    expect(hits[0]).toMatchObject({ kind: 'own', listedName: 'Erika Mustermann', ofac: 97 });
    expect(hits[0]?.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(hits[0]?.reasons).toEqual([
      { of: 'name', verdict: 'agrees', text: '"mustermann" is the same.' },
      { of: 'name', verdict: 'agrees', text: '"erica" and "erika": sounds the same.' },
      { of: 'birth', verdict: 'agrees', text: 'Birth dates agree: 1964-08-12 and 1964-08-12.' },
      { of: 'country', verdict: 'differs', text: 'Countries differ: AT and DE.' },
    ]);
  });

  it('is incomplete where a list that was asked for is not there', async () => {
    const answer = await ask({ names: ['Nobody Known'] }, ['own', 'un']);
    expect(answer.incomplete).toBe(true);
    expect(answer.lists.map(({ kind, state }) => [kind, state])).toEqual([
      ['own', 'current'],
      ['un', 'never'],
    ]);
    expect((await ask({ names: ['Nobody Known'] })).incomplete).toBe(false);
  });
});

describe.skipIf(listsMissing !== null)('the list of the United Nations', () => {
  beforeAll(async () => {
    await loadList(parts.services, {
      kind: 'un',
      files: { main: open('un/UN_consolidated.xml') },
      givenDate: null,
      loadedBy: 'test',
      acceptedBecause: null,
    });
  });

  /** The share of people who are found as the one that they are. */
  async function recall(asked: readonly Asked[], truth: readonly Asked[]): Promise<number> {
    let found = 0;
    for (const [at, { subject }] of asked.entries()) {
      const { hits } = await ask(subject, ['un']);
      const name = truth[at]?.name ?? '';
      const isFound = hits.some(({ entry }) =>
        entry.names.some(({ text }) => sameName(text, name)),
      );
      found += Number(isFound);
    }
    return found / asked.length;
  }

  it(
    'finds 97 of 100 names as they are typed and 90 of 100 with errors, with 5 alerts for 1,000 innocents',
    { timeout: longTestMs },
    async () => {
      const typed = people('positives_un_untreated.csv');
      expect(await recall(typed, typed)).toBeGreaterThanOrEqual(0.97);
      expect(await recall(people('positives_un_treated.csv'), typed)).toBeGreaterThanOrEqual(0.9);
      const innocents = people('negatives_us.csv');
      let alerts = 0;
      for (const { subject } of innocents) {
        alerts += Number((await ask(subject, ['un'])).hits.length > 0);
      }
      expect((1_000 * alerts) / innocents.length).toBeLessThanOrEqual(5);
    },
  );
});
