import { z } from 'zod';
import { fromIso, interval } from '../../../screening/lists/dates.ts';
import {
  distinct,
  distinctNames,
  type EntryType,
  type ListEntry,
  type ListKind,
} from '../../../screening/lists/entry.ts';
import type { Dialect, Found, RemoteList } from './remote.ts';

/*
 * OpenSanctions' yente: https://www.opensanctions.org/docs/yente/. Its data has a licence of its own.
 */

/** What yente calls the lists. A scope without one of them does not have it. */
const kinds: Readonly<Record<string, ListKind>> = {
  us_ofac_sdn: 'ofac_sdn',
  us_ofac_cons: 'ofac_consolidated',
  eu_fsf: 'eu',
  un_sc_sanctions: 'un',
  gb_fcdo_sanctions: 'uk',
};

const types: Readonly<Record<string, EntryType>> = {
  Person: 'person',
  Company: 'organisation',
  Organization: 'organisation',
  PublicBody: 'organisation',
  LegalEntity: 'unknown',
  Vessel: 'vessel',
  Airplane: 'aircraft',
};

const catalog = z.object({
  datasets: z.array(
    z.object({
      name: z.string(),
      version: z.string().nullish(),
      index_version: z.string().nullish(),
      index_current: z.boolean().nullish(),
    }),
  ),
});

const answer = z.object({
  responses: z.object({
    payee: z.object({
      results: z.array(
        z.object({
          id: z.string(),
          schema: z.string(),
          datasets: z.array(z.string()),
          score: z.number(),
          properties: z.record(z.string(), z.array(z.unknown())),
        }),
      ),
    }),
  }),
});

type Result = z.infer<typeof answer>['responses']['payee']['results'][number];

/** `20260821093301-abc` names the time of the export. */
const dayOf = (version: string): string =>
  /^(\d{4})(\d{2})(\d{2})/.exec(version)?.slice(1).join('-') ?? '1970-01-01';

function birthOf(text: string) {
  const [, year = '', month, day] = /^(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?/.exec(text) ?? [];
  if (day !== undefined) return fromIso(text);
  return interval(Number(year), month === undefined ? null : Number(month), null);
}

function entryOf({ id, schema, properties }: Result): ListEntry {
  const texts = (name: string): string[] =>
    (properties[name] ?? []).filter((value): value is string => typeof value === 'string');
  const names = (name: string, role: 'primary' | 'alias' | 'former', weak = false) =>
    texts(name).map((text) => ({ text, role, weak }));
  const countries = (name: string) => texts(name).map((code) => code.slice(0, 2).toUpperCase());
  return {
    id,
    type: types[schema] ?? 'unknown',
    names: distinctNames([
      ...names('name', 'primary'),
      ...names('alias', 'alias'),
      ...names('previousName', 'former'),
      ...names('weakAlias', 'alias', true),
    ]),
    births: texts('birthDate').flatMap((text) => birthOf(text) ?? []),
    nationalities: distinct([...countries('nationality'), ...countries('citizenship')]),
    places: distinct([...countries('country'), ...countries('jurisdiction')]),
    identifiers: ['passportNumber', 'idNumber', 'registrationNumber', 'taxNumber'].flatMap((kind) =>
      texts(kind).map((number) => ({
        class: 'other' as const,
        label: kind,
        number,
        country: null,
      })),
    ),
    programmes: texts('program'),
  };
}

export const yente: Dialect = {
  name: 'yente',
  headers: (key) => ({ authorization: `ApiKey ${key}` }),
  lists: { method: 'GET', path: '/catalog' },
  readLists(given): RemoteList[] {
    return catalog
      .parse(given)
      .datasets.flatMap(({ name, version, index_version, index_current }) => {
        const kind = kinds[name];
        const loaded = index_version ?? version ?? null;
        if (kind === undefined || loaded === null) return [];
        return {
          kind,
          version: loaded,
          listedOn: dayOf(loaded),
          entries: null,
          outdated: index_current === false,
        };
      });
  },
  search: ({ type, names, birth, countries, identifiers }, threshold) => ({
    method: 'POST',
    path: `/match/sanctions?limit=50&threshold=${threshold}&cutoff=${threshold}`,
    body: {
      queries: {
        payee: {
          schema: type === 'person' ? 'Person' : 'Organization',
          properties: {
            name: names,
            ...(birth !== null && birth.from === birth.to && { birthDate: [birth.from] }),
            ...(countries.length > 0 && { country: countries.map((code) => code.toLowerCase()) }),
            ...(identifiers.length > 0 && {
              [type === 'person' ? 'idNumber' : 'registrationNumber']: identifiers,
            }),
          },
        },
      },
    },
  }),
  readFound(given): Found[] {
    return answer.parse(given).responses.payee.results.flatMap((result) => {
      const entry = entryOf(result);
      const found = distinct(result.datasets.map((name) => kinds[name]));
      return found.map((kind) => ({ kind, entry, score: result.score }));
    });
  },
};
