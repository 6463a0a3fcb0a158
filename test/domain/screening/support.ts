import type { Services } from '../../../src/process/services.ts';
import { loadList, type Load, type Loaded } from '../../../src/domain/screening/load.ts';
import { pieces } from '../../screening/lists/support.ts';

const heading = 'id,type,name,aliases,birth_dates,countries,identifiers,reason';

/** A list of one's own with some entries. */
export const ownList = (...rows: readonly string[]): string => [heading, ...rows].join('\n');

/** People without any letter in common with others of the list. */
export const manyPeople = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `P-${at},person,Given${at} Family${at},,,,,`);

/** Loads a list of one's own. */
export function loadOwn(
  services: Services,
  text: string,
  given: Partial<Omit<Load, 'kind' | 'files'>> = {},
): Promise<Loaded> {
  return loadList(services, {
    kind: 'own',
    files: { main: pieces(text) },
    givenDate: '2026-08-21',
    loadedBy: 'test',
    acceptedBecause: null,
    ...given,
  });
}
