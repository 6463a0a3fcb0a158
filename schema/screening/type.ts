import type { ScreeningResult as StoredResult } from '../../generated/prisma/client.ts';
import { readDecisionsOf } from '../../src/domain/screening/decisions.ts';
import { readLatestResults, readHitsOf, mostHitsShown } from '../../src/domain/screening/read.ts';
import type { ScreeningStanding } from '../../src/domain/screening/result-store.ts';
import { unseal, type Explained } from '../../src/domain/screening/sealed.ts';
import type { ListState } from '../../src/domain/screening/standing.ts';
import type { Interval } from '../../src/screening/lists/dates.ts';
import { entryTypes, type EntryType, type ListKind } from '../../src/screening/lists/entry.ts';
import type { Reason, Subject } from '../../src/screening/subject.ts';
import { bool, float, id, int, json, stored, text, texts, time } from '../../src/values/columns.ts';
import { Author, authorOf } from '../access/author.ts';
import { Beneficiary } from '../beneficiary/type.ts';
import { builder } from '../builder.ts';
import { describedEnum } from '../common/described-enum.ts';
import { shown } from '../common/fields.ts';
import { loadBy } from '../lists/loader.ts';

export const WatchlistEnum = describedEnum<ListKind>('Watchlist', 'A list of sanctions.', {
  ofac_sdn: 'OFAC of the United States: Specially Designated Nationals.',
  ofac_consolidated: 'OFAC of the United States: the consolidated list of the others.',
  eu: 'The financial sanctions of the European Union.',
  un: 'The Security Council of the United Nations.',
  uk: 'The United Kingdom.',
  own: 'The list of the platform itself.',
});

const ListStateEnum = describedEnum<ListState>(
  'WatchlistState',
  'Whether a list can be relied on.',
  {
    current: 'The newest version is in use.',
    stale: 'The version in use is old, by its own date.',
    failed: 'The latest load was refused or did not end.',
    never: 'It was never loaded.',
  },
);

const StandingEnum = describedEnum<ScreeningStanding>(
  'ScreeningStanding',
  'What the screening says of a payee. All but clear keep it from being paid.',
  {
    pending: 'It is being screened, for the first time or since it was changed.',
    clear: 'No list has it, or each hit was cleared.',
    incomplete:
      'A list that is demanded was not current, which the business wants to hold payouts.',
    hit: 'It may be on a list, and nobody has decided.',
    confirmed: 'It is on a list, as a person has confirmed.',
  },
);

export type HitStatus = 'open' | 'cleared' | 'confirmed' | 'gone';

export const HitStatusEnum = describedEnum<HitStatus>(
  'ScreeningHitStatus',
  'What became of a hit.',
  {
    open: 'Nobody has decided.',
    cleared: 'It is somebody else.',
    confirmed: 'It is the one on the list.',
    gone: 'A later result has it no more, and nobody had decided.',
  },
);

const ReasonVerdictEnum = describedEnum<Reason['verdict']>(
  'ScreeningReasonVerdict',
  'Whether a part of a payee and of an entry agrees.',
  { agrees: 'Both have it.', differs: 'They differ.', unknown: 'One of them does not say.' },
);

const ReasonPartEnum = describedEnum<Reason['of']>('ScreeningReasonPart', 'What is compared.', {
  name: 'Words of the names.',
  birth: 'Birth dates.',
  country: 'Countries.',
  identifier: 'Numbers of documents, registers and taxes.',
  type: 'Person or organisation.',
  alias: 'How well the list itself knows the name.',
});

const ScreeningReason = builder.objectRef<Reason>('ScreeningReason').implement({
  description: 'One statement of why an entry is a hit.',
  fields: (t) =>
    shown(t, {
      of: stored(ReasonPartEnum, 'What is compared.'),
      verdict: stored(ReasonVerdictEnum, 'Whether it agrees.'),
      text: text('In words for whoever decides.'),
    }),
});

const day = ({ from, to, about }: Interval): string =>
  `${about ? 'about ' : ''}${from === to ? from : `${from} to ${to}`}`;

const EntryTypeEnum = describedEnum<EntryType>(
  'ScreenedType',
  'What is compared as what.',
  Object.fromEntries(entryTypes.map((type) => [type, `Read as ${type}.`])) as Record<
    EntryType,
    string
  >,
);

const ScreenedSubject = builder.objectRef<Subject>('ScreenedSubject').implement({
  description: 'A payee as the lists were asked for it.',
  fields: (t) =>
    shown(t, {
      type: stored(EntryTypeEnum, 'A person or an organisation.'),
      names: texts('Its names.'),
      birth: t.string({
        nullable: true,
        description: 'The birth date.',
        resolve: ({ birth }) => (birth === null ? null : day(birth)),
      }),
      countries: texts('Of residence, incorporation and address, ISO 3166-1 alpha-2.'),
      identifiers: texts('Numbers of registers and taxes.'),
    }),
});

/** Of a list on which a result looked, as result-store.ts keeps it. */
interface KeptList {
  readonly kind: ListKind;
  readonly state: ListState;
  readonly sequence: number | null;
  readonly sha256: string | null;
  readonly listedOn: string | null;
}

export const ScreenedList = builder.objectRef<KeptList>('ScreenedList').implement({
  description: 'A list with the version in use.',
  fields: (t) =>
    shown(t, {
      kind: stored(WatchlistEnum, 'Whose list.'),
      state: stored(ListStateEnum, 'Whether it could be relied on.'),
      sequence: int.orNull('Number of the version; null where there was none.'),
      sha256: text.orNull('SHA-256 of its files.'),
      listedOn: text.orNull('The day that the list states of itself, YYYY-MM-DD.'),
    }),
});

export const ScreeningResult = builder.objectRef<StoredResult>('ScreeningResult').implement({
  description:
    'One look at a payee. It stays as it was, without the subject once the payee is erased.',
  fields: (t) =>
    shown(t, {
      id: id('Id of the result.'),
      engine: text('Which engine answered.'),
      lists: t.field({
        type: [ScreenedList],
        description: 'The lists that were demanded, with their versions.',
        // JSON, as result-store.ts writes it.
        resolve: ({ lists }) => lists as unknown as KeptList[],
      }),
      incomplete: bool(
        'Whether one of them could not be relied on: no hit does not mean that there is none.',
      ),
      hits: int('How many entries it found.'),
      bestScore: float.orNull('The score of the best one, from 0 to 1.'),
      threshold: float('From which score on an entry was a hit.'),
      subject: t.field({
        type: ScreenedSubject,
        nullable: true,
        description: 'Whom the lists were asked for; null once the payee is erased.',
        resolve: ({ id: row, subjectCiphertext }, _args, { call }) =>
          unseal(call, row, 'subject', subjectCiphertext),
      }),
      screenedAt: time('When.'),
    }),
});

const decisionsOf = loadBy(readDecisionsOf, (hit) => hit);

const ScreeningDecision = builder.prismaObject('ScreeningDecision', {
  description: 'What a person decided on a hit.',
  fields: (t) =>
    shown(t, {
      seq: int('Number of the decision, from 1.'),
      fromStatus: stored(HitStatusEnum, 'What the hit was.'),
      toStatus: stored(HitStatusEnum, 'What it was found to be.'),
      author: t.field({
        type: Author,
        nullable: true,
        description: 'Who decided, with the names of today.',
        resolve: ({ actor }) => authorOf(actor),
      }),
      actor: json('Who decided, as it was recorded then.'),
      reason: text.orNull('Why; null once the payee is erased.'),
      evidence: text.orNull('What shows it; null once the payee is erased.'),
      decidedAt: time('When.'),
    }),
});

export const ScreeningHit = builder.prismaObject('ScreeningHit', {
  description: 'A payee as it was beside an entry of a list as it was, which may be the same.',
  fields: (t) => {
    const explained =
      <T>(pick: (of: Explained) => T) =>
      (
        row: {
          readonly id: string;
          readonly explainedCiphertext: Uint8Array | null;
        },
        _args: object,
        { call }: { readonly call: Parameters<typeof unseal>[0] },
      ): T | null => {
        const found = unseal(call, row.id, 'explained', row.explainedCiphertext);
        return found === null ? null : pick(found);
      };
    return shown(t, {
      id: id('Id of the hit.'),
      beneficiaryId: id('The payee.'),
      beneficiary: t.field({
        type: Beneficiary,
        nullable: true,
        description: 'The payee as it is.',
        complexity: 5,
        resolve: ({ beneficiaryId }, _args, { prisma }) =>
          prisma.beneficiary.findFirst({ where: { id: beneficiaryId } }),
      }),
      list: t.field({
        type: WatchlistEnum,
        description: 'Whose list.',
        resolve: ({ kind }) => kind as ListKind,
      }),
      ref: text("The publisher's own id of the entry."),
      entryDigest: text('SHA-256 of the entry as it was.'),
      score: float('How well they agree, from 0 to 1.'),
      ofac: int("What OFAC's own search would show for the name, from 0 to 100."),
      status: stored(HitStatusEnum, 'What became of it.'),
      foundAt: time('When it was found first.'),
      updatedAt: time('When its status changed, or a result had it again.'),
      subjectName: t.string({
        nullable: true,
        description: 'The name of the payee that agrees; null once it is erased.',
        resolve: explained(({ subjectName }) => subjectName),
      }),
      listedName: t.string({
        nullable: true,
        description: 'The name of the entry that agrees.',
        resolve: explained(({ listedName }) => listedName),
      }),
      listedNames: t.stringList({
        nullable: true,
        description: 'All names of the entry.',
        resolve: explained(({ listedNames }) => listedNames.map(({ text: name }) => name)),
      }),
      listedBirths: t.stringList({
        nullable: true,
        description: 'Its birth dates, as far as the list knows them.',
        resolve: explained(({ listedBirths }) => listedBirths.map(day)),
      }),
      listedCountries: t.stringList({
        nullable: true,
        description: 'Its countries, ISO 3166-1 alpha-2.',
        resolve: explained(({ listedCountries }) => [...new Set(listedCountries)]),
      }),
      programmes: t.stringList({
        nullable: true,
        description: 'Under which programmes it is listed, or why on the list of the platform.',
        resolve: explained(({ programmes }) => [...programmes]),
      }),
      reasons: t.field({
        type: [ScreeningReason],
        nullable: true,
        description: 'Why it is a hit, part by part.',
        resolve: explained(({ reasons }) => [...reasons]),
      }),
      decisions: t.field({
        type: [ScreeningDecision],
        description: 'What was decided, the oldest first.',
        complexity: 10,
        resolve: ({ id: hit }, _args, context) => decisionsOf(context, hit),
      }),
    });
  },
});

const latestOf = loadBy(readLatestResults, (payee) => payee);
const hitsOf = loadBy(readHitsOf, (payee) => payee);

builder.prismaObjectFields(Beneficiary, (t) =>
  shown(t, {
    screening: stored.orNull(
      StandingEnum,
      'What lists of sanctions say of the payee; null where nothing is screened.',
    ),
    screenedAt: time.orNull('When it was screened last.'),
    screeningResult: t.field({
      type: ScreeningResult,
      nullable: true,
      description: 'The latest result.',
      complexity: 5,
      resolve: ({ id: payee }, _args, context) => latestOf(context, payee),
    }),
    screeningHits: t.field({
      type: [ScreeningHit],
      description: `The latest ${mostHitsShown} hits, the newest first.`,
      complexity: { field: 5, multiplier: mostHitsShown },
      resolve: ({ id: payee }, _args, context) => hitsOf(context, payee),
    }),
  }),
);
