import { z } from 'zod';
import { reasonMessage, text } from '../../src/values/fields.ts';
import { id, nextCursor, pageQuery, pathId, timestamp } from './common.ts';
import { schemaEnum } from './schema-enum.ts';

const watchlist = schemaEnum('Watchlist');
const hitStatus = schemaEnum('ScreeningHitStatus');

/** A list with the version that was looked at. */
const screenedList = z
  .object({
    kind: watchlist,
    state: schemaEnum('WatchlistState'),
    sequence: z.int().nullable(),
    sha256: z.string().nullable(),
    listed_on: z.string().nullable(),
  })
  .meta({ id: 'ScreenedList' });

const screenedSubject = z
  .object({
    type: schemaEnum('ScreenedType'),
    names: z.array(z.string()),
    birth: z.string().nullable(),
    countries: z.array(z.string()),
    identifiers: z.array(z.string()),
  })
  .meta({ id: 'ScreenedSubject' });

const result = z
  .object({
    id,
    engine: z.string(),
    lists: z.array(screenedList),
    incomplete: z.boolean(),
    hits: z.int(),
    best_score: z.number().nullable(),
    threshold: z.number(),
    subject: screenedSubject.nullable().meta({
      description: 'Whom the lists were asked for; null once the payee is erased.',
    }),
    screened_at: timestamp,
  })
  .meta({ id: 'ScreeningResult' });

const decision = z
  .object({
    seq: z.int(),
    from_status: hitStatus,
    to_status: hitStatus,
    actor: z.record(z.string(), z.unknown()),
    reason: z.string().nullable(),
    evidence: z.string().nullable(),
    decided_at: timestamp,
  })
  .meta({ id: 'ScreeningDecision' });

const hit = z
  .object({
    id,
    beneficiary_id: z.string(),
    list: watchlist,
    ref: z.string(),
    entry_digest: z.string(),
    score: z.number(),
    ofac: z.int(),
    status: hitStatus,
    found_at: timestamp,
    updated_at: timestamp,
    subject_name: z.string().nullable(),
    listed_name: z.string().nullable(),
    listed_names: z.array(z.string()).nullable(),
    listed_births: z.array(z.string()).nullable(),
    listed_countries: z.array(z.string()).nullable(),
    programmes: z.array(z.string()).nullable(),
    reasons: z
      .array(
        z
          .object({
            of: schemaEnum('ScreeningReasonPart'),
            verdict: schemaEnum('ScreeningReasonVerdict'),
            text: z.string(),
          })
          .meta({ id: 'ScreeningReason' }),
      )
      .nullable(),
    decisions: z.array(decision),
  })
  .meta({ id: 'ScreeningHit' });

/** What decides over payees whose screening found nothing. */
const settings = z
  .object({
    revision: z.int(),
    max_age_days: z.int(),
    incomplete_blocks: z.boolean(),
    lists: z.array(watchlist).nullable(),
    confirmed_at: timestamp.nullable(),
  })
  .meta({ id: 'ScreeningSettings' });

const figures = z
  .object({
    settings: settings.nullable().meta({
      description: 'Null where no list was ever loaded: nothing is screened.',
    }),
    lists: z.array(screenedList),
    open_hits: z.int(),
    oldest_open_at: timestamp.nullable(),
    payees_with_hit: z.int(),
    payees_confirmed: z.int(),
    payees_incomplete: z.int(),
    payees_pending: z.int(),
  })
  .meta({ id: 'ScreeningFigures' });

export const screeningEnvelope = z.object({ screening: figures });
export const hitEnvelope = z.object({ hit });
export const hitList = z.object({ hits: z.array(hit), next_cursor: nextCursor });
export const resultList = z.object({ results: z.array(result), next_cursor: nextCursor });

/** What the screening says of one payee. */
export const payeeScreeningEnvelope = z.object({
  screening: z
    .object({
      standing: schemaEnum('ScreeningStanding')
        .nullable()
        .meta({ description: 'What lists say of the payee; null where nothing is screened.' }),
      screened_at: timestamp.nullable().meta({ description: 'When it was screened last.' }),
      result: result.nullable().meta({ description: 'The latest result.' }),
      hits: z.array(hit).meta({ description: 'The latest 25 hits, newest first.' }),
    })
    .meta({ id: 'BeneficiaryScreening' }),
});

export const hitParams = z.strictObject({ hitId: pathId('hit') });
export const resultListQuery = z.strictObject(pageQuery);
export const hitListQuery = z.strictObject({
  ...pageQuery,
  status: hitStatus.optional().meta({ description: 'With this status.' }),
  beneficiary_id: z.string().optional().meta({ description: 'Of this payee.' }),
  list: watchlist.optional().meta({ description: 'Of this list.' }),
});

export const hitDecisionBody = z
  .strictObject({
    verdict: schemaEnum('ScreeningVerdict').meta({
      description: 'cleared: it is somebody else; confirmed: it is the one on the list.',
    }),
    reason: reasonMessage.meta({ description: 'Why, up to 1,000 characters.' }),
    evidence: text(1_000)
      .nullish()
      .meta({ description: 'What shows it: a document, a place where it lies.' }),
  })
  .meta({ id: 'ScreeningHitDecision' });
