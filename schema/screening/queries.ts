import { z } from 'zod';
import { requirePermission } from '../../src/access/scope.ts';
import { newestFirst } from '../../src/domain/page-range.ts';
import { readFigures, type ScreeningFigures } from '../../src/domain/screening/read.ts';
import type { ScreeningPolicy } from '../../src/domain/screening/policy-store.ts';
import type { ScreeningStanding } from '../../src/domain/screening/result-store.ts';
import { listKinds } from '../../src/screening/lists/entry.ts';
import { bool, int, listOf, time } from '../../src/values/columns.ts';
import { text as textInput } from '../../src/values/fields.ts';
import { parseInput } from '../../src/values/validate.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { connectionOf } from '../lists/connections.ts';
import { resolvePage } from '../lists/connection.ts';
import { pageArgs, pageCost } from '../lists/page-args.ts';
import { HitStatusEnum, ScreenedList, ScreeningHit, WatchlistEnum } from './type.ts';

const ScreeningHitConnection = connectionOf(
  ScreeningHit,
  'ScreeningHitConnection',
  'A page of hits of the screening, newest first.',
);

const ScreeningHitFilter = builder.inputType('ScreeningHitFilter', {
  description: 'Conditions; all of them must hold.',
  fields: (t) => ({
    status: t.field({ type: HitStatusEnum, description: 'With this status.' }),
    beneficiaryId: t.id({ description: 'Of this payee.' }),
    list: t.field({ type: WatchlistEnum, description: 'Of this list.' }),
  }),
});

const conditions = z.strictObject({
  status: z.enum(['open', 'cleared', 'confirmed', 'gone']).nullish(),
  beneficiaryId: textInput().nullish(),
  list: z.enum(listKinds).nullish(),
});

export const ScreeningSettings = builder.objectRef<ScreeningPolicy>('ScreeningSettings').implement({
  description: "How payees are screened in the caller's environment.",
  fields: (t) =>
    shown(t, {
      revision: int('Counts the changes. A change names the revision that it has seen.'),
      maxAgeDays: int(
        'After how many days without a look at the lists in use a result holds payouts.',
      ),
      incompleteBlocks: bool('Whether a result in which a list is not current holds payouts.'),
      lists: t.field({
        type: [WatchlistEnum],
        nullable: true,
        description: 'The lists that are demanded; null for each that was ever loaded.',
        resolve: ({ kinds }) => (kinds === null ? null : [...kinds]),
      }),
      confirmedAt: time.orNull(
        'When all payees were last known to be screened against the lists in use.',
      ),
    }),
});

const Figures = builder.objectRef<ScreeningFigures>('ScreeningFigures').implement({
  description: 'How the screening stands, up to 10,000 of each.',
  fields: (t) => {
    const payees = (standing: ScreeningStanding, description: string) =>
      t.int({ description, resolve: ({ payees: counted }) => counted[standing] ?? 0 });
    return shown(t, {
      settings: t.field({
        type: ScreeningSettings,
        nullable: true,
        description: 'Null where no list was ever loaded: nothing is screened.',
        resolve: ({ policy }) => policy,
      }),
      lists: listOf(ScreenedList, 'The lists that are demanded, as they stand now.'),
      openHits: int('Hits on which nobody has decided.'),
      oldestOpenAt: time.orNull('When the oldest of them was found.'),
      payeesWithHit: payees('hit', 'Payees with an open hit.'),
      payeesConfirmed: payees('confirmed', 'Payees with a confirmed hit.'),
      payeesIncomplete: payees(
        'incomplete',
        'Payees whose result is incomplete, where that holds payouts.',
      ),
      payeesPending: payees('pending', 'Payees who are being screened.'),
    });
  },
});

builder.queryFields((t) => ({
  screening: t.field({
    type: Figures,
    description: "How the screening stands in the caller's environment (docs/screening.md).",
    complexity: 20,
    resolve: (_root, _args, { call }) => readFigures(call),
  }),
  screeningHits: t.field({
    type: ScreeningHitConnection,
    description: 'Payees who may be on a list of sanctions, newest first (docs/screening.md).',
    args: { ...pageArgs, filter: t.arg({ type: ScreeningHitFilter, description: 'Which hits.' }) },
    complexity: pageCost(5),
    resolve: (_root, args, context) => {
      requirePermission(context.call.scope, 'read');
      const { status, beneficiaryId, list } = parseInput(conditions, args.filter ?? {});
      const filter = {
        ...(status != null && { status }),
        ...(beneficiaryId != null && { beneficiaryId }),
        ...(list != null && { kind: list }),
      };
      return resolvePage(context, {
        list: 'screening hits',
        filter,
        args,
        fetch: (range) => context.prisma.screeningHit.findMany(newestFirst(filter, range)),
      });
    },
  }),
}));
