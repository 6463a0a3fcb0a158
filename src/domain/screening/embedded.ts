import type { Pool } from 'pg';
import { keysOf, numberKey } from '../../screening/match/keys.ts';
import {
  matchEntry,
  mostAdded,
  prepareSubject,
  scoreName,
  type PreparedSubject,
} from '../../screening/match/score.ts';
import { findCandidates, findEntries, type Candidate } from './candidates-store.ts';
import type { Hit, Screening, ScreeningEngine, ScreeningOrder } from './port.ts';
import { readStandings } from './standing.ts';
import { versionsInUse } from './versions-store.ts';

/** The keys of all names and numbers of a subject. */
function keysOfSubject({ names, subject }: PreparedSubject): Map<string, number> {
  const keys = new Map<string, number>();
  for (const name of names) for (const [key, weight] of keysOf(name)) keys.set(key, weight);
  for (const number of subject.identifiers) {
    const key = numberKey(number);
    // A number that both have outweighs all that names share.
    if (key !== null) keys.set(key, 100);
  }
  return keys;
}

/** The entries whose name alone may reach the threshold, with what else can be added. */
function worthAsking(
  prepared: PreparedSubject,
  candidates: readonly Candidate[],
  threshold: number,
): string[] {
  const worth = new Set<string>();
  for (const { entryId, type, name, weak, byNumber } of candidates) {
    if (worth.has(entryId)) continue;
    const listed = { text: name, role: 'alias' as const, weak };
    if (byNumber || scoreName(prepared, listed, type) + mostAdded >= threshold) worth.add(entryId);
  }
  return [...worth];
}

async function hitsOf(pool: Pool, { subject, kinds, threshold }: ScreeningOrder): Promise<Hit[]> {
  const prepared = prepareSubject(subject);
  const candidates = await findCandidates(pool, keysOfSubject(prepared), kinds);
  const ids = worthAsking(prepared, candidates, threshold);
  if (ids.length === 0) return [];
  const entries = await findEntries(pool, ids);
  return entries
    .flatMap(({ kind, digest, content }) => {
      const match = matchEntry(prepared, content, threshold);
      return match === null ? [] : [{ ...match, kind, digest }];
    })
    .toSorted((one, other) => other.score - one.score);
}

/**
 * Screens with the lists in this database: it finds candidates by words and trigrams and scores them in the process.
 *
 * @param staleDays after how many days a list is stale, by its own date
 */
export function embeddedEngine(pool: Pool, staleDays: number): ScreeningEngine {
  return {
    name: 'embedded',
    knowsDifferences: true,
    versions: () => versionsInUse(pool),
    standings: (kinds) => readStandings(pool, kinds, staleDays),
    async screen(order: ScreeningOrder): Promise<Screening> {
      const [lists, hits] = await Promise.all([
        readStandings(pool, order.kinds, staleDays),
        hitsOf(pool, order),
      ]);
      return {
        engine: 'embedded',
        lists,
        incomplete: lists.some(({ state }) => state !== 'current'),
        answered: lists.flatMap(({ kind, sequence }) => (sequence === null ? [] : [kind])),
        hits,
      };
    },
  };
}
