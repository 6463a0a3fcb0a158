import { z } from 'zod';
import { fromIso } from '../../../screening/lists/dates.ts';
import {
  distinct,
  distinctNames,
  type EntryType,
  type ListEntry,
  type ListKind,
} from '../../../screening/lists/entry.ts';
import type { Dialect, Found, RemoteList } from './remote.ts';

/*
 * moov-io/watchman, its API of version 2: https://github.com/moov-io/watchman.
 */

const kinds: Readonly<Record<string, ListKind>> = {
  us_ofac: 'ofac_sdn',
  us_non_sdn: 'ofac_consolidated',
  eu_csl: 'eu',
  un_csl: 'un',
  uk_csl: 'uk',
};

const types: Readonly<Record<string, EntryType>> = {
  person: 'person',
  business: 'organisation',
  organization: 'organisation',
  vessel: 'vessel',
  aircraft: 'aircraft',
};

const info = z.object({
  lists: z.record(z.string(), z.number()),
  listHashes: z.record(z.string(), z.string()).nullish(),
  endedAt: z.string(),
});

const party = z
  .object({
    altNames: z.array(z.string()).nullish(),
    birthDate: z.string().nullish(),
    governmentIDs: z
      .array(z.object({ type: z.string(), country: z.string().nullish(), identifier: z.string() }))
      .nullish(),
  })
  .nullish();

const answer = z.object({
  entities: z
    .array(
      z.object({
        name: z.string(),
        entityType: z.string(),
        sourceList: z.string(),
        sourceID: z.string(),
        match: z.number(),
        person: party,
        business: party,
        organization: party,
        addresses: z.array(z.object({ country: z.string().nullish() })).nullish(),
        sanctionsInfo: z.object({ programs: z.array(z.string()).nullish() }).nullish(),
      }),
    )
    .nullish(),
});

type Entity = NonNullable<z.infer<typeof answer>['entities']>[number];

function entryOf(entity: Entity): ListEntry {
  const known = entity.person ?? entity.business ?? entity.organization;
  return {
    id: entity.sourceID,
    type: types[entity.entityType] ?? 'unknown',
    names: distinctNames([
      { text: entity.name, role: 'primary', weak: false },
      ...(known?.altNames ?? []).map((text) => ({ text, role: 'alias' as const, weak: false })),
    ]),
    births: known?.birthDate ? [fromIso(known.birthDate)].flatMap((one) => one ?? []) : [],
    nationalities: [],
    places: distinct((entity.addresses ?? []).map(({ country }) => country?.toUpperCase())),
    identifiers: (known?.governmentIDs ?? []).map(({ type, country, identifier }) => ({
      class: 'other',
      label: type,
      number: identifier,
      country: country ?? null,
    })),
    programmes: entity.sanctionsInfo?.programs ?? [],
  };
}

export const watchman: Dialect = {
  name: 'watchman',
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  lists: { method: 'GET', path: '/v2/listinfo' },
  readLists(given): RemoteList[] {
    const { lists, listHashes, endedAt } = info.parse(given);
    return Object.entries(lists).flatMap(([name, entries]) => {
      const kind = kinds[name];
      // A list of nothing is one that was not read.
      if (kind === undefined || entries === 0) return [];
      const listedOn = endedAt.slice(0, 10);
      return { kind, version: listHashes?.[name] ?? endedAt, listedOn, entries, outdated: false };
    });
  },
  search({ type, names, birth }, threshold) {
    const [name = '', ...others] = names;
    const asked = new URLSearchParams({
      name,
      type: type === 'person' ? 'person' : 'business',
      minMatch: threshold.toFixed(2),
      limit: '50',
    });
    for (const other of others) asked.append('altNames', other);
    if (birth !== null && birth.from === birth.to) asked.set('birthDate', birth.from);
    return { method: 'GET', path: `/v2/search?${asked.toString()}` };
  },
  readFound(given): Found[] {
    return (answer.parse(given).entities ?? []).flatMap((entity) => {
      const kind = kinds[entity.sourceList];
      return kind === undefined ? [] : { kind, entry: entryOf(entity), score: entity.match };
    });
  },
};
